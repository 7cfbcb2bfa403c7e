#!/usr/bin/env node
import { exitCodes } from './problems.ts';
import { runCommandLine } from './run.ts';

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

process.exitCode = await runCommandLine(argv.slice(2), { env, stdin, stdout, stderr, signal: interruption.signal });
const isInterrupted = process.exitCode !== exitCodes.done && interruption.signal.aborted;
if (isInterrupted) stderr.write('', () => process.exit()); // do not wait for a call that is still running
