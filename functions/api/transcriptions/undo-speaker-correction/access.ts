import type { Access } from '#shared/access.ts';

/** AWS permissions of undo-speaker-correction. */
export const access: Access = {
  tables: { transcriptions: ['GetItem'], transcriptSpeakers: ['GetItem', 'UpdateItem'] },
  sendsTo: ['transcriptChanges'],
};
