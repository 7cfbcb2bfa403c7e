import { type Access, noticesAccess, usageAccess } from '#shared/runtime/access.ts';

/** AWS permissions of merge-transcription. */
export const access: Access = {
  tables: {
    transcriptions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    transcriptionParts: ['GetItem', 'Query', 'DeleteItem'],
    transcriptSpeakers: ['GetItem', 'DeleteItem'],
    insightFacts: ['Query'],
    ...noticesAccess.tables,
    ...usageAccess.tables,
  },
  sendsTo: ['transcriptChanges'],
  readsSpeakerRoles: true,
  buckets: {
    transcripts: {
      generated: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'],
      work: ['GetObject', 'DeleteObject', 'ListBucket'],
    },
  },
};
