import { type FileHandle, open, stat } from 'node:fs/promises';
import type { MediaFormat } from '@aws-sdk/client-transcribe';
import { JobFailure } from './failure.ts';
import { createResampler } from './resampler.ts';
import { runProgram } from './run-program.ts';
import { InvalidWav, readMono, readWavLayout, UnsupportedWavCodec, type WavLayout } from './wav.ts';

/** The rate the acoustic model was trained on: 16-bit mono samples at 16 kHz. */
const RECOGNIZER_RATE = 16_000;

/** What was found in a media file on the way to the recognizer's samples. */
export type DecodedMedia = { durationSeconds: number; sampleRate?: number };

type DecodeOptions = { ffmpeg: string | undefined; signal: AbortSignal };

const BYTES_PER_SECOND = 2 * RECOGNIZER_RATE;
/** Amazon's longest media. */
const LONGEST_SECONDS = 4 * 60 * 60;
const SHORTEST_SECONDS = 0.5;
const LOWEST_RATE = 8_000;
const HIGHEST_RATE = 48_000;
const MOST_CHANNELS = 2;
// Four hours decode in well under a minute; what takes longer is a file made to never end.
const FFMPEG_TIMEOUT_MS = 10 * 60_000;

// Naming the demuxer keeps ffmpeg from guessing formats that can refer to other files or hosts (playlists).
const DEMUXERS: Record<MediaFormat, string> = {
  amr: 'amr',
  flac: 'flac',
  m4a: 'mov',
  mp3: 'mp3',
  mp4: 'mov',
  ogg: 'ogg',
  wav: 'wav',
  webm: 'matroska',
};

/**
 * Decodes a media file into the raw samples the recognizer reads. WAV is read by our own code, all else by
 * ffmpeg where there is one. Media that cannot be decoded or breaks Amazon's limits is a JobFailure.
 */
export async function decodeMedia(
  source: string,
  format: MediaFormat,
  target: string,
  options: DecodeOptions,
): Promise<DecodedMedia> {
  const decoded =
    format === 'wav'
      ? await decodeWav(source, target, options)
      : await decodeWithFfmpeg(source, format, target, options);
  if (decoded.durationSeconds < SHORTEST_SECONDS) throw new JobFailure('tooShort');
  if (decoded.durationSeconds > LONGEST_SECONDS) throw new JobFailure('tooLong');
  return decoded;
}

async function decodeWav(source: string, target: string, options: DecodeOptions): Promise<DecodedMedia> {
  const file = await open(source);
  try {
    const layout = await readWavLayout(file);
    checkLayout(layout);
    await convert(file, layout, target, options.signal);
    return { durationSeconds: layout.frames / layout.sampleRate, sampleRate: layout.sampleRate };
  } catch (error) {
    if (error instanceof UnsupportedWavCodec) return await decodeWithFfmpeg(source, 'wav', target, options);
    if (error instanceof InvalidWav) throw new JobFailure('invalidMedia', { cause: error });
    throw error;
  } finally {
    await file.close();
  }
}

function checkLayout(layout: WavLayout): void {
  if (layout.sampleRate < LOWEST_RATE || layout.sampleRate > HIGHEST_RATE) throw new JobFailure('invalidSampleRate');
  if (layout.channels > MOST_CHANNELS) throw new JobFailure('tooManyChannels');
  if (layout.frames === 0) throw new JobFailure('invalidMedia');
  if (layout.frames / layout.sampleRate > LONGEST_SECONDS) throw new JobFailure('tooLong');
}

async function convert(file: FileHandle, layout: WavLayout, target: string, signal: AbortSignal): Promise<void> {
  const resampler = createResampler(layout.sampleRate, RECOGNIZER_RATE);
  const output = await open(target, 'w');
  try {
    for await (const block of readMono(file, layout)) {
      signal.throwIfAborted();
      await output.write(toSamples(resampler.push(block)));
    }
    await output.write(toSamples(resampler.flush()));
  } finally {
    await output.close();
  }
}

function toSamples(block: Float32Array): Buffer {
  const samples = Buffer.alloc(block.length * 2);
  block.forEach((value, index) => {
    const sample = Math.round(value * 32_767);
    samples.writeInt16LE(Math.max(-32_768, Math.min(32_767, sample)), index * 2);
  });
  return samples;
}

async function decodeWithFfmpeg(
  source: string,
  format: MediaFormat,
  target: string,
  { ffmpeg, signal }: DecodeOptions,
): Promise<DecodedMedia> {
  if (ffmpeg === undefined) throw new JobFailure('noFfmpeg');
  const input = ['-protocol_whitelist', 'file', '-f', DEMUXERS[format], '-i', `file:${source}`];
  // One second over the limit is enough to tell that the limit is broken.
  const output = [
    '-map',
    '0:a:0',
    '-ac',
    '1',
    '-ar',
    `${RECOGNIZER_RATE}`,
    '-t',
    `${LONGEST_SECONDS + 1}`,
    '-f',
    's16le',
    '-y',
    target,
  ];
  const timeout = AbortSignal.timeout(FFMPEG_TIMEOUT_MS);
  const { exitCode } = await runProgram(
    ffmpeg,
    ['-nostdin', '-loglevel', 'quiet', ...input, ...output],
    AbortSignal.any([signal, timeout]),
  );
  signal.throwIfAborted();
  if (exitCode !== 0) throw new JobFailure('invalidMedia');
  const { size } = await stat(target);
  if (size === 0) throw new JobFailure('invalidMedia');
  return { durationSeconds: size / BYTES_PER_SECOND };
}
