import { type Access, noticesAccess } from '#shared/runtime/access.ts';

/** AWS permissions of prepare-media. It sends itself a new message when its time runs out, and the starts of the parts. */
export const access: Access = {
  tables: {
    transcriptions: ['GetItem', 'UpdateItem'],
    recordingTracks: ['Query'],
    insightFacts: ['Query'],
    transcriptionParts: ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem', 'DeleteItem', 'Query'],
    rateLimits: ['UpdateItem'],
    ...noticesAccess.tables,
  },
  buckets: {
    recordings: ['GetObject', 'ListBucket'],
    transcripts: { work: ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload', 'ListBucket'] },
  },
  sendsTo: ['mediaPreparation', 'transcriptionJobs', 'transcriptionMerges'],
  plansPieces: true,
  startsParts: true,
  countsMinutes: true,
  readsSpeakerRoles: true,
};
