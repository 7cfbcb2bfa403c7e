import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine, commandLineOf, environmentOf, loginOptions } from '../../support/client/command-line.ts';
import { signedToken } from '../../support/http/signed-tokens.ts';
import { serveInTest } from '../../support/http/test-server.ts';
import { endpoints, organization, token } from '../../support/machine.ts';

/** Starts an issuer that records token requests. Its tokens come from the local runner. */
async function countingIssuer(organizationId: string) {
  const requests: string[] = [];
  const url = await serveInTest(async (request, response) => {
    requests.push(await text(request));
    const body = { access_token: await token(organizationId), token_type: 'Bearer', expires_in: 3600 };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  return {
    requests,
    asked: () => requests.length,
    tokenUrl: `${url}/token`,
  };
}

async function loggedIn() {
  const acme = organization();
  const issuer = await countingIssuer(acme);
  const user = await commandLine();
  const options = [...loginOptions(acme), '--token-url', issuer.tokenUrl, '--client-secret-stdin'];
  await user.runProcess(['login', ...options], { stdin: 'local' });
  const tokenFile = async () => path.join(user.tokensFolder, (await readdir(user.tokensFolder))[0] ?? '');
  return { ...user, acme, options, asked: issuer.asked, tokenFile };
}

test('invocations share one token', async () => {
  const { runProcess: run, asked } = await loggedIn();
  for (const args of [['rooms'], ['transcriptions', 'list'], ['rooms']]) await run(args);
  expect(asked()).toBe(1);
});

test('token requests contain the scope, at login and later, if one is set', async () => {
  const acme = organization();
  const { requests, tokenUrl } = await countingIssuer(acme);
  const { runProcess: run, tokensFolder } = await commandLine();
  const options = [...loginOptions(acme), '--token-url', tokenUrl, '--scope', 'a b', '--client-secret-stdin'];
  await run(['login', ...options], { stdin: 'local' });
  await rm(tokensFolder, { recursive: true });
  await run(['rooms']);
  await run(['rooms'], { env: { ...environmentOf(acme), ROOMSCRIBE_TOKEN_URL: tokenUrl, ROOMSCRIBE_SCOPE: 'c' } });
  expect(requests.map((body) => new URLSearchParams(body).get('scope'))).toEqual(['a b', 'a b', 'c']);
});

test('invocations with a client from the environment share one token', async () => {
  const acme = organization();
  const { asked, tokenUrl } = await countingIssuer(acme);
  const { runProcess: run } = await commandLineOf(acme);
  const env = { ROOMSCRIBE_TOKEN_URL: tokenUrl };
  expect(await run(['rooms'], { env })).toMatchObject({ code: 0 });
  expect(await run(['rooms'], { env })).toMatchObject({ code: 0 });
  expect(asked()).toBe(1);
});

test.each([
  ['is rejected', async (acme: string) => `${await signedToken(acme, { claims: { exp: 1 } })}`, Date.now() + 600_000],
  ['is to be renewed', async () => 'not-looked-at', Date.now() - 1],
])('a cached token that %s is replaced without a message', async (_, make, renewAt) => {
  const { runProcess: run, asked, acme, tokenFile } = await loggedIn();
  const file = await tokenFile();
  await writeFile(file, JSON.stringify({ accessToken: await make(acme), renewAt }));

  expect(await run(['rooms'])).toEqual({ code: 0, stdout: '', stderr: 'No rooms.\n' });

  expect(asked()).toBe(2);
  expect(JSON.parse(await readFile(file, 'utf8')).accessToken).toBe(await token(acme));
});

test('a profile with a changed client does not use the token of the previous one', async () => {
  const { runProcess: run, tokensFolder } = await loggedIn();
  const other = organization();
  const issuer = await countingIssuer(other);
  const options = [...loginOptions(other), '--token-url', issuer.tokenUrl, '--client-secret-stdin'];
  await run(['login', ...options], { stdin: 'local' });
  expect(await run(['rooms'])).toMatchObject({ code: 0 });
  expect(issuer.asked()).toBe(1);
  expect(await readdir(tokensFolder)).toHaveLength(2);
});

test.each(['', '{', '[]', 'null', '{"accessToken":1}'])('a cache that contains %j is ignored', async (content) => {
  const { runProcess: run, asked, tokenFile } = await loggedIn();
  await writeFile(await tokenFile(), content);
  expect(await run(['rooms'])).toMatchObject({ code: 0 });
  expect(asked()).toBe(2);
});

test('a command ends with a message if ROOMSCRIBE_CACHE_DIR cannot be written', async () => {
  const { run, folder } = await commandLineOf(organization());
  await mkdir(path.join(folder, 'cache'), { recursive: true });
  await writeFile(path.join(folder, 'cache', 'tokens'), 'a file where the folder would be');
  const { code, stdout, stderr } = await run(['rooms']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `The token cannot be stored in ROOMSCRIBE_CACHE_DIR, ${folder}/cache (EEXIST).\nMake the folder writable, or set ROOMSCRIBE_CACHE_DIR to another folder.\n`,
  );
});

test('a command and a login end with a message if their folders would be below /proc', async () => {
  const { begin } = await commandLineOf(organization());
  const login = ['login', '--token-url', endpoints.tokenUrl, '--client-id', organization(), '--client-secret-stdin'];
  const [rooms, profile] = [
    begin(['rooms'], { env: { ROOMSCRIBE_CACHE_DIR: '/proc/x/y' } }),
    begin(login, { env: { ROOMSCRIBE_CONFIG_DIR: '/proc/x/y' }, stdin: 'local' }),
  ];
  for (const { child } of [rooms, profile]) onTestFinished(() => void child.kill('SIGKILL'));
  expect(await rooms.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The token cannot be stored in ROOMSCRIBE_CACHE_DIR, /proc/x/y ('),
  });
  expect(await profile.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/proc/x/y/profiles.json cannot be written ('),
  });
}, 20_000);

test('a command succeeds if the default cache cannot be written', async () => {
  const { runProcess, folder } = await commandLineOf(organization());
  await writeFile(path.join(folder, 'file'), 'a file where the folder would be');
  const env = { ROOMSCRIBE_CACHE_DIR: '', XDG_CACHE_HOME: path.join(folder, 'file') };
  expect(await runProcess(['rooms'], { env })).toEqual({ code: 0, stdout: '', stderr: 'No rooms.\n' });
});
