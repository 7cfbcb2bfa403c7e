import { type Access, noticesAccess, refusedEventsAccess, usageAccess } from '#shared/runtime/access.ts';

/** AWS permissions of record-room-events. It sends to its own queue what its turn leaves of a batch. */
export const access: Access = {
  tables: {
    recordings: ['UpdateItem'],
    recordingFiles: ['UpdateItem'],
    recordingTracks: ['PutItem'],
    transcriptions: ['PutItem'],
    rooms: ['GetItem', 'PutItem'],
    roomSessions: ['BatchGetItem', 'PutItem'],
    participants: ['BatchGetItem', 'PutItem'],
    insightFacts: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
    ...noticesAccess.tables,
    ...usageAccess.tables, // a live transcription that is ready
    ...refusedEventsAccess.tables,
  },
  // Deletes the files of a live transcription that was deleted before its end event arrived.
  buckets: { transcripts: { live: ['ListBucket', 'DeleteObject'] } },
  sendsTo: ['roomEvents'],
  retentionOf: 'fact',
  checksEventTimes: true,
  readsSessionIdleHours: true,
  settlesSessions: true,
  readsNonParticipantRoles: true,
};
