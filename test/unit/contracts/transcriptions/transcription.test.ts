import { describe, expect, test } from 'vitest';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { transcriptFormats, transcriptionSortFields } from '#shared/contracts/transcriptions/transcription.ts';
import {
  BulkDeleteTranscriptions,
  CreateAccessLink,
  CreateTranscription,
  ListTranscriptions,
  TranscriptionPath,
} from '#shared/contracts/transcriptions/transcription-operations.ts';
import { issuesOf, taken } from '../../../support/issues.ts';
import { uuid } from '../../../support/operations/records.ts';

const sortOrders = transcriptionSortFields.flatMap((field) => [`${field}:asc`, `${field}:desc`]);

describe('the query of list', () => {
  test('defaults to the newest fifty transcriptions', () => {
    expect(taken(ListTranscriptions, {})).toEqual({ limit: 50, sortBy: { field: 'startDate', direction: 'desc' } });
  });

  test('accepts all parameters', () => {
    const query = { roomName: '/daily', cursor: 'abc', limit: '7', sortBy: 'roomName:asc' };
    expect(taken(ListTranscriptions, query)).toEqual({
      roomName: '/daily',
      cursor: 'abc',
      limit: 7,
      sortBy: { field: 'roomName', direction: 'asc' },
    });
  });

  test.each(sortOrders)('sorts by %s', (sortBy) => {
    const { field, direction } = taken(ListTranscriptions, { sortBy }).sortBy;
    expect(`${field}:${direction}`).toBe(sortBy);
  });

  test.each([
    '',
    'startDate',
    'startDate:',
    ':asc',
    'startDate:ASC',
    'startDate:up',
    'createdAt:asc',
    'startDate:asc:x',
  ])('rejects sortBy %j and names the valid orders', (sortBy) => {
    expect(issuesOf(ListTranscriptions, { sortBy })).toEqual([`sortBy: must be one of ${sortOrders.join(', ')}`]);
  });

  test('rejects unknown parameters, and names them and the known ones', () => {
    expect(issuesOf(ListTranscriptions, { room: '/daily', Limit: '5' })).toEqual([
      expect.stringMatching(/^room: is not a known parameter\. The parameters are .*cursor, limit/),
      expect.stringMatching(/^Limit: is not a known parameter\. The parameters are .*cursor, limit/),
    ]);
  });

  test('reports every invalid field at once', () => {
    expect(issuesOf(ListTranscriptions, { roomName: 'daily', limit: '0', sortBy: 'x', q: '' })).toHaveLength(4);
  });
});

describe('the query of access-link', () => {
  test('defaults to the default format, valid for an hour', () => {
    expect(taken(CreateAccessLink, {})).toEqual({ validForSeconds: 3600 });
  });

  test.each(transcriptFormats)('accepts the format %s', (format) => {
    expect(taken(CreateAccessLink, { format }).format).toBe(format);
  });

  test.each(['1', '43200'])('accepts validForSeconds %s', (validForSeconds) => {
    expect(taken(CreateAccessLink, { validForSeconds }).validForSeconds).toBe(Number(validForSeconds));
  });

  test.each(['0', '-5', '1.5', 'NaN', '43201', ''])('rejects validForSeconds %j', (validForSeconds) => {
    expect(issuesOf(CreateAccessLink, { validForSeconds })).toEqual([
      'validForSeconds: must be a whole number from 1 to 43200',
    ]);
  });

  test.each(['', 'MD', 'pdf', 'md,txt', '__proto__'])('rejects the format %j', (format) => {
    expect(issuesOf(CreateAccessLink, { format })).toEqual([`format: must be one of ${transcriptFormats.join(', ')}`]);
  });
});

describe('the body of create', () => {
  test('accepts a recordingId', () => {
    expect(taken(CreateTranscription, { recordingId: uuid(1).toUpperCase() })).toEqual({ recordingId: uuid(1) });
  });

  test.each([
    [{}, 'recordingId: is required'],
    [{ recordingId: 'x' }, 'recordingId: must be a UUID'],
    [{ recordingId: [uuid(1)] }, 'recordingId: must be a string'],
    [null, ': must be an object'],
    [[], ': must be an object'],
    ['text', ': must be an object'],
    [undefined, ': is required'],
  ])('rejects %j', (body, issue) => {
    expect(issuesOf(CreateTranscription, body)).toEqual([issue]);
  });

  test('drops unknown fields', () => {
    const body = JSON.parse(`{"recordingId":"${uuid(1)}","organizationId":"other","__proto__":{"admin":true}}`);
    expect(taken(CreateTranscription, body)).toStrictEqual({ recordingId: uuid(1) });
  });
});

describe('the body of bulk delete', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => uuid(index));

  test.each([1, 2, 10_000])('accepts %d ids', (count) => {
    expect(taken(BulkDeleteTranscriptions, { transcriptionIds: ids(count) }).transcriptionIds).toHaveLength(count);
  });

  test.each([
    [{ transcriptionIds: [] }, 'transcriptionIds: must name at least one transcription'],
    [{ transcriptionIds: ids(10_001) }, 'transcriptionIds: must name at most 10000 transcriptions'],
    [{ transcriptionIds: [uuid(1), 'x'] }, 'transcriptionIds.1: must be a UUID'],
    [{ transcriptionIds: [null] }, 'transcriptionIds.0: must be a string'],
    [{ transcriptionIds: uuid(1) }, 'transcriptionIds: must be an array'],
    [{ transcriptionIds: { 0: uuid(1), length: 1 } }, 'transcriptionIds: must be an array'],
    [{}, 'transcriptionIds: is required'],
  ])('rejects an invalid body (%#)', (body, issue) => {
    expect(issuesOf(BulkDeleteTranscriptions, body)).toEqual([issue]);
  });
});

test('TranscriptionPath accepts one UUID and nothing else', () => {
  expect(taken(TranscriptionPath, { transcriptionId: uuid(1).toUpperCase() })).toEqual({ transcriptionId: uuid(1) });
  expect(issuesOf(TranscriptionPath, {})).toEqual(['transcriptionId: is required']);
  expect(issuesOf(TranscriptionPath, { transcriptionId: '..' })).toEqual(['transcriptionId: must be a UUID']);
});

describe.each(endpointList)('the endpoint $operationId', ({ path, params, body, method, ...endpoint }) => {
  test('requires every parameter of its path', () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: is required`);
    expect(params ? issuesOf(params, {}) : []).toEqual(inPath);
  });

  test('has a request body if it is a POST other than a test, a PUT or a PATCH, and a response body as its path promises', () => {
    const isTest = path.endsWith('/test');
    expect(body !== undefined).toBe(['POST', 'PUT', 'PATCH'].includes(method) && !isTest);
    const answersCreation = path === '/v1/webhooks' || path.endsWith('/replay');
    expect(endpoint.response !== undefined).toBe(endpoint.successStatus === 200 || answersCreation);
  });
});
