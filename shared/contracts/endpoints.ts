import type * as z from 'zod/mini';
import { indexNames } from '../names.ts';
import type { Access } from './access.ts';
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

type Schema = z.ZodMiniType;

/** One endpoint as data: the route, the validation, what it costs of the rate limit, and what its function may touch. */
export type Endpoint = {
  /** Also the name of the function's folder, of its construct and of its metrics. */
  readonly operationId: string;
  readonly tag: 'transcriptions' | 'insights';
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/v1/${string}`;
  /** Points of the organization's rate limit: read 1, delete 2, write 3. */
  readonly points: 1 | 2 | 3;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly successStatus: 200 | 201 | 204;
  readonly response?: Schema;
  readonly access: Access;
};

/** Every index of the transcriptions but the one that spans organizations. */
const { byDueAt: _, ...ofOneOrganization } = indexNames;
const listIndexes = Object.values(ofOneOrganization);

/** What deleting one transcription touches, by its endpoint and by the bulk-delete worker alike. */
export const deleteAccess = {
  tables: { transcriptions: ['GetItem', 'PutItem'] },
  buckets: { transcripts: ['ListBucket', 'DeleteObject'] },
  transcribe: ['DeleteTranscriptionJob'],
} as const satisfies Access;

/** Every endpoint of the API. Routes, validation, policies and (later) the API's description are made from this. */
export const endpoints = {
  createTranscription: {
    operationId: 'create-transcription',
    tag: 'transcriptions',
    method: 'POST',
    path: '/v1/transcriptions',
    points: 3,
    body: CreateTranscription,
    successStatus: 201,
    access: {
      tables: { recordings: ['GetItem', 'UpdateItem'], transcriptions: ['GetItem', 'PutItem'] },
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
    access: { tables: { transcriptions: ['GetItem'] }, signsTranscriptLinks: true },
  },
  bulkDeleteTranscriptions: {
    operationId: 'bulk-delete-transcriptions',
    tag: 'transcriptions',
    method: 'POST',
    path: '/v1/transcriptions/bulk-delete',
    points: 3,
    body: BulkDeleteTranscriptions,
    successStatus: 204,
    access: { sendsTo: ['bulkDelete'] },
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

/** The endpoints as a list, for what is made for each of them. */
export const endpointList: readonly Endpoint[] = Object.values(endpoints);
