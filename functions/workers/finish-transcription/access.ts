import type { Access } from '#shared/access.ts';

/** AWS permissions of finish-transcription. */
export const access: Access = {
  tables: { transcriptions: ['GetItem', 'UpdateItem'] },
  buckets: { transcripts: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'] },
  transcriptPrefixes: ['generated'],
  transcribe: ['DeleteTranscriptionJob'],
  startsParts: true,
};
