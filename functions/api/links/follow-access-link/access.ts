import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of follow-access-link. */
export const access: Access = {
  tables: { accessLinks: ['GetItem'], transcriptions: ['GetItem'] },
  signsTranscriptLinks: true,
  retentionOf: 'transcript',
};
