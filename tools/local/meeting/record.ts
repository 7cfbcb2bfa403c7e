import { open, rm } from 'node:fs/promises';
import { findProgram } from '../transcribe/media/find-program.ts';
import { runProgram } from '../transcribe/media/run-program.ts';
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

/** How sound is coded: ffmpeg's arguments after the sound, which is input 0, or Opus in Ogg as browsers send it, with DTX. */
export type Coding = readonly string[] | 'opus-dtx';

/** OPUS_SET_DTX of libopus: almost nothing is sent while nobody speaks. ffmpeg 5 cannot set it. */
const withDtx = ['--set-ctl-int', '4016=1'];

/** The path of opusenc. Undefined means that `npm run setup` helps. */
export function findOpusEncoder(searchPath: string = process.env.PATH ?? ''): string | undefined {
  return findProgram('opusenc', searchPath);
}

/** Records a stretch into a media file. The same stretch has the same bytes. */
export async function record(stretch: Stretch, file: string, coding: Coding, signal: AbortSignal): Promise<void> {
  const samples = `${file}.samples`;
  try {
    await writeSamples(stretch, samples, signal);
    const [program, ...args] = encoder(samples, file, coding);
    const { exitCode } = await runProgram(program, args, signal);
    signal.throwIfAborted();
    if (exitCode !== 0) throw new Error(`${program} could not record ${file}. Run npm run setup.`);
  } finally {
    await rm(samples, { force: true });
  }
}

/** The program that encodes a file of samples, and its arguments. */
function encoder(samples: string, file: string, coding: Coding): readonly [string, ...string[]] {
  const rate = String(speechRate);
  if (coding === 'opus-dtx') {
    const input = ['--raw', '--raw-rate', rate, '--raw-chan', '1'];
    const settings = ['--quiet', '--speech', '--bitrate', '24', ...withDtx, '--serial', '1'];
    return [findOpusEncoder() ?? 'opusenc', ...input, ...settings, samples, file];
  }
  const input = ['-f', 's16le', '-ar', rate, '-ac', '1', '-i', samples];
  const settings = ['-nostdin', '-loglevel', 'error', '-y', ...input, ...coding, '-fflags', '+bitexact'];
  return [findProgram('ffmpeg', process.env.PATH ?? '') ?? 'ffmpeg', ...settings, file];
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
