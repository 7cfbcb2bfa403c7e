import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** How a program ended and what it printed; the exit code is null where it was killed or could not start. */
export type ProgramResult = { exitCode: number | null; output: string };

/**
 * Runs a program at low priority, so that the API stays quick on a small machine, and kills it when the
 * signal fires. Never rejects: a program that cannot start is one that ended without an exit code.
 */
export async function runProgram(command: string, args: string[], signal: AbortSignal): Promise<ProgramResult> {
  if (signal.aborted) return { exitCode: null, output: '' };
  // In a group of its own: Ctrl-C in the terminal ends the runner, which then decides what becomes of its jobs.
  const own = { detached: true, signal, killSignal: 'SIGKILL' as const };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], ...own });
  // A failed start and an abort are reported as errors first; the close event that follows says all that matters.
  child.on('error', () => undefined);
  const closed = new Promise((resolve) => child.once('close', resolve));
  if (child.pid !== undefined) lowerPriority(child.pid);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await closed;
  return { exitCode: child.pid === undefined ? null : child.exitCode, output: Buffer.concat(chunks).toString('utf8') };
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It may have ended already; priority is a courtesy only.
  }
}
