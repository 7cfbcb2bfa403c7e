import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** One call of a program by a script. */
export type Call = { readonly program: string; readonly folder: string; readonly args: readonly string[] };

/** What stands for a program: it gives what the program prints; what it throws is the program's failure. */
export type Program = (call: Call) => Promise<string>;

/** How a script ended, and the calls that failed. */
export type Outcome = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly failures: readonly string[];
};

/**
 * Runs a script by bash in a folder that looks like the project's, with functions of the test in the place of some
 * programs. A variable that is not set is an error; a command that fails is none, as at a terminal.
 */
export async function runScript(
  script: string,
  programs: Readonly<Record<string, Program>>,
  { environment = {}, timeoutMs = 60_000, files = {} }: ScriptOptions = {},
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
    const bin = await standIns(root, Object.keys(programs), port);
    const env = { PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: root, ...environment };
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

/** One call: how many arguments, the arguments, each ended by NUL; then the exit code in a line, and what is printed. */
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

/** What differs from script to script. */
export type ScriptOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Files of the project's folder that are made for this script, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
};

/** A folder of its own, so that what a script writes is not in the project. */
async function projectIn(root: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = path.join(root, 'project');
  await mkdir(folder);
  for (const name of ['infra', 'tools', 'node_modules', 'package.json'])
    await symlink(path.resolve(name), path.join(folder, name));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

/** Each hands its arguments over to the server, and prints what that answers: in bash alone, which has all it takes. */
async function standIns(root: string, names: readonly string[], port: number): Promise<string> {
  const bin = path.join(root, 'bin');
  await mkdir(bin);
  for (const name of names) {
    const file = path.join(bin, name);
    const script = [
      '#!/bin/bash',
      `exec 3<>/dev/tcp/127.0.0.1/${port}`,
      `printf '%s\\0' "$(($# + 2))" ${name} "$PWD" "$@" >&3`,
      'read -r code <&3; cat <&3; exit "$code"',
    ];
    await writeFile(file, `${script.join('\n')}\n`);
    await chmod(file, 0o755);
  }
  return bin;
}
