import { type Access, noticesAccess } from '#shared/access.ts';

/** AWS permissions of undo-speaker-correction. */
export const access: Access = {
  tables: {
    transcriptions: ['GetItem', 'UpdateItem'],
    transcriptSpeakers: ['GetItem', 'UpdateItem'],
    ...noticesAccess.tables,
  },
  sendsTo: ['transcriptChanges'],
};
