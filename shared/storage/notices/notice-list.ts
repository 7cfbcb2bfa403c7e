import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { noticeDays } from '#shared/contracts/notices/notice-version.ts';
import type { ListNotices, Notice } from '#shared/contracts/notices.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import type { NoticeFinder } from '#shared/use-cases/notices/ports.ts';
import { afterAllTimes } from '../common/keys.ts';
import { type Page, positionOf, queryPage, type SortedList } from '../common/sorted-query.ts';
import { noticeKeyOf } from './notice-put.ts';
import { toKnownNotice } from './notices.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;

const keptMs = noticeDays * 24 * 60 * 60 * 1000;

/** Lists the notices of an organization, one page per call. */
export type NoticeLister = (organizationId: OrganizationId, query: ListNotices) => Promise<Page<Notice>>;

/** Lists notices by their time, the oldest first. Notices that should have expired are left out: DynamoDB deletes them up to days late. */
export function noticeLister(documents: Documents, tableName: string, now: () => number = Date.now): NoticeLister {
  return async (organizationId, { from = '0', to = afterAllTimes, cursor, limit }) => {
    const list: SortedList = {
      name: ['notices', from, to],
      tableName,
      partition: [attributeNames.organizationId, organizationId],
      sortKey: attributeNames.noticeKey,
      range: [from, to],
      direction: 'asc',
      cursor,
      limit,
    };
    const oldest = new Date(now() - keptMs).toISOString();
    if (to <= oldest) return { results: [], cursor: null };
    const isBehind = (positionOf(list) ?? '0') < oldest; // the notices after the cursor have expired meanwhile
    const { results, cursor: next } = await queryPage(documents, {
      ...list,
      range: [from > oldest ? from : oldest, to],
      cursor: isBehind ? undefined : cursor,
    });
    return { results: results.flatMap((item) => toPublicNotice(item) ?? []), cursor: next };
  };
}

/** Looks for notices by their keys, with strong consistency. */
export function noticeFinder(documents: Documents, TableName: string, now: () => number = Date.now): NoticeFinder {
  return {
    async exists(organizationId, notice) {
      if (Date.parse(notice.createdAt) < now() - keptMs) return false;
      const { Item } = await documents.send(
        new GetCommand({
          TableName,
          Key: { [attributeNames.organizationId]: organizationId, [attributeNames.noticeKey]: noticeKeyOf(notice) },
          ProjectionExpression: attributeNames.noticeKey,
          ConsistentRead: true,
        }),
      );
      return Item !== undefined;
    },
  };
}

function toPublicNotice(item: unknown): Notice | undefined {
  const known = toKnownNotice(item);
  if (!known) return undefined;
  const { organizationId: _, ...notice } = known;
  return notice;
}
