import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { noticeDays } from '#shared/contracts/notices/notice-version.ts';
import type { Notice } from '#shared/contracts/notices.ts';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { dueShard, separator } from '../common/keys.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const dayMs = 24 * 60 * 60 * 1000;
/** By then the stream has delivered a notice, or it is swept. */
const sweptAfterMs = 3 * 60 * 1000;

/** The sort key of a notice: notices of an organization sort by time. */
export function noticeKeyOf({ createdAt, id }: Pick<Notice, 'createdAt' | 'id'>): string {
  return [createdAt, id].join(separator);
}

/** The write of a notice, for the transaction that makes it true. It is due until it was relayed. */
export function noticePut(TableName: string, notice: OrganizationNotice): Write {
  const { organizationId, id, createdAt, type, data } = notice;
  const createdMs = Date.parse(createdAt);
  return {
    Put: {
      TableName,
      Item: {
        [attributeNames.organizationId]: organizationId,
        [attributeNames.noticeKey]: noticeKeyOf(notice),
        ...{ noticeId: id, createdAt, type, data },
        [attributeNames.dueShard]: dueShard(id),
        [attributeNames.dueAt]: new Date(createdMs + sweptAfterMs).toISOString(),
        [attributeNames.expiresAt]: Math.ceil((createdMs + noticeDays * dayMs) / 1000),
      },
    },
  };
}
