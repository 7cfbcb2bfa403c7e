import type { RequestListener } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { runCommandLine } from '#client/cli/run.ts';
import { serveInTest } from '../http/test-server.ts';

/** A request that an API of a test got. */
export type Asked = { readonly method: string | undefined; readonly path: string; readonly body: unknown };

/** Starts an API that answers each request with a status and a body. Returns the environment of its clients, and what it was asked. */
export async function apiOf(answer: (asked: Asked) => readonly [status: number, body?: unknown]) {
  const asked: Asked[] = [];
  const listener: RequestListener = async (request, response) => {
    const hasBody = request.method === 'POST' || request.method === 'PATCH';
    const body = hasBody && request.headers['content-type'] ? await json(request) : undefined;
    asked.push({ method: request.method, path: request.url ?? '', body });
    const [status, answered] = answer(asked.at(-1) as Asked);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(answered === undefined ? '' : JSON.stringify(answered));
  };
  return { env: { ROOMSCRIBE_API_URL: await serveInTest(listener), ROOMSCRIBE_TOKEN: 'a-token' }, asked };
}

type Given = { readonly env: Readonly<Record<string, string>>; readonly signal?: AbortSignal };

/** Runs the source of the command line without a process, a machine or a terminal. `printed` returns what it has printed so far. */
export function begin(args: readonly string[], { env, signal = new AbortController().signal }: Given) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  stdout.on('data', (chunk) => lines.push(String(chunk)));
  const printed = Promise.all([text(stdout), text(stderr)]);
  const io = { stdin: Readable.from(['']), stdout, stderr } as object as typeof process;
  const run = async () => {
    const code = await runCommandLine(args, { ...io, env: { ROOMSCRIBE_MAX_RETRIES: '0', ...env }, signal });
    stdout.end();
    stderr.end();
    const [out, error] = await printed;
    return { code, stdout: out, stderr: error };
  };
  return { ended: run(), printed: () => lines.join('') };
}
