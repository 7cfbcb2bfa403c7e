import { mkdir, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import getPort from 'get-port';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../../support/client/command-line.ts';
import { eventually } from '../../support/eventually.ts';
import { serveInTest } from '../../support/http/test-server.ts';

/** Starts an API that gives every call the same answer. Returns the environment for its clients. */
async function apiThat(answers: RequestListener) {
  return { ROOMSCRIBE_API_URL: await serveInTest(answers), ROOMSCRIBE_TOKEN: 'a-token' };
}

const answer =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

describe('a command exits with a specific code and a hint after', () => {
  const request = { 'apigw-requestid': 'req-1' };
  test.each([
    [
      'an internal error',
      500,
      { code: 'internal_error' },
      request,
      7,
      /^Oh\.\nTry again later\. .* request req-1\.\n$/,
    ],
    ['a busy service', 503, { code: 'service_unavailable' }, {}, 7, /^Oh\.\nTry again later\.\n$/],
    ['spent points', 429, { code: 'rate_limited' }, {}, 7, /^Oh\.\nTry again in a minute\.\n$/],
    [
      'a limit of an hour',
      429,
      { code: 'too_many_deletions' },
      { 'retry-after': '1741' },
      7,
      /^Oh\.\nTry again in 30 minutes\.\n$/,
    ],
    ['a key in use', 409, { code: 'idempotency_key_in_use' }, {}, 7, /^Oh\.\nTry again in a minute\.\n$/],
    ['a rejected token', 401, {}, {}, 3, /^The service refused the token.*\nSet another ROOMSCRIBE_TOKEN\.\n$/],
    ['a token of another service', 403, {}, {}, 3, /ROOMSCRIBE_TOKEN/],
    ['an unknown id', 404, { code: 'transcription_not_found' }, {}, 4, /^Oh\.\n$/],
    [
      'an unknown path',
      404,
      {},
      {},
      1,
      /^The server at ROOMSCRIBE_API_URL is not this API \(404\)\.\nSet the variable to .* stack's outputs\.\n$/,
    ],
    ['a forbidden action', 403, { code: 'self_hosted' }, {}, 1, /^Oh\.\n$/],
    ['an unprocessable request', 422, { code: 'idempotency_key_reused' }, {}, 2, /^Oh\.\n$/],
    [
      'an answer of another server',
      204,
      {},
      {},
      1,
      /^http:.* answered 204 with application\/json, but .*\nSet the variable/,
    ],
  ])('%s', async (_, status, body, headers, code, message) => {
    const { run } = await commandLine();
    const env = await apiThat(answer(status, { message: 'Oh.', ...body }, headers));
    const ended = await run(['transcriptions', 'get', '9226ec25-8833-431d-82bc-05dbfd0728fb'], { env });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
    expect(ended.stderr).not.toContain('a-token');
  });
});

test('names the variable of an invalid address', async () => {
  const { run } = await commandLine();
  const env = { ROOMSCRIBE_API_URL: 'http://roomscribe.example', ROOMSCRIBE_TOKEN: 'a-token' };
  const { code, stderr } = await run(['rooms'], { env });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^ROOMSCRIBE_API_URL must be an https URL.*\nSet the var/)]);
});

test('hints name the profile of --profile', async () => {
  const { run, profilesFile } = await commandLine();
  const answers: Record<string, RequestListener> = {
    GET: answer(403, { code: 'transcription_not_ready', message: 'Oh.' }),
    POST: (_, response) => response.writeHead(201, { location: '/v1/transcriptions/an-id' }).end(),
  };
  const apiUrl = await serveInTest((request, response) => answers[request.method ?? '']?.(request, response));
  const profiles = { dev: { apiUrl, token: 'a-token' }, gone: { apiUrl: `${apiUrl}/?a`, token: 'a-token' } };
  await mkdir(path.dirname(profilesFile), { recursive: true });
  await writeFile(profilesFile, JSON.stringify({ current: 'dev', profiles }));
  const hintOf = async (...args: string[]) => (await run(args)).stderr;

  expect(await hintOf('transcriptions', 'download', 'an-id', '--profile', 'dev')).toContain(
    'run: roomscribe transcriptions get an-id --wait --profile dev\n',
  );
  expect(await hintOf('transcriptions', 'create', 'id', '-p', 'dev')).toContain(' get an-id --wait --profile dev\n');
  expect(await hintOf('transcriptions', 'create', 'id')).toContain(' get an-id --wait\n');
  expect(await hintOf('rooms', '--profile', 'gone')).toMatch(
    /^The API URL of the profile "gone" must be .*\nTo see it, run: roomscribe profiles\n.* login --profile gone --token-stdin\n$/,
  );
});

test('errors, including usage errors, are one line of JSON with --json', async () => {
  const { run } = await commandLine();
  const env = await apiThat(answer(500, { message: 'Oh.', code: 'internal_error' }, { 'apigw-requestid': 'req-1' }));
  const errorOf = async (...args: string[]) => {
    const { stdout, stderr } = await run(args, { env });
    expect([stdout, stderr.split('\n').length]).toEqual(['', 2]);
    return JSON.parse(stderr).error;
  };
  expect(await errorOf('rooms', '--json')).toMatchObject({
    ...{ code: 'internal_error', message: 'Oh.', status: 500, requestId: 'req-1' },
  });
  expect(await errorOf('rooms', '--lmit', '3', '--json')).toMatchObject({ code: 'usage' });
  expect(await errorOf('--json', 'roms')).toMatchObject({ code: 'usage', hint: '(Did you mean rooms?)' });
});

test('the exit code of a failed connection means "try again later"', async () => {
  const { run } = await commandLine();
  const env = { ROOMSCRIBE_API_URL: `http://127.0.0.1:${await getPort()}`, ROOMSCRIBE_TOKEN: 'a-token' };
  expect(await run(['rooms'], { env })).toMatchObject({
    code: 7,
    stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ could not be reached \(ECONNREFUSED\)\.\n/),
  });
});

test('a call with a transient failure is retried up to ROOMSCRIBE_MAX_RETRIES times', async () => {
  const { run } = await commandLine();
  let calls = 0;
  const env = await apiThat((_, response) => {
    calls++;
    response.writeHead(503).end();
  });
  expect(await run(['rooms'], { env: { ...env, ROOMSCRIBE_MAX_RETRIES: '1' } })).toMatchObject({ code: 7 });
  expect(calls).toBe(2);
  const odd = { ...env, ROOMSCRIBE_MAX_RETRIES: 'often' };
  expect(await run(['rooms'], { env: odd })).toMatchObject({ code: 2, stderr: expect.stringContaining('MAX_RETRIES') });
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a hanging call', async (signal) => {
  const { begin } = await commandLine();
  let called = false;
  const env = await apiThat(() => {
    called = true;
  });
  const { child, ended } = begin(['rooms'], { env });
  await eventually(() => expect(called).toBe(true));
  child.kill(signal);
  expect(await ended).toEqual({ code: 130, stdout: '', stderr: 'Interrupted.\n' });
});

test('Ctrl-C during the creation of a transcription prints how to find it', async () => {
  const { begin } = await commandLine();
  let called = false;
  const env = await apiThat(() => {
    called = true;
  });
  const { child, ended } = begin(['transcriptions', 'create', 'an-id', '--wait'], { env });
  await eventually(() => expect(called).toBe(true));
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect(code).toBe(130);
  expect(stderr).toContain('The transcription can exist. Run: roomscribe transcriptions list --recording-id an-id\n');
});

test('an error shows its stack only with ROOMSCRIBE_DEBUG', async () => {
  const { run } = await commandLine();
  const env = await apiThat(answer(500, { message: 'Oh.' }));
  expect((await run(['rooms'], { env })).stderr).not.toContain('    at ');
  expect((await run(['rooms'], { env: { ...env, ROOMSCRIBE_DEBUG: '1' } })).stderr).toContain(
    'ServerError: Oh.\n    at ',
  );
});
