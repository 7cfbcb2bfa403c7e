import { type Access, idempotencyAccess } from '#shared/runtime/access.ts';

/** AWS permissions of bulk-delete-transcriptions: it hands the ids to the bulk-delete worker. */
export const access: Access = { ...idempotencyAccess, sendsTo: ['bulkDelete'], countsBulkDeletes: true };
