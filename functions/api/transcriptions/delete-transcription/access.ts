import { type Access, deleteTranscriptionAccess } from '#shared/runtime/access.ts';

/** AWS permissions of delete-transcription. */
export const access: Access = deleteTranscriptionAccess;
