import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { eventually } from './eventually.ts';

/** A service started from the command line, in its own process group as in a terminal. */
export type StartedService = {
  readonly process: ChildProcess;
  /** The standard output and standard error so far. */
  readonly output: () => string;
  /** Waits until the output contains a text. */
  readonly says: (text: string | RegExp, limitMs?: number) => Promise<void>;
  /** The exit code, or the signal that ended the service. */
  readonly ended: Promise<number | string>;
};

/** Runs `npm start` with flags. */
export function npmStart(flags: readonly string[]): StartedService {
  return start('npm', ['start', '--', ...flags], process.env);
}

/** Runs the program behind `npm start` with the given environment. */
export function nodeStart(flags: readonly string[], environment: NodeJS.ProcessEnv): StartedService {
  return start(process.execPath, ['tools/local/start.ts', ...flags], environment);
}

/** Mounts a disk in the first argument, runs the others, and then the commands of the standard input. */
const onDisk = `mount -t tmpfs -o size=120m tmpfs "$1" && shift && { "$@" & } && while read -r line; do eval "$line"; done; wait`;

/**
 * Runs the program behind `npm start` with the data directory on a disk of 120 MB, which only it and the given commands
 * see. It needs root, or a system that lets its users make namespaces, as Debian does.
 */
export function startOnSmallDisk(dataDir: string, flags: readonly string[]): StartedService {
  const program = [process.execPath, 'tools/local/start.ts', ...flags, '--data-dir', dataDir];
  return start('unshare', ['--map-root-user', '--mount', 'sh', '-c', onDisk, 'sh', dataDir, ...program], process.env);
}

function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv): StartedService {
  const child = spawn(command, args, { env, detached: true, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([code, signal]: (number | string)[]) => code ?? signal ?? '');
  return {
    process: child,
    output: () => output,
    ended,
    says: (text, limitMs = 30_000) =>
      eventually(() => {
        const isSaid = typeof text === 'string' ? output.includes(text) : text.test(output);
        if (!isSaid) throw new Error(`"${text}" is not in the output:\n${output}`);
      }, limitMs),
  };
}

/** Reads the endpoints file of a service. */
export async function readEndpoints(dataDir: string): Promise<Endpoints> {
  return JSON.parse(await readFile(path.join(dataDir, 'endpoints.json'), 'utf8'));
}

/** The processes whose command line contains a text, such as a data directory. */
export async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.map((line) => line.replaceAll('\0', ' ')).filter((line) => line.includes(text));
}
