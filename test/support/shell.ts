import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

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
  const socket = path.join(root, 'programs');
  const server = createServer(async (request, response) => {
    const [program = '', folder = '', ...args] = (await text(request)).split('\0').slice(0, -1);
    try {
      response.end(await programs[program]?.({ program, folder, args }));
    } catch (error) {
      failures.push(`${program} ${args.join(' ')}: ${error instanceof Error ? error.message : error}`);
      response.writeHead(500).end();
    }
  });
  try {
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const folder = await projectIn(root, files);
    const bin = await standIns(root, Object.keys(programs), socket);
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
    server.closeAllConnections();
    await rm(root, { recursive: true, force: true });
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
  for (const name of ['infra', 'node_modules', 'package.json'])
    await symlink(path.resolve(name), path.join(folder, name));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

/** Each hands its arguments over to the server, and prints what that answers. */
async function standIns(root: string, names: readonly string[], socket: string): Promise<string> {
  const bin = path.join(root, 'bin');
  await mkdir(bin);
  for (const name of names) {
    const file = path.join(bin, name);
    await writeFile(
      file,
      `#!/bin/sh\nprintf '%s\\0' ${name} "$PWD" "$@" | /usr/bin/curl -sf --unix-socket '${socket}' --data-binary @- http://localhost/\n`,
    );
    await chmod(file, 0o755);
  }
  return bin;
}
