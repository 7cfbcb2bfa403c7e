import { type Command, Option } from 'commander';
import { TranscriptionFailedError, WaitTimeoutError } from '../../../errors.ts';
import type { CreateAndWaitOptions } from '../../../transcriptions.ts';
import type { Transcription } from '../../../types.ts';
import { type Cli, nextCommand, type Output } from '../../cli.ts';
import { positive } from '../../options.ts';
import { Problem, usageProblem } from '../../problems.ts';

/** The values of the options of commands that can wait. */
export type WaitFlags = { readonly wait?: boolean; readonly timeout?: number };

/** Adds the options of commands that can wait. `--timeout` without `--wait` is an error. */
export function addWaitOptions(command: Command): void {
  command
    .option('--wait', 'Wait until the transcription is ready. The exit code is 5 if it fails.')
    .addOption(
      new Option(
        '--timeout <minutes>',
        'With --wait: stop waiting after this time, with exit code 6. The transcription continues. Default: 120.',
      ).argParser(positive('--timeout')),
    )
    .hook('preAction', () => {
      const { wait, timeout } = command.opts<WaitFlags>();
      if (timeout !== undefined && !wait) throw usageProblem('--timeout needs --wait.', 'Add --wait.');
    });
}

/**
 * Waits with progress on stderr. A failure, the time limit and Ctrl-C become problems with a hint how to continue. `unseen`
 * is the hint while the id of the transcription is unknown.
 */
export async function withProgress(
  cli: Cli,
  command: Command,
  { output: { progress }, id, unseen }: { readonly output: Output; readonly id?: string; readonly unseen?: string },
  wait: (options: CreateAndWaitOptions) => Promise<Transcription>,
): Promise<Transcription> {
  const { timeout } = command.opts<WaitFlags>();
  const beganAt = Date.now();
  let seen = id;
  const show = () => {
    const seconds = Math.round((Date.now() - beganAt) / 1000);
    const what = seen === undefined ? 'Creating' : 'In progress';
    progress.show(progress.isLive ? `${what}, ${seconds} s` : what);
  };
  const ticks = progress.isLive ? setInterval(show, 1000) : undefined;
  show();
  try {
    return await wait({
      timeoutMs: timeout === undefined ? undefined : timeout * 60_000,
      signal: cli.signal,
      onCreated: (transcriptionId) => {
        seen = transcriptionId;
        show();
      },
    });
  } catch (error) {
    const again = seen === undefined ? unseen : `Run: ${nextCommand(command, `transcriptions get ${seen} --wait`)}`;
    throw outcomeOf(error, cli.signal, seen, again);
  } finally {
    clearInterval(ticks);
    progress.stop();
  }
}

function outcomeOf(error: unknown, signal: AbortSignal, id: string | undefined, again: string | undefined): unknown {
  if (error instanceof TranscriptionFailedError) {
    const { transcriptionId, failure } = error.transcription;
    return new Problem('transcriptionFailed', `The transcription ${transcriptionId} failed: ${error.message}`, {
      code: error.code,
      details: { transcriptionId, failure },
      cause: error,
    });
  }
  const details = id === undefined ? {} : { transcriptionId: id };
  if (error instanceof WaitTimeoutError) {
    const message = `The transcription ${error.transcriptionId} has not ended yet. It continues.`;
    return new Problem('gaveUpWaiting', message, { code: error.code, hint: again, details, cause: error });
  }
  if (signal.aborted) {
    const message = id === undefined ? 'Interrupted.' : `Interrupted. The transcription ${id} continues.`;
    return new Problem('interrupted', message, { code: 'interrupted', hint: again, details, cause: error });
  }
  return error;
}
