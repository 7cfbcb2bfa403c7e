import { type Access, refusedEventsAccess } from '#shared/runtime/access.ts';

/** AWS permissions of record-network-samples. */
export const access: Access = {
  tables: { insightFacts: ['PutItem'], ...refusedEventsAccess.tables },
  sendsTo: ['transcriptChanges'],
  retentionOf: 'sample',
  checksEventTimes: true,
};
