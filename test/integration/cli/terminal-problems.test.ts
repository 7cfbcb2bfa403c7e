import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';
import { expect, test } from 'vitest';
import { environmentOf } from '../../support/command-line.ts';
import { endpoints, organization } from '../../support/machine.ts';
import { person } from '../../support/terminal.ts';

test('without a network it says where nothing answers, and to try again later', async () => {
  const apiUrl = `http://127.0.0.1:${await getPort()}`;
  const { roomscribe } = await person({ ROOMSCRIBE_API_URL: apiUrl, ROOMSCRIBE_TOKEN: 'x' });
  const list = roomscribe(['transcriptions', 'list']);
  expect(await list.exitCode).toBe(7);
  expect(await list.screen()).toContain(apiUrl);
  expect(await list.wrapped()).toEqual([]);
  expect(list.raw()).not.toMatch(/ at .*\.ts:\d/);
});

test('without a token issuer, too', async () => {
  const tokenUrl = `http://127.0.0.1:${await getPort()}/oauth2/token`;
  const { roomscribe } = await person({ ...environmentOf(organization()), ROOMSCRIBE_TOKEN_URL: tokenUrl });
  const list = roomscribe(['transcriptions', 'list']);
  expect(await list.exitCode).toBe(7);
  expect(await list.screen()).toContain(tokenUrl.slice(0, 'http://127.0.0.1:12345'.length));
});

test('a token that is no longer taken is to be replaced', async () => {
  const { ROOMSCRIBE_API_URL } = environmentOf(organization());
  const { bash } = await person();
  const login = `echo old.token.x | roomscribe login --api-url ${ROOMSCRIBE_API_URL} --token-stdin; echo "=> $?"`;
  const refused = bash(login);
  await refused.until(/=> 3/);
  expect(await refused.screen()).toContain('it has expired, or is not of this service');

  const { roomscribe } = await person({ ROOMSCRIBE_API_URL: endpoints.apiUrl, ROOMSCRIBE_TOKEN: 'old.token.x' });
  const list = roomscribe(['transcriptions', 'list']);
  expect(await list.exitCode).toBe(3);
  expect(await list.screen()).toContain('Set another ROOMSCRIBE_TOKEN.');
  expect(list.raw()).not.toContain('old.token.x');
});

test('a profile that there is not is told with those that there are', async () => {
  const { roomscribe, env } = await person();
  const account = { apiUrl: endpoints.apiUrl, token: 'x' };
  await mkdir(env.ROOMSCRIBE_CONFIG_DIR, { recursive: true });
  await writeFile(
    path.join(env.ROOMSCRIBE_CONFIG_DIR, 'profiles.json'),
    JSON.stringify({ current: 'prod', profiles: { prod: account, dev: account } }),
  );
  const list = roomscribe(['transcriptions', 'list', '--profile', 'staging']);
  expect(await list.exitCode).toBe(3);
  expect(await list.screen()).toMatch(/^There is no profile "staging"\.\nThere is: prod, dev\. /);
});

test('wrong use is told in a line, with what to do', async () => {
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
