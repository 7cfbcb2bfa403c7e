import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** The exit code and standard output of a program. The code is null if it was killed or could not start. */
export type ProgramResult = { exitCode: number | null; output: string };

/**
 * Runs a program at low priority, so that the API stays fast on a small machine. Kills it when the signal aborts.
 * Never rejects: a program that cannot start has no exit code.
 */
export async function runProgram(command: string, args: string[], signal: AbortSignal): Promise<ProgramResult> {
  if (signal.aborted) return { exitCode: null, output: '' };
  // In its own process group, so that Ctrl-C in the terminal reaches only the runner, which then stops its jobs.
  const own = { detached: true, signal, killSignal: 'SIGKILL' as const };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], ...own });
  // A failed start and an abort emit an error first. The close event that follows is enough.
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
    // The program may have ended. The priority is optional.
  }
}
