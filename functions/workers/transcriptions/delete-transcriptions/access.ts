import { type Access, deleteTranscriptionAccess } from '#shared/runtime/access.ts';

/** AWS permissions of delete-transcriptions. It sends the ids that are left after its turn, or that failed, to its own queue. */
export const access: Access = { ...deleteTranscriptionAccess, sendsTo: ['bulkDelete', 'transcriptChanges'] };
