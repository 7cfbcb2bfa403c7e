import { type Access, noticesAccess } from '#shared/runtime/access.ts';

/** AWS permissions of start-transcription. */
export const access: Access = {
  tables: {
    transcriptions: ['GetItem', 'UpdateItem'],
    transcriptionParts: ['GetItem', 'Query', 'UpdateItem'],
    rateLimits: ['UpdateItem'],
    ...noticesAccess.tables,
  },
  // Transcribe reads the recording or the part, and writes its output, with the permissions of the caller that starts the job.
  buckets: {
    recordings: ['GetObject', 'ListBucket'],
    transcripts: { generated: ['PutObject'], work: ['GetObject', 'PutObject'] },
  },
  transcribe: ['StartTranscriptionJob', 'GetTranscriptionJob'],
  sendsTo: ['transcriptionJobs', 'transcriptionMerges', 'mediaPreparation'],
  countsMinutes: true,
  plansPieces: true,
  startsParts: true,
  pacesJobs: true,
};
