import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of create-access-link. */
export const access: Access = {
  tables: { transcriptions: ['GetItem'], accessLinks: ['PutItem'] },
  signsTranscriptLinks: true,
  linksToApi: true,
  retentionOf: 'transcript',
};
