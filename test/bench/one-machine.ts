import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { UserError } from '#tools/shared/user-error.ts';

const program = fileURLToPath(new URL('machine-process.ts', import.meta.url));

/** Runs the whole service on free ports and an empty data directory while `work` lasts; nothing of it is left. */
export async function onOneMachine<Result>(work: (endpoints: Endpoints) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(path.join(await stateFolder(), 'roomscribe-bench-'));
  const machine = fork(program, [dataDir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const interrupt = () => void end(machine).then(() => process.exit(1));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await work(await endpointsOf(machine));
  } finally {
    await end(machine);
    for (const signal of signals) process.off(signal, interrupt);
  }
}

const memory = '/dev/shm';
const bytesNeeded = 8e9; // a million rooms take about half of it

/** In memory where there is enough: a disk that flushes every write is no part of what is measured. */
async function stateFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize > bytesNeeded ? memory : tmpdir();
  } catch {
    return tmpdir(); // not on Linux
  }
}

async function endpointsOf(machine: ChildProcess): Promise<Endpoints> {
  const ended = once(machine, 'exit').then(() => {
    throw new UserError('The service did not start; why stands above.');
  });
  const [endpoints] = await Promise.race([once(machine, 'message'), ended]);
  ended.catch(() => {}); // it ends one day
  return endpoints as Endpoints;
}

async function end(machine: ChildProcess): Promise<void> {
  if (machine.exitCode !== null || machine.signalCode !== null) return;
  const ended = once(machine, 'exit');
  if (machine.connected) machine.disconnect();
  await ended;
}
