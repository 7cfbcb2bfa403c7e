import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLine, commandLineOf, environmentOf, loginOptions } from '../../support/client/command-line.ts';
import { person } from '../../support/client/terminal.ts';
import { listedSessions } from '../../support/http/listing.ts';
import { serveInTest } from '../../support/http/test-server.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { endpoints, organization, token } from '../../support/machine.ts';

const esc = '\u001b';

test.each([
  ['get', ''],
  ['get', '..'],
  ['download', ''],
  ['delete', ''],
  ['delete', '.'],
])('an invalid id is a usage error and sends no request: transcriptions %s "%s"', async (command, id) => {
  const { run } = await commandLine();
  const env = { ROOMSCRIBE_API_URL: 'http://127.0.0.1:9', ROOMSCRIBE_TOKEN: 'x' };
  expect(await run(['transcriptions', command, id, ...(command === 'delete' ? ['--yes'] : [])], { env })).toEqual({
    code: 2,
    stdout: '',
    stderr: `<transcription-id> must be an id, not "${id}".\n`,
  });
});

test('delete names an invalid id among several, and counts a repeated id once', async () => {
  const { run } = await commandLineOf(organization());
  const id = randomUUID();
  const [first, second] = await Promise.all([
    run(['transcriptions', 'delete', id, id, 'nope', '--yes']),
    run(['transcriptions', 'delete', id, id, '-y', '--json']),
  ]);
  expect(first).toMatchObject({ code: 2, stderr: '"nope" must be a UUID.\n' });
  expect(second).toEqual({ code: 0, stdout: `{"transcriptionIds":["${id}"]}\n`, stderr: '' });
});

test.each(['two\nlines', 'tökén'])('the error for an invalid token does not contain the token: %j', async (token) => {
  const { run } = await commandLine();
  const env = { ROOMSCRIBE_API_URL: endpoints.apiUrl, ROOMSCRIBE_TOKEN: token, ROOMSCRIBE_DEBUG: '1' };
  const { code, stderr } = await run(['rooms'], { env });
  expect([code, stderr.split('\n')[0]]).toEqual([
    3,
    'The value of ROOMSCRIBE_TOKEN is not a token: a token consists of visible ASCII characters.',
  ]);
  expect(stderr).not.toContain(token);
  const login = await run(['login', '--api-url', endpoints.apiUrl, '--token-stdin'], { stdin: token });
  expect([login.code, login.stderr.includes(token)]).toEqual([3, false]);
});

test('an invalid idempotency key is a usage error', async () => {
  const { run } = await commandLineOf(organization());
  const create = ['transcriptions', 'create', randomUUID(), '--idempotency-key', 'größe ✓'];
  expect(await run(create)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--idempotency-key must be/) });
});

test('the cached token of a client is not used with another secret', async () => {
  const { run } = await commandLine();
  const env = environmentOf(organization());
  expect(await run(['rooms'], { env })).toMatchObject({ code: 0 });
  expect(await run(['rooms'], { env: { ...env, ROOMSCRIBE_CLIENT_SECRET: 'wrong' } })).toMatchObject({ code: 3 });
});

test('a slow login keeps the profile that another login stored in the meantime', async () => {
  const { begin, profilesFile, run } = await commandLine();
  const [acme, other] = [organization(), organization()];
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const tokenUrl = await serveInTest(async (_, response) => {
    asked.resolve();
    await answer.promise;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: await token(acme), expires_in: 3600 }));
  });
  const login = (name: string, organizationId: string) => {
    return ['login', '--profile', name, ...loginOptions(organizationId), '--client-secret-stdin'];
  };

  const slow = begin([...login('slow', acme), '--token-url', tokenUrl], { stdin: 'local' });
  await asked.promise;
  expect(await run(login('quick', other), { stdin: 'local' })).toMatchObject({ code: 0 });
  answer.resolve();
  expect(await slow.ended).toMatchObject({ code: 0 });

  expect(Object.keys(JSON.parse(await readFile(profilesFile, 'utf8')).profiles).sort()).toEqual(['quick', 'slow']);
});

test('JSON output contains no terminal control sequences', async () => {
  const acme = organization();
  const roomName = '/a\u009b31m\u007f';
  await listedSessions(acme, [{ roomName }]);
  const { run } = await commandLineOf(acme);
  const { stdout } = await run(['transcriptions', 'list', '--json']);
  expect(stdout).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(stdout).results).toMatchObject([{ roomName }]);
});

describe('a command whose output cannot be written', () => {
  test('keeps its exit code if nobody reads its messages', async () => {
    const { bash } = await person();
    const line = bash(`roomscribe transcriptions get '' 2>&1 | true; echo "=> $\{PIPESTATUS[0]}"`);
    await line.until(/=> 2/);
  });

  test('reports the error if its results are lost', async () => {
    const { bash } = await person(environmentOf(organization()));
    const line = bash('roomscribe rooms --json > /dev/full; echo "=> $?"');
    await line.until(/The output cannot be written \(ENOSPC\)\.\s+=> 1/);
  });
});

test('a transcript is made harmless on a terminal, and unchanged in a file', async () => {
  const acme = organization();
  const { transcriptionId, finished, key, path: its } = liveSession(acme);
  const said = `${esc}]0;owned\u0007 hello\n`;
  const location = await keepTranscript(key('live.txt'), said);
  await sendToRoomEvents([finished({ storageType: 'SERVICE_HOSTED', filename: 'live.txt', location })]);
  await known(acme, its, 'ready');
  const { roomscribe, folder } = await person(environmentOf(acme));

  const shown = roomscribe(['transcriptions', 'download', transcriptionId]);
  expect(await shown.exitCode).toBe(0);
  expect(shown.raw()).toContain('hello');
  expect(shown.raw()).not.toContain(`${esc}]0;`);

  const kept = roomscribe(['transcriptions', 'download', transcriptionId, '--format', 'txt', '-o', 'kept']);
  expect(await kept.exitCode).toBe(0);
  expect(await readFile(path.join(folder, 'kept'), 'utf8')).toBe(said);
});
