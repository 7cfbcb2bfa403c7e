import { type Access, noticesAccess, usageAccess } from '#shared/runtime/access.ts';

/** AWS permissions of finish-transcription. */
export const access: Access = {
  tables: {
    transcriptions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    transcriptionParts: ['GetItem', 'UpdateItem'],
    transcriptSpeakers: ['GetItem', 'DeleteItem'],
    insightFacts: ['Query'],
    ...noticesAccess.tables,
    ...usageAccess.tables,
  },
  buckets: { transcripts: { generated: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'] } },
  transcribe: ['DeleteTranscriptionJob'],
  sendsTo: ['transcriptionJobs', 'transcriptionMerges', 'transcriptChanges'],
  startsParts: true,
  readsSpeakerRoles: true,
};
