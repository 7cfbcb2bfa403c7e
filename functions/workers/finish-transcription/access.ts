import type { Access } from '#shared/access.ts';

/** AWS permissions of finish-transcription. */
export const access: Access = {
  tables: { transcriptions: ['GetItem', 'UpdateItem'] },
  buckets: { transcripts: { generated: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'] } },
  transcribe: ['DeleteTranscriptionJob'],
  startsParts: true,
};
