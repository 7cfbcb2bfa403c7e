import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of get-transcription. */
export const access: Access = { tables: { transcriptions: ['Query'], transcriptSpeakers: ['GetItem'] } };
