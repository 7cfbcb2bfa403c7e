import type { Access } from '#shared/access.ts';

/** AWS permissions of start-transcription. */
export const access: Access = {
  tables: { transcriptions: ['GetItem', 'UpdateItem'], rateLimits: ['UpdateItem'] },
  // Transcribe reads the recording and writes its output with the permissions of the caller that starts the job.
  buckets: { recordings: ['GetObject', 'ListBucket'], transcripts: ['PutObject'] },
  transcriptPrefixes: ['generated'],
  transcribe: ['StartTranscriptionJob', 'TagResource', 'GetTranscriptionJob'],
  sendsTo: ['transcriptionJobs'],
  startsParts: true,
  pacesJobs: true,
};
