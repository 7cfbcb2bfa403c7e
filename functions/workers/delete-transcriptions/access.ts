import { type Access, deleteTranscriptionAccess } from '#shared/access.ts';

/** AWS permissions of delete-transcriptions. */
export const access: Access = deleteTranscriptionAccess;
