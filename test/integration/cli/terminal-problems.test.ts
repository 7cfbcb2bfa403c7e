import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';
import { expect, test } from 'vitest';
import { environmentOf } from '../../support/client/command-line.ts';
import { person } from '../../support/client/terminal.ts';
import { signedToken } from '../../support/http/signed-tokens.ts';
import { serveInTest } from '../../support/http/test-server.ts';
import { endpoints, organization } from '../../support/machine.ts';

test('a command without a network names the unreachable server, and says to try again later', async () => {
  const apiUrl = `http://127.0.0.1:${await getPort()}`;
  const { roomscribe } = await person({ ROOMSCRIBE_API_URL: apiUrl, ROOMSCRIBE_TOKEN: 'x' });
  const list = roomscribe(['transcriptions', 'list']);
  expect(await list.exitCode).toBe(7);
  expect(await list.screen()).toContain(apiUrl);
  expect(await list.wrapped()).toEqual([]);
  expect(list.raw()).not.toMatch(/ at .*\.ts:\d/);
});

test('a command without a reachable token issuer names the issuer', async () => {
  const tokenUrl = `http://127.0.0.1:${await getPort()}/oauth2/token`;
  const { roomscribe } = await person({ ...environmentOf(organization()), ROOMSCRIBE_TOKEN_URL: tokenUrl });
  const list = roomscribe(['transcriptions', 'list']);
  expect(await list.exitCode).toBe(7);
  expect(await list.screen()).toContain(tokenUrl.slice(0, 'http://127.0.0.1:12345'.length));
});

test('a command with an expired token says to replace the token', async () => {
  const acme = organization();
  const expired = await signedToken(acme, { claims: { exp: Math.floor(Date.now() / 1000) - 1 } });
  const { bash, roomscribe } = await person({ TOKEN: expired });
  const login = bash(`echo $TOKEN | roomscribe login --api-url ${endpoints.apiUrl} --token-stdin; echo "=> $?"`);
  await login.until(/=> 3/);
  expect(await login.screen()).toContain('It has expired, or it belongs to another');

  const environment = { ROOMSCRIBE_API_URL: endpoints.apiUrl, ROOMSCRIBE_TOKEN: expired };
  const list = roomscribe(['transcriptions', 'list'], { env: environment });
  expect(await list.exitCode).toBe(3);
  expect(await list.screen()).toContain('Set another ROOMSCRIBE_TOKEN.');
  for (const { raw } of [login, list]) expect(raw()).not.toContain(expired);
});

test('a command with an expired token of a profile says how to log in again', async () => {
  const expired = await signedToken(organization(), { claims: { exp: Math.floor(Date.now() / 1000) - 1 } });
  const { roomscribe, env } = await person();
  await mkdir(env.ROOMSCRIBE_CONFIG_DIR, { recursive: true });
  await writeFile(
    path.join(env.ROOMSCRIBE_CONFIG_DIR, 'profiles.json'),
    JSON.stringify({ current: 'prod', profiles: { prod: { apiUrl: endpoints.apiUrl, token: expired } } }),
  );
  const list = roomscribe(['transcriptions', 'list']);
  expect(await list.exitCode).toBe(3);
  expect(await list.screen()).toContain('Run: roomscribe login --profile prod --token-stdin');
});

test('a command shows and then erases a message while it waits for a busy service', async () => {
  let calls = 0;
  const apiUrl = await serveInTest((_, response) => {
    const isBusy = ++calls === 1;
    const headers = { 'content-type': 'application/json', 'retry-after': '1' };
    response.writeHead(isBusy ? 503 : 200, headers).end(JSON.stringify(isBusy ? {} : { results: [], cursor: null }));
  });
  const { roomscribe } = await person({
    ROOMSCRIBE_API_URL: apiUrl,
    ROOMSCRIBE_TOKEN: 'x',
    ROOMSCRIBE_MAX_RETRIES: '1',
  });
  const list = roomscribe(['rooms']);
  expect(await list.exitCode).toBe(0);
  expect(list.raw()).toMatch(/The service is busy, trying again in [12] s/);
  expect(await list.screen()).toBe('No rooms.');
});

test('the error for an unknown profile lists the known ones', async () => {
  const { roomscribe, env } = await person();
  const account = { apiUrl: endpoints.apiUrl, token: 'x' };
  await mkdir(env.ROOMSCRIBE_CONFIG_DIR, { recursive: true });
  await writeFile(
    path.join(env.ROOMSCRIBE_CONFIG_DIR, 'profiles.json'),
    JSON.stringify({ current: 'prod', profiles: { prod: account, dev: account } }),
  );
  const list = roomscribe(['transcriptions', 'list', '--profile', 'staging']);
  expect(await list.exitCode).toBe(3);
  expect(await list.screen()).toMatch(/^There is no profile "staging"\.\nKnown profiles: prod, dev\. /);
});

test('a usage error is one line with a hint', async () => {
  const { roomscribe } = await person(environmentOf(organization()));
  for (const [args, said] of [
    [['transcriptons', 'list'], /Did you mean transcriptions/],
    [['transcriptions', 'list', '--limt', '3'], /Did you mean --limit/],
    [['transcriptions', 'list', '--state', 'done'], /Allowed choices are/],
    [['transcriptions', 'get'], /transcription-id/],
  ] as const) {
    const terminal = roomscribe(args);
    expect(await terminal.exitCode, args.join(' ')).toBe(2);
    expect(await terminal.screen()).toMatch(said);
    expect((await terminal.screen()).split('\n').length).toBeLessThanOrEqual(3);
  }
});

test('a long list of choices breaks between words', async () => {
  const { roomscribe } = await person();
  const rooms = roomscribe(['rooms', '--sort-by', 'size']);
  expect(await rooms.exitCode).toBe(2);
  expect(await rooms.screen()).toMatch(/Allowed choices are/);
  expect(await rooms.wrapped()).toEqual([]);
});
