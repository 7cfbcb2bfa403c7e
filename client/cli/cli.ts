import type { Command } from 'commander';
import type { Progress } from './output/progress.ts';
import { type Environment, type Screen, screenOf } from './output/screen.ts';

/** The environment of a command: that of the process, or that of a test. */
export type Cli = {
  readonly env: Environment;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Progress on stderr. All commands share one, because a terminal has one line for it. */
  readonly progress: Progress;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** The folder of the built console. Default: the one beside the program. */
  readonly consoleFolder?: string;
};

/** The options of every command. */
export type GlobalOptions = { readonly profile?: string; readonly json?: boolean };

/** Where a command writes its results and hints. */
export type Output = {
  readonly isJson: boolean;
  /** Writes data to stdout: as JSON with `--json`, else as text. Prints no empty text. */
  readonly print: (value: unknown, text: (screen: Screen) => string) => void;
  /** Writes a note for people to stderr. Prints nothing with `--json`. */
  readonly note: (text: string) => void;
  /** Shows progress. Shows nothing with `--json`. */
  readonly progress: Progress;
};

const silent: Progress = { isLive: false, show: () => {}, stop: () => {} };

/** The output of a command, which depends on `--json`. */
export function outputOf({ env, stdout, stderr, progress }: Cli, command: Command): Output {
  const { json: isJson = false } = command.optsWithGlobals<GlobalOptions>();
  return {
    isJson,
    progress: isJson ? silent : progress,
    print(value, text) {
      progress.stop();
      const printed = isJson ? toJson(value) : text(screenOf(stdout, env));
      if (printed !== '') stdout.write(`${printed}\n`);
    },
    note(text) {
      progress.stop();
      if (!isJson) stderr.write(`${text}\n`);
    },
  };
}

/** JSON that escapes control characters, so that a terminal does not execute them. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\x7f-\x9f]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}

/** A command to run next, for a hint. It keeps `--profile`, so that it runs with the same account. */
export function nextCommand(command: Command, words: string): string {
  const { profile } = command.optsWithGlobals<GlobalOptions>();
  return `roomscribe ${words}${isProfileNamed(command) ? ` --profile ${profile}` : ''}`;
}

/** Whether the person named a profile on the command line. */
export function isProfileNamed(command: Command): boolean {
  return command.getOptionValueSourceWithGlobals('profile') === 'cli';
}

/** Whether the command can ask a person. Questions go to stderr, so that stdout has data only. */
export function canAsk({ stdin, stderr }: Cli): boolean {
  return stdin.isTTY && stderr.isTTY;
}
