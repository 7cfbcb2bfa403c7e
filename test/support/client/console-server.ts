import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createLinks } from '#client/cli/commands/common/console/links.ts';
import { type ConsoleServerOptions, startConsoleServer } from '#client/cli/commands/common/console/server.ts';
import { tokensFrom } from '#client/tokens.ts';
import { readConsole } from '#console/serving/files.ts';
import { type RawRequest, rawRequest } from '../http/raw-request.ts';
import { serveInTest } from '../http/test-server.ts';

/** The folder of a built console with few files, for one test. */
async function builtFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-console-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['assets', '.vite']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, 'index.html'), 'the page');
  await writeFile(path.join(folder, 'assets/a.js'), 'the script');
  await writeFile(path.join(folder, '.vite/manifest.json'), 'the manifest');
  await writeFile(path.join(folder, 'odd.bin'), 'odd');
  return folder;
}

/** The token of the account. */
export const token = 'the-token-of-the-account';

/** A request that came to an API. */
export type AskedCall = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { readonly body: string };

/** Starts an API of the test. `asked` has the requests that came to it. */
export async function apiOf(answer: RequestListener) {
  const asked: AskedCall[] = [];
  const apiUrl = await serveInTest(async (request, response) => {
    const { method, url, headers } = request;
    asked.push({ method, url, headers, body: (await buffer(request)).toString('utf8') });
    answer(request, response);
  });
  return { apiUrl, asked };
}

/** Answers with JSON. */
export const json = (status: number, body: unknown): RequestListener => {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Starts the server of a console that ends with the test. */
export async function startConsole(given: Partial<ConsoleServerOptions & ConsoleServerOptions['upstream']> = {}) {
  const { apiUrl = 'http://127.0.0.1:1', tokens = tokensFrom(token), links = createLinks() } = given;
  const server = await startConsoleServer({
    port: 0,
    files: await readConsole(await builtFolder(), { media: ["'self'"] }),
    upstream: { apiUrl, tokens, links, remedy: 'Run: roomscribe login' },
    deployment: 'dev',
    view: '/rooms',
    idleMs: 60_000,
    ...given,
  });
  onTestFinished(() => server.stop());
  const { port, pathname, search } = new URL(server.link);
  const ask = (asked: string, request: RawRequest = {}) => rawRequest(port, asked, request);
  return { server, port, ask, enterPath: `${pathname}${search}` };
}

/** Starts the server of a console, and opens its link. `ask` sends the cookie. */
export async function openConsole(given: Parameters<typeof startConsole>[0] = {}) {
  const started = await startConsole(given);
  const entered = await started.ask(started.enterPath);
  const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const ask = (asked: string, { headers = {}, ...request }: RawRequest = {}) =>
    started.ask(asked, { ...request, headers: { cookie, ...headers } });
  return { ...started, ask, cookie };
}
