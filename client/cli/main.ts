#!/usr/bin/env node
import { type Command, CommanderError } from 'commander';
import type { Cli } from './cli.ts';
import { problemOf } from './failures.ts';
import { openProgress } from './output/progress.ts';
import { exitCodes, type Problem } from './problems.ts';
import { createProgram } from './program.ts';

// The entry point of the command `roomscribe`.

const { env, stdin, stdout, stderr, argv } = process;

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
    interruption.abort();
  });
}
stderr.on('error', () => {}); // a closed stderr must not change the outcome or the exit code
stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done); // the reader closed the pipe, such as `| head`
  stderr.write(`The output cannot be written (${code}).\n`, () => process.exit(exitCodes.unexpected));
});

const cli: Cli = { env, stdin, stdout, stderr, progress: openProgress(stderr, env), signal: interruption.signal };
const program = createProgram(cli);
let command: Command | undefined;
program.hook('preAction', (_, its) => {
  command = its;
});

try {
  await program.parseAsync(argv);
} catch (error) {
  cli.progress.stop();
  if (!isHelp(error)) fail(problemOf(error, command, interruption.signal));
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help');
}

function fail(problem: Problem): void {
  const { exit, code, message, hint, details, cause } = problem;
  const { json } = program.opts<{ json?: boolean }>();
  const lines = json
    ? [JSON.stringify({ error: { code, message, hint, ...details } })]
    : [message, ...(hint ? [hint] : [])];
  if (env.ROOMSCRIBE_DEBUG === '1') lines.push(String((cause instanceof Error ? cause : problem).stack));
  process.exitCode = exitCodes[exit];
  stderr.write(`${lines.join('\n')}\n`, () => {
    if (interruption.signal.aborted) process.exit(); // do not wait for a call that is still running
  });
}
