import { type Command, CommanderError, Help } from 'commander';
import type { Cli } from './cli.ts';
import { problemOf } from './failures.ts';
import { openProgress } from './output/progress.ts';
import { screenOf } from './output/screen.ts';
import { exitCodes, type Problem } from './problems.ts';
import { createProgram } from './program.ts';

/** Runs one command. Writes a failure to `stderr`, as JSON with `--json`, and returns the exit code. */
export async function runCommandLine(args: readonly string[], io: Omit<Cli, 'progress'>): Promise<number> {
  const cli: Cli = { ...io, progress: openProgress(io.stderr, io.env) };
  const program = createProgram(cli);
  let command: Command | undefined;
  program.hook('preAction', (_, its) => {
    command = its;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    cli.progress.stop();
    if (isHelp(error)) return exitCodes.done;
    const problem = problemOf(error, command, cli.signal);
    const { json: isJson = false } = program.opts<{ json?: boolean }>();
    const isDebug = cli.env.ROOMSCRIBE_DEBUG === '1';
    const { columns } = screenOf(cli.stderr, cli.env);
    cli.stderr.write(`${linesOf(problem, { isJson, isDebug, columns }).join('\n')}\n`);
    return exitCodes[problem.exit];
  }
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help');
}

type Style = { readonly isJson: boolean; readonly isDebug: boolean; readonly columns: number | undefined };

/** The lines of a problem. A terminal shows its message in whole words. A hint stays in one line, because people copy it. */
function linesOf(problem: Problem, { isJson, isDebug, columns }: Style): string[] {
  const { code, message, hint, details, cause } = problem;
  const lines = isJson
    ? [JSON.stringify({ error: { code, message, hint, ...details } })]
    : [columns === undefined ? message : inWholeWords(message, columns), ...(hint ? [hint] : [])];
  return isDebug ? [...lines, String((cause instanceof Error ? cause : problem).stack)] : lines;
}

function inWholeWords(text: string, columns: number): string {
  return new Help().boxWrap(text, columns);
}
