import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of receive-hook. */
export const access: Access = {
  tables: { connections: ['GetItem'] },
  buckets: { transcripts: { hooks: ['PutObject'] } },
  sendsTo: ['platformHooks'],
  readsConnectionSecrets: true,
  linksToApi: true,
};
