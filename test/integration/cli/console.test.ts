import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine, commandLineOf, environmentOf } from '../../support/client/command-line.ts';
import { type RawRequest, rawRequest } from '../../support/http/raw-request.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { organization } from '../../support/machine.ts';

type User = Awaited<ReturnType<typeof commandLine>>;

/** Starts the program and waits for the link that it prints. */
async function startConsole({ begin }: Pick<User, 'begin'>, args: readonly string[] = [], env = {}) {
  const { child, ended } = begin(['console', ...args], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  await Promise.race([once(child.stdout, 'data'), ended]);
  const { port, pathname, search } = new URL(/http:\S+[^\s"}]/.exec(printed)?.[0] ?? (await ended).stderr);
  const said: string[] = [];
  const ask = async (asked: string, request?: RawRequest) => {
    const answer = await rawRequest(port, asked, request);
    said.push(JSON.stringify(answer.headers), answer.body);
    return answer;
  };
  const enter = async () => {
    const { status, headers } = await ask(`${pathname}${search}`);
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    return { status, headers, read: (asked: string, more = {}) => ask(asked, { headers: { cookie, ...more } }) };
  };
  return { child, ended, port, ask, enter, printed: () => printed, said: () => said.join('\n') };
}

/** The tokens that the command line has stored. */
async function tokensOf({ tokensFolder }: User): Promise<string[]> {
  const files = await readdir(tokensFolder);
  return Promise.all(
    files.map(async (file) => JSON.parse(await readFile(path.join(tokensFolder, file), 'utf8')).accessToken),
  );
}

test('console serves the page and the API to one browser, which never gets the token, and ends at Ctrl-C', async () => {
  const acme = organization();
  const session = liveSession(acme);
  const location = await keepTranscript(session.key('notes.txt'), 'Hello.');
  await sendToRoomEvents([session.finished({ storageType: 'SERVICE_HOSTED', location })]);
  await known(acme, session.path, 'ready');
  const user = await commandLineOf(acme);
  const started = await startConsole(user, ['--path', '/usage?by=day']);
  expect(started.printed()).toMatch(
    new RegExp(`^Open http://127\\.0\\.0\\.1:${started.port}/console/enter\\?key=[\\w-]{43}\n$`),
  );

  const { status, headers, read } = await started.enter();
  expect([status, headers.location]).toEqual([303, '/console/usage?by=day']);

  const page = await read('/console/usage?by=day');
  expect(page.headers['content-security-policy']).toContain("; connect-src 'self'; media-src 'self'; ");
  const scripts = [...page.body.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(scripts.some((file) => file.endsWith('.js'))).toBe(true);
  for (const file of scripts) expect((await read(file)).status).toBe(200);
  expect(JSON.parse((await read('/console/config.json')).body)).toEqual({
    signIn: 'session',
    deployment: new URL(environmentOf(acme).ROOMSCRIBE_API_URL ?? '').host,
  });

  const listed = JSON.parse((await read('/v1/transcriptions', { authorization: 'Bearer session' })).body);
  expect(listed.results).toMatchObject([{ transcriptionId: session.transcriptionId }]);
  const pathOfLink = async (seconds: number) => {
    const link = `/v1/transcriptions/${session.transcriptionId}/access-link?validForSeconds=${seconds}`;
    const { accessLink } = JSON.parse((await read(link)).body);
    expect(accessLink).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${started.port}/files/[\\w-]{43}$`));
    return new URL(accessLink).pathname;
  };
  const pathname = await pathOfLink(60);
  expect(await read(pathname)).toMatchObject({ status: 200, body: 'Hello.' });
  expect(await read(pathname, { range: 'bytes=1-2' })).toMatchObject({ status: 206, body: 'el' });
  expect((await started.ask(pathname)).status).toBe(401);
  // A link of the API redirects to S3. The console asks for none, and no redirect is followed.
  expect((await read(await pathOfLink(43_200))).status).toBe(502);

  const tokens = await tokensOf(user);
  expect(tokens).toHaveLength(1);
  for (const token of tokens) expect(started.said().includes(token)).toBe(false);
  started.child.kill('SIGINT');
  const { code, stderr } = await started.ended;
  expect([code, stderr]).toEqual([0, 'The link works once, in one browser. End with Ctrl-C.\n']);
  await expect(started.ask('/console/')).rejects.toThrow(/ECONNREFUSED/);
});

test('console uses the profile and the port that it is given, and shows the name of the profile', async () => {
  const user = await commandLine();
  const { ROOMSCRIBE_API_URL: apiUrl = '', ROOMSCRIBE_TOKEN_URL: tokenUrl = '' } = environmentOf('acme');
  const login = ['login', '--profile', 'dev', '--api-url', apiUrl, '--token-url', tokenUrl, '--client-id', 'acme'];
  expect(await user.run([...login, '--client-secret-stdin'], { stdin: 'local' })).toMatchObject({ code: 0 });
  const port = String(await getPort());

  const started = await startConsole(user, ['--profile', 'dev', '--port', port, '--json']);

  expect(JSON.parse(started.printed())).toEqual({ link: expect.stringContaining(`http://127.0.0.1:${port}/console/`) });
  const { read } = await started.enter();
  expect(JSON.parse((await read('/console/config.json')).body)).toEqual({ signIn: 'session', deployment: 'dev' });
  expect((await read('/v1/insights/rooms')).status).toBe(200);
  const second = await user.runProcess(['console', '--profile', 'dev', '--port', port]);
  expect([second.code, second.stderr]).toEqual([2, `Port ${port} is in use.\nLeave --port out to use a free one.\n`]);
  started.child.kill('SIGTERM');
  expect(await started.ended).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  [['--port', '0'], '--port must be a number greater than 0, not "0".'],
  [['--port', '65536'], '--port must be a whole number from 1 to 65535, not "65536".'],
  [['--path', 'rooms'], '--path must be the address of a view such as /rooms, encoded as in a browser, not "rooms".'],
  [['--path', '/../v1/a'], '--path must be the address of a view such as /rooms, .*, not "/../v1/a".'],
  [['--path', '/a\nb'], '--path must be the address of a view such as /rooms, .*'],
])('console refuses %j', async (args, message) => {
  const { runProcess } = await commandLineOf(organization());
  const { code, stderr } = await runProcess(['console', ...args]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^${message}\n`, 's'))]);
});

test('console fails before it prints a link if the account is refused', async () => {
  const { runProcess } = await commandLineOf(organization());
  const { code, stdout, stderr } = await runProcess(['console'], { env: { ROOMSCRIBE_CLIENT_SECRET: 'wrong' } });
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/issued no token to the client .*\nCheck ROOMSCRIBE_TOKEN_URL/);
  expect(await (await commandLine()).runProcess(['console'])).toMatchObject({
    code: 3,
    stderr: 'You are not logged in.\nRun: roomscribe login\n',
  });
});

test('console from the source says how to build the page', async () => {
  const { run } = await commandLineOf(organization());
  const { code, stderr } = await run(['console']);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The page of the console is not in .*npm run build/s)]);
});
