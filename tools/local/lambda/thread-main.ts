import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { faultOf, type Invocation, type ThreadData, type ThreadMessage } from './protocol.ts';
import { redirectHttps } from './redirect-https.ts';

// Runs in the thread of a function: loads the bundle, then handles one invocation at a time.
//
// A thread with the variable NODE_COMPILE_CACHE takes its compiled code from this folder, which halves the processor time of
// its start. The first thread writes the code after its first invocation, when V8 has compiled what an invocation needs.

delete process.env.NODE_COMPILE_CACHE; // Lambda has no such variable

type Handler = (event: unknown, context: unknown) => unknown;

const post = (message: ThreadMessage): void => parentPort?.postMessage(message);

async function load({ codeFolder, handler, redirects }: ThreadData): Promise<Handler> {
  if (redirects) redirectHttps(redirects);
  const [file = '', exportName = ''] = [handler.slice(0, handler.lastIndexOf('.')), handler.split('.').at(-1)];
  const files = ['.js', '.mjs', '.cjs'].map((extension) => path.join(codeFolder, `${file}${extension}`));
  const found = files.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`Cannot find module '${file}'`);
  const module: { readonly [name: string]: unknown; readonly default?: { readonly [name: string]: unknown } } =
    await import(pathToFileURL(found).href);
  const loaded = module[exportName] ?? module.default?.[exportName];
  if (typeof loaded !== 'function') throw new Error(`${handler} is undefined or not exported`);
  return loaded as Handler; // like Lambda, calls any function with this export name
}

async function handle(handler: Handler, { event, deadlineMs, context }: Invocation): Promise<void> {
  let returned: unknown;
  try {
    const getRemainingTimeInMillis = () => Math.max(0, deadlineMs - Date.now());
    returned = await handler(JSON.parse(event), {
      ...context,
      callbackWaitsForEmptyEventLoop: true,
      getRemainingTimeInMillis,
    });
  } catch (thrown) {
    post({ kind: 'threw', fault: faultOf(thrown) });
    return;
  }
  try {
    post({ kind: 'returned', payload: JSON.stringify(returned) ?? 'null' });
  } catch (thrown) {
    post({ kind: 'threw', fault: faultOf(thrown, 'Runtime.MarshalError') });
  }
}

try {
  const handler = await load(workerData as ThreadData);
  let isFirst = true;
  parentPort?.on('message', async (invocation: Invocation) => {
    await handle(handler, invocation);
    if (isFirst) flushCompileCache();
    isFirst = false;
  });
  post({ kind: 'loaded' });
} catch (thrown) {
  post({ kind: 'notLoaded', fault: faultOf(thrown) });
}
