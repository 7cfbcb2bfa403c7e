import type { Access } from '#shared/access.ts';

/** AWS permissions of write-transcript. */
export const access: Access = {
  tables: { transcriptSpeakers: ['GetItem', 'DeleteItem'] },
  buckets: { transcripts: { generated: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'] } },
};
