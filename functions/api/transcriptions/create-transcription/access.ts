import { type Access, idempotencyAccess } from '#shared/access.ts';

/** AWS permissions of create-transcription. */
export const access: Access = {
  tables: {
    recordings: ['GetItem', 'UpdateItem'],
    recordingTracks: ['Query'],
    roomSessions: ['GetItem'],
    transcriptions: ['GetItem', 'PutItem', 'UpdateItem'],
    ...idempotencyAccess.tables,
  },
  sendsTo: ['transcriptionJobs'],
  countsMinutes: true,
  readsOptionDefaults: true,
  closesRecordings: true,
};
