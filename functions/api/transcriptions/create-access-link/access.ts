import type { Access } from '#shared/access.ts';

/** AWS permissions of create-access-link. */
export const access: Access = {
  tables: { transcriptions: ['GetItem'] },
  signsTranscriptLinks: true,
  retentionOf: 'transcript',
};
