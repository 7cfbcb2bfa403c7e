import { Option } from 'commander';
import { TranscriptionFailedError, WaitTimeoutError } from '../../../errors.ts';
import type { CreateAndWaitOptions } from '../../../transcriptions.ts';
import type { Transcription } from '../../../types.ts';
import type { Cli, Output } from '../../cli.ts';
import { positive } from '../../options.ts';
import { Problem } from '../../problems.ts';

/** How an end is waited for. */
export type WaitFlags = { readonly wait?: boolean; readonly timeout?: number };

/** The options of commands that can wait. */
export function waitOptions(): Option[] {
  return [
    new Option('--wait', 'Wait until it is ready; exit code 5 if it fails.'),
    new Option('--timeout <minutes>', 'Give up waiting after this long, with exit code 6; it goes on. 120 if left out.')
      .argParser(positive('--timeout'))
      .implies({ wait: true }),
  ];
}

/**
 * Waits with progress on stderr. A failure, the end of the time and Ctrl-C become problems that say how to go on; `unseen`
 * does where not even the transcription's id is known yet.
 */
export async function withProgress(
  cli: Cli,
  { timeout }: WaitFlags,
  { output: { progress }, id, unseen }: { readonly output: Output; readonly id?: string; readonly unseen?: string },
  wait: (options: CreateAndWaitOptions) => Promise<Transcription>,
): Promise<Transcription> {
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
    throw outcomeOf(error, cli.signal, seen, unseen);
  } finally {
    clearInterval(ticks);
    progress.stop();
  }
}

function outcomeOf(error: unknown, signal: AbortSignal, id: string | undefined, unseen: string | undefined): unknown {
  if (error instanceof TranscriptionFailedError) {
    const { transcriptionId, failure } = error.transcription;
    return new Problem('transcriptionFailed', `The transcription ${transcriptionId} failed: ${error.message}`, {
      code: error.code,
      details: { transcriptionId, failure },
      cause: error,
    });
  }
  const again = id === undefined ? unseen : `Run: roomscribe transcriptions get ${id} --wait`;
  const details = id === undefined ? {} : { transcriptionId: id };
  if (error instanceof WaitTimeoutError) {
    const message = `The transcription ${error.transcriptionId} has not ended yet. It goes on.`;
    return new Problem('gaveUpWaiting', message, { code: error.code, hint: again, details, cause: error });
  }
  if (signal.aborted) {
    const message = id === undefined ? 'Interrupted.' : `Interrupted. The transcription ${id} goes on.`;
    return new Problem('interrupted', message, { code: 'interrupted', hint: again, details, cause: error });
  }
  return error;
}
