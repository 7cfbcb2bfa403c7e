import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of relay-notices. */
export const access: Access = {
  tables: { notices: ['UpdateItem'] },
  sendsTo: ['noticeEvents', 'deliveryPlans'],
};
