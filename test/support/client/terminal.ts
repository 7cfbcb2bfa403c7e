import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { roomscribeOnPath } from '../docs/on-path.ts';
import { commandLine, program } from './command-line.ts';
import { startTerminal, type Terminal } from './pseudo-terminal.ts';

/** A user at a terminal, with `roomscribe` on the PATH and separate folders. */
export type Person = Awaited<ReturnType<typeof person>>;

/** Overrides of the default terminal, which has 80 columns and colours. */
export type Given = { readonly env?: Readonly<Record<string, string>>; readonly columns?: number };

/** Creates a user with an environment, such as that of an organization. All their programs end with the test. */
export async function person(environment: Readonly<Record<string, string>> = {}) {
  const { folder, profilesFile, tokensFolder } = await commandLine();
  const bin = await roomscribeOnPath(folder, program);
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: folder,
    ROOMSCRIBE_CONFIG_DIR: path.dirname(profilesFile),
    ROOMSCRIBE_CACHE_DIR: path.dirname(tokensFolder),
    ROOMSCRIBE_MAX_RETRIES: '0',
    ...environment,
  };
  const open = (command: readonly string[], given: Given = {}): Terminal => {
    const terminal = startTerminal(command, { cwd: folder, ...given, env: { ...env, ...given.env } });
    onTestFinished(() => terminal.close());
    return terminal;
  };
  return {
    folder,
    env,
    /** Starts `roomscribe` in a terminal. */
    roomscribe: (args: readonly string[], given?: Given) => open(['roomscribe', ...args], given),
    /** Runs a line of bash in a terminal. */
    bash: (line: string, given?: Given) => open(['bash', '--norc', '-c', line], given),
    /** Starts an interactive bash with a startup file. */
    shell: async (startup: string, given?: Given) => {
      const file = path.join(folder, 'bashrc');
      await writeFile(file, `PS1='$ '\n${startup}\n`);
      return open(['bash', '--rcfile', file, '-i'], given);
    },
  };
}
