import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of translate-hooks. */
export const access: Access = {
  tables: {
    connections: ['GetItem'],
    roomSessions: ['GetItem'],
    platformSessions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  // It reads the manifest that a platform writes beside a recording.
  buckets: { transcripts: { hooks: ['GetObject', 'ListBucket'] }, recordings: ['GetObject', 'ListBucket'] },
  sendsTo: ['platformHooks', 'roomEvents'],
  checksEventTimes: true,
  readsHookRetention: true,
};
