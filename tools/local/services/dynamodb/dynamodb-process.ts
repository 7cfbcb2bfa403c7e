import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import { host } from '#tools/local/ports.ts';
import { errorMessage } from '#tools/shared/error-details.ts';
import { UserError } from '#tools/shared/user-error.ts';

/** A running DynamoDB (Dynoxide). */
export type DynamoDbProcess = { readonly url: string; readonly port: number; readonly stop: () => Promise<void> };

const attempts = 3;
const startLimitMs = 5000;

/** Starts Dynoxide and waits until it answers. Takes another port if `port` is no longer free. */
export async function startDynamoDb(folder: string, port: number): Promise<DynamoDbProcess> {
  const binary = findBinary();
  let problem: unknown;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const candidate = attempt === 0 ? port : await getPort({ host });
    try {
      return await startOn(binary, folder, candidate);
    } catch (error) {
      problem = error;
    }
  }
  throw new UserError(
    `DynamoDB (Dynoxide) does not start: ${errorMessage(problem)}. Try --fresh, or use another DynamoDB with --dynamodb-url.`,
    { cause: problem },
  );
}

function findBinary(): string {
  const packageName = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`)), 'dynoxide');
  } catch (error) {
    throw new UserError(
      `The package ${packageName}, the local DynamoDB, is not installed. On Linux x64, run npm ci. ` +
        'On other systems, start DynamoDB Local and pass its address with --dynamodb-url.',
      { cause: error },
    );
  }
}

async function startOn(binary: string, folder: string, port: number): Promise<DynamoDbProcess> {
  const args = ['serve', '--host', host, '--port', String(port), '--db-path', path.join(folder, 'dynamodb.db')];
  const [command, ...rest] = [...dieWithParent(), binary, ...args];
  // In its own process group, so that Ctrl-C reaches only the runner. The runner stops it last.
  const child = spawn(command ?? binary, rest, { stdio: ['ignore', 'ignore', 'pipe'], env: {}, detached: true });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = `${complaints}${text}`.slice(-500);
  });
  const url = `http://${host}:${port}`;
  try {
    await untilAnswering(child, url);
  } catch (error) {
    await kill(child);
    throw new Error(complaints.trim() || errorMessage(error), { cause: error });
  }
  return { url, port, stop: () => kill(child) };
}

/** The command prefix that makes the Linux kernel kill the process when this one ends, even if this one is killed. */
function dieWithParent(): string[] {
  const prefix = ['setpriv', '--pdeathsig', 'KILL'];
  const { stdout } = spawnSync('setpriv', ['--help'], { encoding: 'utf8' });
  return stdout?.includes('--pdeathsig') ? prefix : [];
}

async function untilAnswering(child: ChildProcess, url: string): Promise<void> {
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  child.on('exit', (code, signal) => {
    failure = new Error(`it ended at once (${signal ?? code})`);
  });
  const giveUpAt = Date.now() + startLimitMs;
  while (!(await answers(url))) {
    if (failure) throw failure;
    if (Date.now() > giveUpAt) throw new Error('it does not answer');
    await delay(20);
  }
  // Another program may have answered on this port.
  await delay(20);
  if (failure) throw failure;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) });
    return (await response.text()).includes('dynamodb');
  } catch {
    return false; // not listening yet
  }
}

/** Throws a UserError unless a server answers at the address given with --dynamodb-url. */
export async function requireDynamoDb(url: string): Promise<void> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(5000) });
  } catch (error) {
    throw new UserError(`No DynamoDB answers at ${url}. Start it, or omit --dynamodb-url.`, { cause: error });
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 1000);
  await ended;
  clearTimeout(timer);
}
