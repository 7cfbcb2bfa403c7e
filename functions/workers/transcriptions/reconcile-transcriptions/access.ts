import { type Access, noticesAccess } from '#shared/runtime/access.ts';
import { indexNames } from '#shared/runtime/names.ts';

/** AWS permissions of reconcile-transcriptions. It queries the one index that spans all organizations. */
export const access: Access = {
  tables: {
    transcriptions: ['GetItem', 'UpdateItem', 'DeleteItem'],
    transcriptionParts: ['Query', 'UpdateItem', 'DeleteItem'],
    transcriptSpeakers: ['DeleteItem'],
    ...noticesAccess.tables,
  },
  queries: { transcriptions: [indexNames.byDueAt] },
  buckets: { transcripts: { generated: ['ListBucket', 'DeleteObject'], work: ['ListBucket', 'DeleteObject'] } },
  transcribe: ['GetTranscriptionJob', 'DeleteTranscriptionJob'],
  sendsTo: ['transcriptionJobs', 'transcriptionResults', 'transcriptionMerges'],
  startsParts: true,
};
