import { type Access, noticesAccess } from '#shared/runtime/access.ts';

/** AWS permissions of write-transcript. */
export const access: Access = {
  tables: {
    ...noticesAccess.tables,
    transcriptions: ['GetItem', 'DeleteItem'],
    transcriptSpeakers: ['GetItem', 'DeleteItem'],
    rooms: ['GetItem', 'PutItem'],
    roomSessions: ['BatchGetItem', 'PutItem'],
    participants: ['BatchGetItem', 'PutItem'],
    insightFacts: ['Query', 'PutItem', 'DeleteItem'],
  },
  buckets: { transcripts: { generated: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'] } },
  retentionOf: 'fact',
  readsSessionIdleHours: true,
  settlesSessions: true,
};
