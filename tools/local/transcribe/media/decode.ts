import { stat } from 'node:fs/promises';
import type { MediaFormat } from '@aws-sdk/client-transcribe';
import { JobFailure } from '../failure.ts';
import type { MediaPrograms } from './media-programs.ts';
import { type AudioFacts, probeAudio } from './probe.ts';
import { runProgram } from './run-program.ts';
import { isCompleteWav } from './wav-length.ts';

/** The acoustic model expects 16-bit mono samples at 16 kHz. */
const recognizerRate = 16_000;
const bytesPerSecond = 2 * recognizerRate;

// The limits of Amazon Transcribe.
const maxSeconds = 4 * 60 * 60;
const minSeconds = 0.5;
const minRate = 8_000;
const maxRate = 48_000;
const maxChannels = 2;

// Four hours decode in less than a minute. A file that takes longer is malicious.
const timeoutMs = 10 * 60_000;

// A named demuxer keeps ffmpeg from detecting formats that refer to other files or hosts, such as playlists.
const demuxers: Record<MediaFormat, string> = {
  amr: 'amr',
  flac: 'flac',
  m4a: 'mov',
  mp3: 'mp3',
  mp4: 'mov',
  ogg: 'ogg',
  wav: 'wav',
  webm: 'matroska',
};

/** What was decoded: the file of each channel, or of their mix, and the original sample rate. */
export type DecodedMedia = { readonly sampleRate: number; readonly files: readonly [string, ...string[]] };

/** How to decode. With `splitChannels`, each channel has a file of its own, whose name ends with its number. */
export type DecodeOptions = { programs: MediaPrograms; signal: AbortSignal; splitChannels?: boolean };

/**
 * Decodes the first audio stream of a media file into the raw samples that the recognizer reads. Throws a JobFailure for media that cannot
 * be decoded or breaks a limit of Amazon Transcribe.
 */
export async function decodeMedia(
  source: string,
  format: MediaFormat,
  target: string,
  { programs, signal, splitChannels = false }: DecodeOptions,
): Promise<DecodedMedia> {
  if (format === 'wav' && !(await isCompleteWav(source))) throw new JobFailure('invalidMedia');
  const input = ['-protocol_whitelist', 'file', '-f', demuxers[format], '-i', `file:${source}`];
  const facts = await probeAudio(programs.ffprobe, input, signal);
  if (facts === undefined) throw new JobFailure('invalidMedia');
  checkFacts(facts, format);
  const files = splitChannels && facts.channels === 2 ? ([`${target}.0`, `${target}.1`] as const) : ([target] as const);
  checkDuration(await decode(programs.ffmpeg, input, files, signal));
  return { sampleRate: facts.sampleRate, files: [...files] };
}

function checkFacts({ sampleRate, channels, durationSeconds = 0 }: AudioFacts, format: MediaFormat): void {
  if (sampleRate < minRate || sampleRate > maxRate) throw new JobFailure('invalidSampleRate');
  if (channels > maxChannels) throw new JobFailure('tooManyChannels');
  // The header of a WAV file states the exact duration. For other formats it may be an estimate.
  if (format === 'wav' && durationSeconds > maxSeconds) throw new JobFailure('tooLong');
}

function checkDuration(seconds: number): void {
  if (seconds === 0) throw new JobFailure('invalidMedia');
  if (seconds < minSeconds) throw new JobFailure('tooShort');
  if (seconds > maxSeconds) throw new JobFailure('tooLong');
}

/**
 * Decodes the mix into one file, or each channel into its own. Returns the duration of what it decoded, in seconds. Stops one second after
 * the limit, so that a longer file is detected.
 */
async function decode(
  ffmpeg: string,
  input: string[],
  files: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<number> {
  const outputs = files.flatMap((file, channel) => {
    const part = files.length === 1 ? ['-ac', '1'] : ['-af', `pan=mono|c0=c${channel}`];
    const samples = ['-ar', `${recognizerRate}`, '-t', `${maxSeconds + 1}`, '-f', 's16le', '-y', file];
    return ['-map', '0:a:0', ...part, ...samples];
  });
  const { exitCode } = await runProgram(
    ffmpeg,
    ['-nostdin', '-loglevel', 'quiet', ...input, ...outputs],
    AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  );
  signal.throwIfAborted();
  if (exitCode !== 0) throw new JobFailure('invalidMedia');
  return (await stat(files[0])).size / bytesPerSecond;
}
