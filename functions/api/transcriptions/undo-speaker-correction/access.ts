import { type Access, noticesAccess } from '#shared/runtime/access.ts';

/** AWS permissions of undo-speaker-correction. */
export const access: Access = {
  tables: {
    transcriptions: ['GetItem', 'UpdateItem'],
    transcriptSpeakers: ['GetItem', 'UpdateItem'],
    ...noticesAccess.tables,
  },
  sendsTo: ['transcriptChanges'],
};
