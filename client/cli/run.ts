import { type Command, CommanderError } from 'commander';
import type { Cli } from './cli.ts';
import { problemOf } from './failures.ts';
import { openProgress } from './output/progress.ts';
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
    cli.stderr.write(`${linesOf(problem, { isJson, isDebug: cli.env.ROOMSCRIBE_DEBUG === '1' }).join('\n')}\n`);
    return exitCodes[problem.exit];
  }
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help');
}

function linesOf(problem: Problem, { isJson, isDebug }: { readonly isJson: boolean; readonly isDebug: boolean }) {
  const { code, message, hint, details, cause } = problem;
  const lines = isJson
    ? [JSON.stringify({ error: { code, message, hint, ...details } })]
    : [message, ...(hint ? [hint] : [])];
  return isDebug ? [...lines, String((cause instanceof Error ? cause : problem).stack)] : lines;
}
