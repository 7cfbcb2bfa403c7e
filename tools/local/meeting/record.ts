import { open, rm } from 'node:fs/promises';
import { findProgram } from '../transcribe/find-program.ts';
import { runProgram } from '../transcribe/run-program.ts';
import { speak, speechRate, type Voice } from './speak.ts';

/** A sentence on the clock of a recording. */
export type Line = {
  readonly voice: Voice;
  /** When it begins, in seconds. */
  readonly at: number;
  readonly text: string;
  /** How loud it is. A microphone hears another speaker with less than 1, which is the default. */
  readonly gain?: number;
};

/** What a microphone records: a stretch of the clock. Everything between the lines is silent. */
export type Stretch = { readonly lines: readonly Line[]; readonly from: number; readonly to: number };

/** ffmpeg's arguments for Opus as browsers send it: almost no packets while nobody speaks. */
export const opusWithDtx = ['-c:a', 'libopus', '-ar', '48000', '-b:a', '24k', '-application', 'voip', '-dtx', '1'];

/**
 * Records a stretch into a media file. `coding` are ffmpeg's arguments after the sound, which is input 0. The same stretch has the same
 * bytes.
 */
export async function record(
  stretch: Stretch,
  file: string,
  coding: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const samples = `${file}.samples`;
  try {
    await writeSamples(stretch, samples, signal);
    const input = ['-f', 's16le', '-ar', String(speechRate), '-ac', '1', '-i', samples];
    const args = ['-nostdin', '-loglevel', 'error', '-y', ...input, ...coding, '-fflags', '+bitexact', file];
    const { exitCode } = await runProgram(findProgram('ffmpeg', process.env.PATH ?? '') ?? 'ffmpeg', args, signal);
    signal.throwIfAborted();
    if (exitCode !== 0) throw new Error(`ffmpeg could not record ${file}. Run npm run setup.`);
  } finally {
    await rm(samples, { force: true });
  }
}

/** Writes a file of raw samples. Silence is a hole in it, so hours of silence take no space. */
async function writeSamples({ lines, from, to }: Stretch, file: string, signal: AbortSignal): Promise<void> {
  const handle = await open(file, 'w');
  try {
    const bytes = 2 * Math.round((to - from) * speechRate);
    for (const { voice, text, at, gain = 1 } of lines) {
      const samples = (await speak(voice, text, signal)).map((sample) => sample * gain);
      const start = 2 * Math.round((at - from) * speechRate);
      const heard = new Uint8Array(samples.buffer).subarray(Math.max(0, -start), Math.max(0, bytes - start));
      await handle.write(heard, 0, heard.byteLength, Math.max(0, start));
    }
    await handle.truncate(bytes);
  } finally {
    await handle.close();
  }
}
