import { type Access, idempotencyAccess, noticesAccess } from '#shared/runtime/access.ts';

/** AWS permissions of create-transcription. */
export const access: Access = {
  tables: {
    recordings: ['GetItem', 'UpdateItem'],
    recordingTracks: ['Query'],
    roomSessions: ['GetItem'],
    transcriptions: ['GetItem', 'PutItem', 'UpdateItem'],
    ...idempotencyAccess.tables,
    ...noticesAccess.tables,
  },
  sendsTo: ['transcriptionJobs'],
  countsMinutes: true,
  readsOptionDefaults: true,
  closesRecordings: true,
};
