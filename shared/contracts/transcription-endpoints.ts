import { indexNames } from '../names.ts';
import type { Access } from './access.ts';
import type { Endpoint } from './endpoint.ts';
import { IdempotencyHeaders, idempotencyAccess } from './idempotency.ts';
import {
  AccessLink,
  BulkDeleteTranscriptions,
  CreateAccessLink,
  CreateTranscription,
  ListTranscriptions,
  Transcription,
  TranscriptionPage,
  TranscriptionPath,
} from './transcription.ts';

/** Every index of the transcriptions but the one that spans organizations. */
const { byDueAt: _, ...ofOneOrganization } = indexNames;
const listIndexes = Object.values(ofOneOrganization);

/** What deleting one transcription touches, by its endpoint and by the bulk-delete worker alike. */
export const deleteAccess = {
  tables: { transcriptions: ['GetItem', 'PutItem'] },
  buckets: { transcripts: ['ListBucket', 'DeleteObject'] },
  transcribe: ['DeleteTranscriptionJob'],
} as const satisfies Access;

/** The endpoints of the transcriptions. */
export const transcriptionEndpoints = {
  createTranscription: {
    operationId: 'create-transcription',
    tag: 'transcriptions',
    method: 'POST',
    path: '/v1/transcriptions',
    points: 3,
    headers: IdempotencyHeaders,
    body: CreateTranscription,
    successStatus: 201,
    access: {
      tables: {
        recordings: ['GetItem', 'UpdateItem'],
        transcriptions: ['GetItem', 'PutItem'],
        ...idempotencyAccess.tables,
      },
      sendsTo: ['transcriptionJobs'],
    },
  },
  listTranscriptions: {
    operationId: 'list-transcriptions',
    tag: 'transcriptions',
    method: 'GET',
    path: '/v1/transcriptions',
    points: 1,
    query: ListTranscriptions,
    successStatus: 200,
    response: TranscriptionPage,
    access: { queries: { transcriptions: listIndexes } },
  },
  getTranscription: {
    operationId: 'get-transcription',
    tag: 'transcriptions',
    method: 'GET',
    path: '/v1/transcriptions/{transcriptionId}',
    points: 1,
    params: TranscriptionPath,
    successStatus: 200,
    response: Transcription,
    access: { tables: { transcriptions: ['GetItem'] } },
  },
  createAccessLink: {
    operationId: 'create-access-link',
    tag: 'transcriptions',
    method: 'GET',
    path: '/v1/transcriptions/{transcriptionId}/access-link',
    points: 1,
    params: TranscriptionPath,
    query: CreateAccessLink,
    successStatus: 200,
    response: AccessLink,
    access: { tables: { transcriptions: ['GetItem'] }, signsTranscriptLinks: true, retentionOf: 'transcript' },
  },
  bulkDeleteTranscriptions: {
    operationId: 'bulk-delete-transcriptions',
    tag: 'transcriptions',
    method: 'POST',
    path: '/v1/transcriptions/bulk-delete',
    points: 3,
    headers: IdempotencyHeaders,
    body: BulkDeleteTranscriptions,
    successStatus: 204,
    access: { ...idempotencyAccess, sendsTo: ['bulkDelete'] },
  },
  deleteTranscription: {
    operationId: 'delete-transcription',
    tag: 'transcriptions',
    method: 'DELETE',
    path: '/v1/transcriptions/{transcriptionId}',
    points: 2,
    params: TranscriptionPath,
    successStatus: 204,
    access: deleteAccess,
  },
} as const satisfies Record<string, Endpoint>;
