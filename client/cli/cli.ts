import type { Command } from 'commander';
import type { Progress } from './output/progress.ts';
import { type Environment, type Screen, screenOf } from './output/screen.ts';

/** What the command line works with: the process, or a test's. */
export type Cli = {
  readonly env: Environment;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** What is being waited for, on stderr. It is one for all: there is one place on a terminal where it can stand. */
  readonly progress: Progress;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
};

/** The options that every command takes. */
export type GlobalOptions = { readonly profile?: string; readonly json?: boolean };

/** Where a command's results and its hints go. */
export type Output = {
  readonly isJson: boolean;
  /** Data, on stdout: as JSON if that was asked for, else as text; an empty text is not printed. */
  readonly print: (value: unknown, text: (screen: Screen) => string) => void;
  /** What a person may want to know besides, on stderr; a program that reads JSON does not. */
  readonly note: (text: string) => void;
  /** What is being waited for, in the same way. */
  readonly progress: Progress;
};

const silent: Progress = { isLive: false, show: () => {}, stop: () => {} };

/** The output of a command, by its `--json`. */
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

/** JSON in ASCII where a terminal would take a character for a command. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\x7f-\x9f]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}

/** True where a person can be asked: questions go to stderr, so that stdout stays clean. */
export function canAsk({ stdin, stderr }: Cli): boolean {
  return stdin.isTTY && stderr.isTTY;
}
