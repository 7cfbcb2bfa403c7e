import type { Access } from '#shared/access.ts';

/** AWS permissions of record-network-samples. */
export const access: Access = {
  tables: { insightFacts: ['PutItem'] },
  retentionOf: 'sample',
  checksEventTimes: true,
};
