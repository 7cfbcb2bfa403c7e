import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { runCommandLine } from '#client/cli/run.ts';
import { endpoints } from '../machine.ts';
import { machinesNode, sharedPackage } from './package.ts';

/** The command that runs `roomscribe`: the program that users install, run by the installed Node. */
export const program = [machinesNode(), (await sharedPackage()).commandLine] as const;

for (const name of Object.keys(process.env)) if (name.startsWith('ROOMSCRIBE_')) delete process.env[name];

/** The exit code and the output of one invocation. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** The environment and the standard input of an invocation. */
export type Given = { readonly env?: Readonly<Record<string, string>>; readonly stdin?: string };

/** The command line of a new user, with separate and empty folders. */
export async function commandLine() {
  const folder = await mkdtemp(path.join(inject('machine').temporaryFolder, 'user-'));
  const folders = {
    ROOMSCRIBE_CONFIG_DIR: path.join(folder, 'config'),
    ROOMSCRIBE_CACHE_DIR: path.join(folder, 'cache'),
  };
  const [node, main] = program;
  const environment = ({ env = {} }: Given = {}) => ({
    PATH: process.env.PATH,
    ROOMSCRIBE_MAX_RETRIES: '0',
    ...folders,
    ...env,
  });
  const begin = (args: readonly string[], given: Given = {}) => {
    const child = spawn(node, [main, ...args], { cwd: folder, env: environment(given) });
    child.stdin.end(given.stdin ?? '');
    const printed = Promise.all([text(child.stdout).catch(() => ''), text(child.stderr)]); // a test may leave early;
    const code = new Promise<number | null>((resolve) => child.on('close', resolve));
    return {
      child,
      ended: Promise.all([code, printed]).then(([code, [stdout, stderr]]): Ended => ({ code, stdout, stderr })),
    };
  };
  const run = async (args: readonly string[], given: Given = {}): Promise<Ended> => {
    assertNotFromEnvironment(args, given);
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const printed = Promise.all([text(stdout), text(stderr)]);
    const io = { stdin: Readable.from([given.stdin ?? '']), stdout, stderr } as object as typeof process; // no terminals
    const signal = new AbortController().signal;
    const code = await runCommandLine(args, { ...io, env: environment(given), signal });
    stdout.end();
    stderr.end();
    const [out, error] = await printed;
    return { code, stdout: out, stderr: error };
  };
  return {
    folder,
    profilesFile: path.join(folders.ROOMSCRIBE_CONFIG_DIR, 'profiles.json'),
    tokensFolder: path.join(folders.ROOMSCRIBE_CACHE_DIR, 'tokens'),
    /** Starts the program as a process with the working directory `folder`. */
    begin,
    /** Runs the program as a process and waits for it to end. */
    runProcess: (args: readonly string[], given?: Given) => begin(args, given).ended,
    /** Runs the source without a process, for tests that depend neither on a process nor on its working directory. */
    run,
  };
}

/** Throws for variables that the parser of the command line reads from the environment of its process. */
function assertNotFromEnvironment([command]: readonly string[], { env = {} }: Given): void {
  const isRead = command === 'login' ? 'ROOMSCRIBE_API_URL' in env : 'ROOMSCRIBE_PROFILE' in env;
  if (isRead) throw new Error('The environment sets an option. Use runProcess.');
}

/** The environment variables of an organization without a profile. */
export function environmentOf(organizationId: string): Readonly<Record<string, string>> {
  return {
    ROOMSCRIBE_API_URL: endpoints.apiUrl,
    ROOMSCRIBE_TOKEN_URL: endpoints.tokenUrl,
    ROOMSCRIBE_CLIENT_ID: organizationId,
    ROOMSCRIBE_CLIENT_SECRET: 'local',
  };
}

/** The command line of an organization without a profile. */
export async function commandLineOf(organizationId: string) {
  const { begin, run, ...user } = await commandLine();
  const given = (more: Given) => ({ ...more, env: { ...environmentOf(organizationId), ...more.env } });
  return {
    ...user,
    begin: (args: readonly string[], more: Given = {}) => begin(args, given(more)),
    runProcess: (args: readonly string[], more: Given = {}) => begin(args, given(more)).ended,
    run: (args: readonly string[], more: Given = {}) => run(args, given(more)),
    /** Parses what a successful command prints with `--json`. */
    json: async (args: readonly string[]) => {
      const { code, stdout, stderr } = await run([...args, '--json'], given({}));
      if (code !== 0 || stderr !== '') throw new Error(`The command ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

/** The options that log an organization in. */
export function loginOptions(organizationId: string): string[] {
  return ['--api-url', endpoints.apiUrl, '--token-url', endpoints.tokenUrl, '--client-id', organizationId];
}
