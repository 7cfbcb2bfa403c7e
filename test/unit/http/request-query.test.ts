import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { ErrorBody } from '#shared/contracts/common/errors.ts';
import { endpoints } from '#shared/contracts/endpoints.ts';
import type { ListTranscriptions } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { admission, httpEvent } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { captureLogLines } from '../../support/log-lines.ts';

const handle = vi.fn(async (_request: { readonly query: ListTranscriptions }) => ({
  body: { results: [], cursor: null },
}));
const list = endpoint(endpoints.listTranscriptions, admission, handle);
const ask = (query: string) => runEndpoint(list, httpEvent({ query }));
const queryOfLastCall = () => handle.mock.lastCall?.[0].query;

beforeEach(() => {
  handle.mockClear();
  captureLogLines();
});

test.each([
  ['roomName=%2Fdaily', '/daily'],
  ['roomName=/daily', '/daily'],
  ['roomName=%2Fa%252Fb', '/a%2Fb'],
  ['roomName=%2Fa%2Fb', '/a/b'],
  ['roomName=%2Fa+b', '/a b'],
  ['roomName=%2Fa%20b', '/a b'],
  ['roomName=%2Fa%2Bb', '/a+b'],
  ['roomName=%2F%3F%23%26%3D', '/?#&='],
  ['roomName=/a=b', '/a=b'],
  ['roomName=%2F%F0%9F%98%80', '/😀'],
  ['roomName=/a,b', '/a,b'],
  ['%72oomName=/x', '/x'],
])('%s is read as the room %j', async (query, roomName) => {
  expect((await ask(query)).statusCode).toBe(200);
  expect(queryOfLastCall()?.roomName).toBe(roomName);
});

test('any room name passes through the query unchanged', async () => {
  const names = fc.string({ unit: 'binary', maxLength: 120 }).map((name) => `/${name.replaceAll('\0', '')}`);
  await fc.assert(
    fc.asyncProperty(names, async (roomName) => {
      expect((await ask(`${new URLSearchParams({ roomName })}`)).statusCode).toBe(200);
      expect(queryOfLastCall()?.roomName).toBe(roomName);
    }),
  );
});

test.each([
  ['limit=5&limit=5', 'limit', 'must be given only once'],
  ['limit=5&LIMIT=6', 'LIMIT', 'is not a known parameter'],
  ['roomName=/a&roomName=/b', 'roomName', 'must be given only once'],
  ['limit=5&%6Cimit=6', 'limit', 'must be given only once'],
  ['q=x', 'q', 'is not a known parameter'],
  ['room%20name=/a', 'room name', 'is not a known parameter'],
  ['limit[]=5', 'limit[]', 'is not a known parameter'],
  ['limit', 'limit', 'must be a whole number from 1 to 100'],
  ['limit=', 'limit', 'must be a whole number from 1 to 100'],
  ['limit=1,2', 'limit', 'must be a whole number from 1 to 100'],
  ['=5', 'query', 'is not a known parameter'],
  ['=', 'query', 'is not a known parameter'],
  ['=5&=6', 'query', 'is not a known parameter'],
  ['=5&=6', 'query', 'must be given only once'],
  ['__proto__=x', '__proto__', 'is not a known parameter'],
  ['constructor=x', 'constructor', 'is not a known parameter'],
  ['roomName=%00', 'roomName', 'must start with "/"'],
  ['roomName=%2Fa%00', 'roomName', 'must not contain the NUL character'],
  ['roomName=%ED%A0%80', 'query', 'must be percent-encoded UTF-8'],
  ['roomName=/%', 'query', 'must be percent-encoded UTF-8'],
  ['roomName=/%zz', 'query', 'must be percent-encoded UTF-8'],
  ['roomName=/%C3', 'query', 'must be percent-encoded UTF-8'],
  ['%FF=1', 'query', 'must be percent-encoded UTF-8'],
])('%s gives a 400 that names %j', async (query, path, message) => {
  const answer = await ask(query);
  expect(answer.statusCode).toBe(400);
  expect(ErrorBody.parse(answer.body).issues).toContainEqual({ path, message: expect.stringContaining(message) });
  expect(handle).not.toHaveBeenCalled();
});

test('a parameter without a name is called "query" in every issue', async () => {
  const answer = await ask('=5&=6&=7');
  expect(ErrorBody.parse(answer.body).issues?.map(({ path }) => path)).toEqual(['query', 'query']);
});

test('an endpoint without query parameters refuses every parameter', async () => {
  const get = endpoint(endpoints.deleteTranscription, admission, async () => ({}));
  const params = { transcriptionId: '00000000-0000-4000-8000-000000000001' };
  expect((await runEndpoint(get, httpEvent({ params, query: 'force=true' }))).statusCode).toBe(400);
  expect((await runEndpoint(get, httpEvent({ params }))).statusCode).toBe(204);
});

test.each(['', 'x', '..', '%2e%2e', '00000000-0000-4000-8000-00000000000', '$where', '\0'])(
  'the path parameter %j gives a 400 that names it',
  async (transcriptionId) => {
    const remove = endpoint(endpoints.deleteTranscription, admission, async () => ({}));
    const answer = await runEndpoint(remove, httpEvent({ params: { transcriptionId } }));
    expect(answer).toMatchObject({ statusCode: 400, body: { issues: [{ path: 'transcriptionId' }] } });
  },
);

test('a path without its parameter gives a 400, not a 500', async () => {
  const remove = endpoint(endpoints.deleteTranscription, admission, async () => ({}));
  expect((await runEndpoint(remove, httpEvent())).statusCode).toBe(400);
});

test('the answer to any query is a page or a 400 in the published shape', async () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }).map(encodeURIComponent),
    fc.stringMatching(/^(limit|cursor|roomName|sortBy)=[%0-9A-F&=/]{0,20}$/),
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (query) => {
      const { statusCode, body } = await ask(query);
      if (statusCode !== 200) expect([statusCode, ErrorBody.safeParse(body).success]).toEqual([400, true]);
    }),
    { numRuns: 500 },
  );
});

test('an answer to many wrong parameters stays small', async () => {
  const query = Array.from({ length: 5_000 }, (_, index) => `${'k'.repeat(200)}${index}=x&twice=1&twice=2`).join('&');
  const { body } = await ask(query);
  expect(JSON.stringify(body).length).toBeLessThan(10_000);
});
