import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** One call of a program in a script. */
export type Call = { readonly program: string; readonly folder: string; readonly args: readonly string[] };

/** A fake program. It returns what the program prints. If it throws, the program fails. */
export type Program = (call: Call) => Promise<string>;

/** The result of a script, and the calls that failed. */
export type Outcome = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly failures: readonly string[];
};

/**
 * Runs a script with bash in a copy of the project's folder, with fake programs in place of some programs. An unset
 * variable is an error. A failing command does not end the script, as at a terminal.
 */
export async function runScript(
  script: string,
  programs: Readonly<Record<string, Program>>,
  { environment = {}, timeoutMs = 60_000, files = {}, node = process.execPath }: ScriptOptions = {},
): Promise<Outcome> {
  const root = await mkdtemp(path.join(tmpdir(), 'roomscribe-script-'));
  const failures: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    answer(socket, programs).catch((error: unknown) => failures.push(String(error)));
  });
  try {
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
    const folder = await projectIn(root, files);
    const bin = await writeFakePrograms(root, Object.keys(programs), port);
    const env = { PATH: `${bin}:${path.dirname(node)}:/usr/bin:/bin`, HOME: root, ...environment };
    const ended = await new Promise<Omit<Outcome, 'failures'>>((resolve) => {
      execFile(
        'bash',
        ['--norc', '-uc', script],
        { cwd: folder, env, timeout: timeoutMs, maxBuffer: 2 ** 26 },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      );
    });
    return { ...ended, failures };
  } finally {
    server.close();
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * Answers one call. The request is the number of arguments and the arguments, each with a NUL after it. The response is
 * a line with the exit code and the output.
 */
async function answer(socket: Socket, programs: Readonly<Record<string, Program>>): Promise<void> {
  let received = '';
  for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    received += chunk;
    const [count, ...rest] = received.split('\0');
    if (rest.length > Number(count)) break;
  }
  const [, program = '', folder = '', ...args] = received.split('\0').slice(0, -1);
  try {
    socket.end(`0\n${await programs[program]?.({ program, folder, args })}`);
  } catch (error) {
    socket.end('1\n');
    throw new Error(`${program} ${args.join(' ')}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/** Options of a script. */
export type ScriptOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** The Node of the person who runs the script. */
  readonly node?: string;
  /** Files to create in the project's folder for this script, also in place of its own, by their paths. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
};

/** Creates a separate folder, so that a script does not write into the project. */
async function projectIn(root: string, files: NonNullable<ScriptOptions['files']>): Promise<string> {
  const folder = path.join(root, 'project');
  await mkdir(folder);
  const written = Object.keys(files).map((name) => path.join(folder, name));
  for (const name of ['infra', 'operations', 'tools', 'node_modules', 'package.json'])
    await link(path.resolve(name), path.join(folder, name), written);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

/** Links to a file or folder. A folder in which files will be written becomes a real one with links. */
async function link(from: string, to: string, written: readonly string[]): Promise<void> {
  if (written.includes(to)) return;
  if (!written.some((file) => file.startsWith(`${to}/`))) return symlink(from, to);
  await mkdir(to);
  for (const name of await readdir(from)) await link(path.join(from, name), path.join(to, name), written);
}

/** Writes the fake programs as bash scripts. Each sends its arguments to the server and prints the answer. */
async function writeFakePrograms(root: string, names: readonly string[], port: number): Promise<string> {
  const bin = path.join(root, 'bin');
  await mkdir(bin);
  for (const name of names) {
    const file = path.join(bin, name);
    const script = [
      '#!/bin/bash',
      `exec 3<>/dev/tcp/127.0.0.1/${port}`,
      `printf '%s\\0' "$(($# + 2))" ${name} "$PWD" "$@" >&3`,
      'read -r code <&3; [ "$code" = 0 ] && exec cat <&3; exit "$code"',
    ];
    await writeFile(file, `${script.join('\n')}\n`);
    await chmod(file, 0o755);
  }
  return bin;
}
