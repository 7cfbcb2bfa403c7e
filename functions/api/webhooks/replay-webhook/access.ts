import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of replay-webhook. */
export const access: Access = {
  tables: { webhooks: ['GetItem', 'UpdateItem'], notices: ['GetItem'] },
  sendsTo: ['noticeReplays'],
  countsReplays: true,
};
