import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { commandLine, environmentOf, loginOptions } from '../../support/client/command-line.ts';
import { listedSessions } from '../../support/http/listing.ts';
import { endpoints, organization } from '../../support/machine.ts';

async function loggedIn(...names: readonly string[]) {
  const user = await commandLine();
  const organizations = names.map(organization);
  for (const [index, name] of names.entries()) {
    const options = loginOptions(organizations[index] ?? '');
    await user.run(['login', '--profile', name, ...options, '--client-secret-stdin'], { stdin: 'local' });
  }
  return { ...user, organizations };
}

test('the first login becomes the current profile until another one is selected', async () => {
  const { run, organizations } = await loggedIn('dev', 'prod');
  const [dev, prod] = organizations;
  const list = async () => JSON.parse((await run(['profiles', '--json'])).stdout);
  const { apiUrl, tokenUrl } = endpoints;

  expect(await list()).toEqual([
    { name: 'dev', isCurrent: true, apiUrl, tokenUrl, clientId: dev },
    { name: 'prod', isCurrent: false, apiUrl, tokenUrl, clientId: prod },
  ]);
  expect(await run(['profiles', 'use', 'prod'])).toMatchObject({ code: 0, stdout: '' });
  expect((await list()).map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([false, true]);
  expect((await run(['profiles', 'list'])).stdout).toMatch(/^PROFILE .*\ndev .*\nprod +yes .*\n$/);
});

test('--profile and then ROOMSCRIBE_PROFILE override the current profile', async () => {
  const { runProcess: run, organizations } = await loggedIn('dev', 'prod');
  await listedSessions(organizations[1] ?? '', [{ roomName: '/of-prod' }]);
  const list = async (args: string[], env = {}) => (await run(['transcriptions', 'list', ...args], { env })).stdout;

  expect(await list([])).toBe('');
  expect(await list(['--profile', 'prod'])).toContain('/of-prod');
  expect(await list([], { ROOMSCRIBE_PROFILE: 'prod' })).toContain('/of-prod');
  expect(await list(['--profile', 'dev'], { ROOMSCRIBE_PROFILE: 'prod' })).toBe('');
});

test('the environment overrides profiles, except one named on the command line', async () => {
  const { runProcess: run, organizations } = await loggedIn('dev', 'prod');
  const third = organization();
  await listedSessions(organizations[1] ?? '', [{ roomName: '/of-prod' }]);
  const env = { ...environmentOf(third), ROOMSCRIBE_PROFILE: 'prod' };

  expect((await run(['transcriptions', 'list'], { env })).stdout).toBe('');
  expect((await run(['transcriptions', 'list', '--profile', 'prod'], { env })).stdout).toContain('/of-prod');
});

test('the error for an unknown profile lists the known ones', async () => {
  const { run } = await loggedIn('dev');
  const expected = {
    code: 3,
    stderr: 'There is no profile "prd".\nKnown profiles: dev. Run: roomscribe login --profile prd\n',
  };
  expect(await run(['rooms', '--profile', 'prd'])).toMatchObject(expected);
  expect(await run(['profiles', 'use', 'prd'])).toMatchObject(expected);
  expect(await run(['logout', '--profile', '__proto__'])).toMatchObject({ code: 3 });
});

test('logout removes only one profile with its secret and its token', async () => {
  const { run, profilesFile, tokensFolder, organizations } = await loggedIn('dev', 'dev-2');

  expect(await run(['logout'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'The profile "dev" was deleted.\nTo use another profile, run: roomscribe profiles use dev-2\n',
  });

  expect(await readdir(tokensFolder)).toEqual([expect.stringMatching(/^profile\.dev-2\.[0-9a-f]+\.json$/)]);
  expect(await readFile(profilesFile, 'utf8')).not.toContain(organizations[0]);
  expect(await run(['rooms'])).toMatchObject({
    code: 3,
    stderr: 'There is no current profile.\nRun: roomscribe profiles use dev-2\n',
  });
  expect(await run(['rooms', '--profile', 'dev-2'])).toMatchObject({ code: 0 });
});

test('a command without a profile says how to create one', async () => {
  const { run } = await commandLine();
  expect(await run(['rooms'])).toMatchObject({ code: 3, stderr: 'You are not logged in.\nRun: roomscribe login\n' });
  expect(await run(['profiles'])).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('login') });
  expect(await run(['rooms'], { env: { ROOMSCRIBE_API_URL: endpoints.apiUrl } })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('ROOMSCRIBE_CLIENT_SECRET'),
  });
});
