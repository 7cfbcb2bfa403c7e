import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { noticeTypes } from '#shared/contracts/notices/notice-types.ts';
import { noticeVersion } from '#shared/contracts/notices/notice-version.ts';
import { Notice } from '#shared/contracts/notices.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { type OrganizationNotice, UnreadableNotice } from '#shared/domain/notices/notice.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import type { NoticeKey, NoticePeriod, NoticeStore } from '#shared/use-cases/notices/ports.ts';
import { batchGet } from '../common/batch-get.ts';
import { dueItems } from '../common/due-index.ts';
import { afterAllTimes, separator, timeRange } from '../common/keys.ts';
import { pastConflicts } from '../common/past-conflicts.ts';
import { unlessRefused } from '../common/unless-refused.ts';

const Row = z.object({
  organizationId: OrganizationId,
  noticeId: z.string(),
  createdAt: z.string(),
  type: z.string(),
  data: z.unknown(),
});

/** A notice from its item. Throws `UnreadableNotice` if the item has another shape, because that is a defect. */
export function toNotice(item: unknown): OrganizationNotice {
  try {
    return parsed(item);
  } catch (cause) {
    throw new UnreadableNotice('A notice cannot be read.', { cause });
  }
}

function parsed(item: unknown): OrganizationNotice {
  const { organizationId, noticeId: id, createdAt, type, data } = Row.parse(item);
  return { organizationId, ...Notice.parse({ id, apiVersion: noticeVersion, createdAt, type, data }) };
}

/** A notice from its item, or undefined if this version does not know its type: a later version can have told it before it was rolled back. */
export function toKnownNotice(item: unknown): OrganizationNotice | undefined {
  const { type } = Row.parse(item);
  return noticeTypes.some((known) => known === type) ? toNotice(item) : undefined;
}

const keyOf = ({ organizationId, noticeKey }: NoticeKey) => ({
  [attributeNames.organizationId]: organizationId,
  [attributeNames.noticeKey]: noticeKey,
});

const Key = z.object({ organizationId: OrganizationId, noticeKey: z.string() });

/** Implements `NoticeStore` with DynamoDB. */
export function noticeRepository(documents: DynamoDBDocumentClient, TableName: string): NoticeStore {
  return {
    async findAll(keys) {
      const items = await batchGet(documents, { tableName: TableName, keys: keys.map(keyOf), consistent: true });
      return new Map(items.map((item) => [Key.parse(item).noticeKey, toNotice(item)]));
    },

    async page({ organizationId, from, to, after, limit }) {
      const start = after === undefined ? {} : { ExclusiveStartKey: keyOf({ organizationId, noticeKey: after }) };
      const { Items = [], LastEvaluatedKey } = await documents.send(
        new QueryCommand({ ...periodQuery(TableName, { organizationId, from, to }), ...start, Limit: limit }),
      );
      return {
        notices: Items.flatMap((item) => toKnownNotice(item) ?? []),
        after: LastEvaluatedKey && Key.parse(LastEvaluatedKey).noticeKey,
      };
    },

    async markRelayed(key) {
      const update = new UpdateCommand({
        TableName,
        Key: keyOf(key),
        UpdateExpression: 'REMOVE dueAt, dueShard',
        ConditionExpression: `attribute_exists(${attributeNames.noticeKey})`,
      });
      await unlessRefused(() => pastConflicts(() => documents.send(update)));
    },

    async *listDue(now) {
      for await (const item of dueItems(documents, TableName, now)) {
        const key = Key.parse(item);
        yield { ...key, createdAt: key.noticeKey.split(separator)[0] ?? '' };
      }
    },
  };
}

function periodQuery(TableName: string, period: Pick<NoticePeriod, 'organizationId' | 'from' | 'to'>) {
  const [first, last] = timeRange(period.from, period.to) ?? ['0', afterAllTimes];
  return {
    TableName,
    KeyConditionExpression: `${attributeNames.organizationId} = :organizationId AND ${attributeNames.noticeKey} BETWEEN :first AND :last`,
    ExpressionAttributeValues: { ':organizationId': period.organizationId, ':first': first, ':last': last },
    ConsistentRead: true,
  };
}
