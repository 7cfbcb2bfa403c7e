import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of create-recording-link. It may read recordings only in a stage that allows links to them, and only by its links. */
export const access: Access = {
  tables: { transcriptions: ['GetItem'], recordingTracks: ['Query'] },
  linksToRecordings: true,
};
