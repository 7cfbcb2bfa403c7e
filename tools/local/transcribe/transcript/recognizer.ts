import { JobFailure } from '../failure.ts';
import { findProgram } from '../media/find-program.ts';
import { runProgram } from '../media/run-program.ts';
import { parseContinuousOutput, parseJsonOutput, type Utterance } from './pocketsphinx-output.ts';

/** PocketSphinx on this machine. `dialect` tells which of its two command lines it has. */
export type Recognizer = { command: string; dialect: 'continuous' | 'live' };

/**
 * Looks for PocketSphinx: `pocketsphinx_continuous` (Debian 12 and 13), or `pocketsphinx` (version 5, as in
 * newer Debian and in Homebrew). Undefined means that jobs will fail and that `npm run setup` helps.
 */
export function findRecognizer(searchPath: string = process.env.PATH ?? ''): Recognizer | undefined {
  const continuous = findProgram('pocketsphinx_continuous', searchPath);
  if (continuous !== undefined) return { command: continuous, dialect: 'continuous' };
  const live = findProgram('pocketsphinx', searchPath);
  return live === undefined ? undefined : { command: live, dialect: 'live' };
}

/** Recognizes the speech in a file of raw 16 kHz mono samples. Stops at once when the signal aborts. */
export async function recognize(recognizer: Recognizer, rawFile: string, signal: AbortSignal): Promise<Utterance[]> {
  const args = ARGUMENTS[recognizer.dialect](rawFile);
  const { exitCode, output } = await runProgram(recognizer.command, args, signal);
  signal.throwIfAborted();
  if (exitCode !== 0) throw new JobFailure('recognizerFailed');
  return PARSERS[recognizer.dialect](output);
}

// The removal of noise learns from the beginning of a file. If that is digital silence, as in tracks, the first sentence is misheard.
const NO_REMOVAL = ['-remove_noise', 'no'];

const ARGUMENTS: Record<Recognizer['dialect'], (rawFile: string) => string[]> = {
  continuous: (rawFile) => ['-infile', rawFile, '-time', 'yes', '-logfn', '/dev/null', ...NO_REMOVAL],
  live: (rawFile) => ['live', rawFile],
};

const PARSERS: Record<Recognizer['dialect'], (output: string) => Utterance[]> = {
  continuous: parseContinuousOutput,
  live: parseJsonOutput,
};
