import { beforeEach, expect, test, vi } from 'vitest';
import { ErrorBody } from '#shared/contracts/common/errors.ts';
import { endpoints } from '#shared/contracts/endpoints.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { admission, httpEvent, type RequestFacts } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { uuid } from '../../support/operations/records.ts';

const handle = vi.fn(async (_request: unknown) => ({}));
const create = endpoint(endpoints.createTranscription, admission, handle);
const ask = (facts: RequestFacts) => runEndpoint(create, httpEvent(facts));
const json = JSON.stringify({ recordingId: uuid(2) });
const utf8 = (text: string) => new TextEncoder().encode(text);

beforeEach(() => {
  handle.mockClear();
  captureLogLines();
});

test.each([
  ['text', json],
  ['base64', utf8(json)],
  ['text with white space around it', ` \r\n\t${json}\n`],
  ['text with a duplicate key', `{"recordingId":"${uuid(9)}","recordingId":"${uuid(2)}"}`],
  ['text with a __proto__ key', `{"__proto__":{"recordingId":"x"},"recordingId":"${uuid(2)}"}`],
])('a JSON body as %s is accepted', async (_name, body) => {
  expect(await ask({ body })).toMatchObject({ statusCode: 201, body: undefined });
  expect(handle).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ body: { recordingId: uuid(2) } }));
  expect(({} as { recordingId?: string }).recordingId).toBeUndefined();
});

test.each([
  ['no body at all', undefined],
  ['an empty body', ''],
  ['truncated JSON', json.slice(0, -1)],
  ['two documents', json + json],
  ['a comment', `${json} // x`],
  ['a single quote', json.replaceAll('"', "'")],
  ['NaN', '{"recordingId":NaN}'],
  ['a byte order mark', `\ufeff${json}`],
  ['a byte order mark in base64', utf8(`\ufeff${json}`)],
  ['invalid UTF-8', Uint8Array.from([...utf8('{"recordingId":"'), 0xc3, 0x28, ...utf8('"}')])],
  ['UTF-16', new Uint8Array(Buffer.from(json, 'utf16le'))],
  ['a form', 'recordingId=x'],
])('%s gives a 400 that names the problem', async (_name, body) => {
  const answer = await ask({ body });
  expect(answer).toMatchObject({
    statusCode: 400,
    body: { issues: [{ path: 'body', message: 'must be JSON in UTF-8' }] },
  });
  expect(handle).not.toHaveBeenCalled();
});

test.each([
  ['null', 'null', { path: 'body', message: 'must be an object' }],
  ['an array', `[${json}]`, { path: 'body', message: 'must be an object' }],
  ['a number', '7', { path: 'body', message: 'must be an object' }],
  ['text', `"${uuid(2)}"`, { path: 'body', message: 'must be an object' }],
  ['an empty object', '{}', { path: 'recordingId', message: 'is required' }],
  ['only a __proto__ key', `{"__proto__":${json}}`, { path: 'recordingId', message: 'is required' }],
  ['an operator', '{"recordingId":{"$gt":""}}', { path: 'recordingId', message: 'must be a string' }],
  ['a key', '{"recordingId":"TENANT#x"}', { path: 'recordingId', message: 'must be a UUID' }],
  ['a NUL', '{"recordingId":"\\u0000"}', { path: 'recordingId', message: 'must be a UUID' }],
  ['half of a surrogate pair', '{"recordingId":"\\ud800"}', { path: 'recordingId', message: 'must be a UUID' }],
])('a body that is %s gives a 400 that names the path', async (_name, body, issue) => {
  const answer = await ask({ body });
  expect(answer.statusCode).toBe(400);
  expect(ErrorBody.parse(answer.body).issues).toEqual([issue]);
});

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  ' application/json ;charset="utf-8"',
])('the content type %j is accepted as JSON', async (contentType) => {
  expect((await ask({ body: json, headers: { 'content-type': contentType } })).statusCode).toBe(201);
});

test.each([
  '',
  'json',
  'text/json',
  'text/plain',
  'application/jsonp',
  'application/problem+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=application/json',
  'text/plain, application/json',
])('the content type %j gives a 415', async (contentType) => {
  const answer = await ask({ body: json, headers: { 'content-type': contentType } });
  expect(answer).toMatchObject({ statusCode: 415, body: { code: 'unsupported_media_type' } });
  expect(handle).not.toHaveBeenCalled();
});

test('no content type gives a 415', async () => {
  const event = httpEvent({ body: json });
  const answer = await runEndpoint(create, { ...event, headers: {} });
  expect(answer.statusCode).toBe(415);
});

test.each([
  ['text', (bytes: number) => `{"recordingId":"${uuid(2)}"}`.padEnd(bytes)],
  ['base64', (bytes: number) => utf8(`{"recordingId":"${uuid(2)}"}`.padEnd(bytes))],
])('a body of 1 MiB as %s is accepted, and one byte more gives a 413', async (_name, bodyOf) => {
  const limit = 1024 * 1024;
  expect((await ask({ body: bodyOf(limit) })).statusCode).toBe(201);
  expect(await ask({ body: bodyOf(limit + 1) })).toMatchObject({
    statusCode: 413,
    body: { code: 'payload_too_large', message: expect.stringContaining(String(limit)) },
  });
});

test('the limit counts bytes, not characters', async () => {
  const body = JSON.stringify({ recordingId: uuid(2), padding: 'é'.repeat(524_300) });
  expect(body.length).toBeLessThan(1024 * 1024);
  expect((await ask({ body })).statusCode).toBe(413);
});

test('deep nesting gives a 400 like any other invalid body', async () => {
  expect((await ask({ body: '['.repeat(500_000) })).statusCode).toBe(400);
  expect((await ask({ body: `${'['.repeat(400_000)}${']'.repeat(400_000)}` })).statusCode).toBe(400);
  expect((await ask({ body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` })).statusCode).toBe(400);
});
