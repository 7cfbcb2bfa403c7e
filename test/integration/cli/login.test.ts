import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';
import { describe, expect, test } from 'vitest';
import { commandLine, environmentOf, loginOptions } from '../../support/client/command-line.ts';
import { signedToken } from '../../support/http/signed-tokens.ts';
import { endpoints, organization, token } from '../../support/machine.ts';

const secret = { stdin: 'local\n' };
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

describe('login', () => {
  test('stores a valid profile, readable only by this user, and says where', async () => {
    const acme = organization();
    const { run, profilesFile, tokensFolder } = await commandLine();

    const login = await run(['login', ...loginOptions(acme), '--client-secret-stdin'], secret);

    expect(login).toMatchObject({ code: 0, stdout: '' });
    expect(login.stderr).toBe(`Logged in. The profile "default" is saved in ${profilesFile}.\n`);
    expect(await run(['transcriptions', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'No transcriptions.\n' });
    const [tokenFile = ''] = await readdir(tokensFolder);
    const files = [profilesFile, path.join(tokensFolder, tokenFile)];
    expect(await Promise.all(files.map(modeOf))).toEqual(['600', '600']);
    expect(await Promise.all([path.dirname(profilesFile), tokensFolder].map(modeOf))).toEqual(['700', '700']);
  });

  test('reads all values from the environment, and accepts any profile name', async () => {
    const acme = organization();
    const { runProcess, profilesFile } = await commandLine();

    const login = await runProcess(['login', '--profile', 'ci_2-A'], { env: environmentOf(acme) });

    expect(login.code).toBe(0);
    const { current, profiles } = JSON.parse(await readFile(profilesFile, 'utf8'));
    expect([current, Object.keys(profiles)]).toEqual(['ci_2-A', ['ci_2-A']]);
  });

  test('stores a token in place of a client', async () => {
    const { run } = await commandLine();
    const stdin = await token(organization());

    expect(await run(['login', '--api-url', endpoints.apiUrl, '--token-stdin'], { stdin })).toMatchObject({ code: 0 });

    expect(await run(['rooms'])).toMatchObject({ code: 0, stderr: 'No rooms.\n' });
  });

  test('stores nothing if the issuer rejects the secret, and does not print the secret', async () => {
    const acme = organization();
    const { run, profilesFile } = await commandLine();

    const login = await run(['login', ...loginOptions(acme), '--client-secret-stdin'], { stdin: 'no-such-secret' });

    expect(login).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(`the client "${acme}"`) });
    expect(login.stderr).not.toContain('no-such-secret');
    await expect(stat(profilesFile)).rejects.toThrow('ENOENT');
  });

  test('verifies the secret even if a token is cached', async () => {
    const options = loginOptions(organization());
    const { run } = await commandLine();
    await run(['login', ...options, '--client-secret-stdin'], secret);

    expect(await run(['login', ...options, '--client-secret-stdin'], { stdin: 'wrong' })).toMatchObject({ code: 3 });

    expect(await run(['rooms'])).toMatchObject({ code: 0 });
  });

  test.each([
    [
      'of another server',
      () => `${endpoints.apiUrl}/elsewhere`,
      1,
      /^The server at the API URL is not this API \(404\)\.\nNothing was saved\. Check your values/,
    ],
    ['without TLS', () => 'http://roomscribe.example', 2, /^--api-url must be an https URL/],
    ['that is not a URL', () => 'roomscribe', 2, /^--api-url must be an https URL/],
    ['of an unreachable server', async () => `http://127.0.0.1:${await getPort()}`, 7, /could not be reached/],
  ])('rejects an API URL %s', async (_, url, code, message) => {
    const { run } = await commandLine();
    const options = [...loginOptions(organization()), '--api-url', await url(), '--client-secret-stdin'];
    expect(await run(['login', ...options], secret)).toMatchObject({ code, stderr: expect.stringMatching(message) });
  });

  test.each([
    ['--api-url, --token-url, --client-id and --client-secret-stdin are missing.\nWithout a terminal', ['login']],
    ['--client-id and --client-secret-stdin are missing.', ['login', ...loginOptions('acme').slice(0, 4)]],
    ['--api-url is missing.\nWithout a terminal, the command cannot ask for it.', ['login', '--token-stdin']],
    ['--client-id must be visible ASCII characters.', ['login', ...loginOptions('acme\u2013x')]],
    ['--client-secret-stdin is missing.', ['login', ...loginOptions('acme')]],
    [
      '--client-secret-stdin needs a value on stdin, but stdin is empty.',
      ['login', ...loginOptions('acme'), '--client-secret-stdin'],
    ],
    ['"../x" is not a valid profile name', ['login', '--profile', '../x']],
  ])('reports missing and invalid values: %s', async (message, args) => {
    const { run } = await commandLine();
    expect(await run(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('names the variable of an invalid address', async () => {
    const { runProcess } = await commandLine();
    const env = { ...environmentOf('acme'), ROOMSCRIBE_TOKEN_URL: 'http://issuer.example' };
    const login = await runProcess(['login'], { env });
    expect(login).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^ROOMSCRIBE_TOKEN_URL must be an https URL/),
    });
  });

  test('says how to replace an expired token', async () => {
    const { run, profilesFile } = await commandLine();
    const past = Math.floor(Date.now() / 1000) - 3600;
    const expired = await signedToken(organization(), { claims: { iat: past - 600, exp: past } });
    const profiles = { dev: { apiUrl: endpoints.apiUrl, token: expired } };
    await mkdir(path.dirname(profilesFile), { recursive: true });
    await writeFile(profilesFile, JSON.stringify({ current: 'dev', profiles }));

    const { code, stderr } = await run(['rooms']);

    expect(code).toBe(3);
    expect(stderr).toBe(
      'The service refused the token. It has expired, or it belongs to another service.\nRun: roomscribe login --profile dev --token-stdin\n',
    );
  });
});

describe('the profiles file', () => {
  test.each([
    '{ "profiles": { "a": { "clientSecret": hush-hush } } }',
    '{ "profiles": { "a": { "clientSecret": "hush-hush",',
    '{ "profiles": { "a": { "clientSecret": "hush-hush" } } }',
    '[]',
    'null',
  ])('is named and not printed if it is invalid: %s', async (content) => {
    const { run, profilesFile } = await commandLine();
    await mkdir(path.dirname(profilesFile), { recursive: true });
    await writeFile(profilesFile, content);

    const { code, stdout, stderr } = await run(['rooms'], { env: { ROOMSCRIBE_DEBUG: '1' } });

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${profilesFile} cannot be read as profiles`);
    expect(stderr).not.toContain('hush');
    const login = await run(['login', ...loginOptions(organization()), '--client-secret-stdin'], secret);
    expect([login.code, await readFile(profilesFile, 'utf8')]).toEqual([1, content]);
  });

  test('is named if it cannot be written', async () => {
    const { run, profilesFile, folder } = await commandLine();
    await writeFile(path.join(folder, 'config'), 'a file where the folder would be');
    const login = await run(['login', ...loginOptions(organization()), '--client-secret-stdin'], secret);
    expect(login).toMatchObject({ code: 1, stderr: expect.stringContaining(profilesFile) });
  });

  test('keeps every profile of logins at the same time', async () => {
    const { run, profilesFile } = await commandLine();
    const names = Array.from({ length: 8 }, (_, index) => `profile-${index}`);
    const options = [...loginOptions(organization()), '--client-secret-stdin'];

    const logins = await Promise.all(names.map((name) => run(['login', '--profile', name, ...options], secret)));

    expect(logins.map(({ code }) => code)).toEqual(names.map(() => 0));
    const { profiles } = JSON.parse(await readFile(profilesFile, 'utf8'));
    expect(Object.keys(profiles).toSorted()).toEqual(names);
    expect(await readdir(path.dirname(profilesFile))).toEqual(['profiles.json']);
  });

  test('is written although a command died while it changed the file', async () => {
    const { run, profilesFile } = await commandLine();
    const lock = `${profilesFile}.lock`;
    await mkdir(lock, { recursive: true });
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(lock, longAgo, longAgo);
    const login = ['login', ...loginOptions(organization()), '--client-secret-stdin'];
    expect(await run(login, secret)).toMatchObject({ code: 0 });
  });

  test('becomes readable only by this user at the next write', async () => {
    const { run, profilesFile } = await commandLine();
    const login = ['login', ...loginOptions(organization()), '--client-secret-stdin'];
    await run(login, secret);
    await chmod(profilesFile, 0o644);
    await run(login, secret);
    expect(await modeOf(profilesFile)).toBe('600');
  });
});
