import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunnerOptions } from '#tools/local/runner-context.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { UserError } from '#tools/shared/user-error.ts';

const program = fileURLToPath(new URL('runner-process.ts', import.meta.url));

/** What a benchmark changes in the local runner. */
export type BenchOptions = Pick<RunnerOptions, 'dynamodbUrl' | 'context'>;

/**
 * Starts a local runner with free ports and an empty data directory, runs `work`, then stops and deletes it. `memoryMb` returns the
 * resident memory of its process.
 */
export async function withLocalRunner<Result>(
  work: (endpoints: Endpoints, memoryMb: () => Promise<number>) => Promise<Result>,
  options: BenchOptions = {},
): Promise<Result> {
  const dataDir = await mkdtemp(path.join(await stateFolder(), 'roomscribe-bench-'));
  const runner = fork(program, [dataDir, JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const interrupt = () => void end(runner).then(() => process.exit(1));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await work(await endpointsOf(runner), () => memoryOf(runner));
  } finally {
    await end(runner);
    for (const signal of signals) process.off(signal, interrupt);
  }
}

const memory = '/dev/shm';
const bytesNeeded = 4e9; // more than any benchmark takes

/** A folder in memory if there is enough, so that the disk does not affect the results. */
export async function stateFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize > bytesNeeded ? memory : tmpdir();
  } catch {
    return tmpdir(); // not on Linux
  }
}

async function endpointsOf(runner: ChildProcess): Promise<Endpoints> {
  const ended = once(runner, 'exit').then(() => {
    throw new UserError('The local runner did not start. See its error above.');
  });
  const [endpoints] = await Promise.race([once(runner, 'message'), ended]);
  ended.catch(() => {}); // the process exits later, at the end of the benchmark
  return endpoints as Endpoints;
}

async function memoryOf(runner: ChildProcess): Promise<number> {
  runner.send('memory');
  const [bytes] = await once(runner, 'message');
  return Math.round(bytes / 2 ** 20);
}

async function end(runner: ChildProcess): Promise<void> {
  if (runner.exitCode !== null || runner.signalCode !== null) return;
  const ended = once(runner, 'exit');
  if (runner.connected) runner.disconnect();
  await ended;
}
