import type { Access } from '#shared/access.ts';

/** AWS permissions of correct-speaker. */
export const access: Access = {
  tables: { transcriptions: ['GetItem'], transcriptSpeakers: ['GetItem', 'UpdateItem'], insightFacts: ['Query'] },
  sendsTo: ['transcriptChanges'],
  readsSpeakerRoles: true,
};
