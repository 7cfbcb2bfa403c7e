import { type Access, noticesAccess } from '#shared/runtime/access.ts';

/** AWS permissions of correct-speaker. */
export const access: Access = {
  tables: {
    transcriptions: ['GetItem', 'UpdateItem'],
    transcriptSpeakers: ['GetItem', 'UpdateItem'],
    insightFacts: ['Query'],
    ...noticesAccess.tables,
  },
  sendsTo: ['transcriptChanges'],
  readsSpeakerRoles: true,
};
