import type { MediaRefusal } from './media-refusal.ts';
import { pcmSampleBytes } from './pcm-codecs.ts';

/** Containers that are told apart by their first bytes. */
export const mediaContainers = [
  'adts',
  'amr',
  'flac',
  'matroska',
  'mp3',
  'mp4',
  'ogg',
  'quicktime',
  'wav',
  'webm',
] as const;
/** The container of a media file. */
export type MediaContainer = (typeof mediaContainers)[number];

/** A container that audio packets are copied into. Transcribe takes all of them. */
export type OutputContainer = 'flac' | 'mp3' | 'mp4' | 'ogg' | 'wav';

/** An audio track. `codec` is undefined if it is not a known one. */
export type AudioFacts = {
  readonly codec: string | undefined;
  readonly channels: number;
  readonly sampleRate: number;
  readonly isEncrypted: boolean;
  /** What a decoder must know before the first packet, as base64. Undefined if it needs nothing, or nothing that differs between files. */
  readonly setup?: string;
};

/** What is known about a media file without decoding it. */
export type MediaFacts = {
  readonly container: MediaContainer;
  readonly bytes: number;
  /** The true length, from the header or from the last packets. */
  readonly seconds: number;
  /** The audio tracks in the order of the file. */
  readonly audio: readonly AudioFacts[];
  readonly hasVideo: boolean;
};

/** A stretch of the original, in seconds from its beginning. */
export type MediaSpan = { readonly from: number; readonly to: number };

/** What has to be done before Transcribe can read a file. */
export type MediaPlan =
  | { readonly kind: 'as_is'; readonly container: MediaContainer }
  | { readonly kind: 'prepare'; readonly output: OutputContainer; readonly pieces: readonly MediaSpan[] }
  | { readonly kind: 'refused'; readonly code: MediaRefusal };

/** What a file and a piece of it may be. */
export type MediaLimits = {
  /** The longest and the largest recording. */
  readonly recordingSeconds: number;
  readonly recordingBytes: number;
  /** The longest and the largest file of one Transcribe job. */
  readonly jobSeconds: number;
  readonly jobBytes: number;
  /** The longest piece of a file that is cut: at most `jobSeconds`. */
  readonly pieceSeconds: number;
  /** How long neighbouring pieces overlap. Speakers are matched in the overlap. */
  readonly overlapSeconds: number;
  /** True for a track of one participant: its silence is left out, so it is always prepared if silence can be seen. */
  readonly leaveOutSilence: boolean;
  /** How many channels the file must have. Undefined if it does not matter. */
  readonly channels?: number | undefined;
};

/** The limits of a mixed file. */
export const mixedFileLimits: MediaLimits = {
  recordingSeconds: 24 * 3600,
  recordingBytes: 100 * 1000 ** 3,
  jobSeconds: 4 * 3600,
  jobBytes: 2 * 1024 ** 3,
  pieceSeconds: 4 * 3600,
  overlapSeconds: 60,
  leaveOutSilence: false,
};

/** The limits of a track of one participant: shorter pieces, which are recognized side by side and need no overlap. */
export const trackLimits: MediaLimits = {
  ...mixedFileLimits,
  pieceSeconds: 3600,
  overlapSeconds: 0,
  leaveOutSilence: true,
};

/** The container for each codec that can be copied. */
const outputs: Readonly<Record<string, OutputContainer>> = {
  aac: 'mp4',
  mp3: 'mp3',
  opus: 'ogg',
  vorbis: 'ogg',
  flac: 'flac',
  'pcm-u8': 'wav',
  'pcm-s16': 'wav',
  'pcm-s24': 'wav',
  'pcm-s32': 'wav',
  'pcm-f32': 'wav',
  'pcm-f64': 'wav',
  ulaw: 'wav',
  alaw: 'wav',
};

/** The bytes of a sample of the codecs whose files can be too large for a job although they are short enough. FLAC is at most as large as PCM. */
const sampleBytes: Readonly<Record<string, number>> = { ...pcmSampleBytes, flac: 4 };

const mostChannels = 32;
const leastSampleRate = 4000;
const mostSampleRate = 192_000;

/**
 * How much of a file one piece is cut from at most. A run of prepare-media has 12 minutes, and only whole pieces stay: at 30 MB a second it
 * reads 21 GB.
 */
const bytesOfRun = 16 * 1000 ** 3;

/** Space of a piece for headers and tables. */
const headerBytes = 1024 ** 2;

const takenByTranscribe: readonly MediaContainer[] = ['amr', 'flac', 'mp3', 'mp4', 'ogg', 'wav', 'webm'];

/** Why a file is refused, in the order in which the reasons are tried. */
const refusals: readonly (readonly [MediaRefusal, (facts: MediaFacts, limits: MediaLimits) => boolean])[] = [
  ['too_large', ({ bytes }, { recordingBytes }) => bytes > recordingBytes],
  ['no_audio', ({ audio }) => audio.length === 0],
  ['encrypted', ({ audio }) => audio[0]?.isEncrypted === true],
  ['too_long', ({ seconds }, { recordingSeconds }) => seconds > recordingSeconds],
  ['wrong_channels', ({ audio: [first] }, { channels }) => channels !== undefined && first?.channels !== channels],
  ['unreadable', ({ seconds, audio }) => !(seconds > 0) || !isPlausible(audio[0])],
  ['unsupported_codec', ({ audio, container }) => outputFor(audio[0]) === undefined && container !== 'amr'],
];

/**
 * Decides what has to be done with an audio track of a file: with the first one by default, which Transcribe would take. The
 * same facts and limits have the same plan, so that another run can go on with it.
 */
export function planMedia(file: MediaFacts, limits: MediaLimits, track = 0): MediaPlan {
  const facts = { ...file, audio: file.audio.slice(track, track + 1) };
  const refusal = refusals.find(([, applies]) => applies(facts, limits));
  if (refusal) return { kind: 'refused', code: refusal[0] };
  const [audio] = facts.audio;
  const isTaken = track === 0 && takenByTranscribe.includes(facts.container) && fitsJob(facts, limits);
  if (isTaken && !(limits.leaveOutSilence && canSeeSilence(audio?.codec))) {
    return { kind: 'as_is', container: facts.container };
  }
  return planPieces(audio, facts.seconds, limits, facts.bytes) ?? planUncut(facts);
}

/** AMR has no container to be copied into. So it is one job, also if the pieces of a stage are shorter. */
function planUncut(facts: MediaFacts): MediaPlan {
  return fitsJob(facts, mixedFileLimits)
    ? { kind: 'as_is', container: facts.container }
    : { kind: 'refused', code: 'too_long' };
}

function fitsJob({ seconds, bytes }: MediaFacts, { jobSeconds, jobBytes }: MediaLimits): boolean {
  return seconds <= jobSeconds && bytes <= jobBytes;
}

/** Plans to copy so many seconds of audio, of files of so many bytes, into pieces. Undefined if no container can carry its codec. */
export function planPieces(
  audio: AudioFacts | undefined,
  seconds: number,
  limits: MediaLimits,
  bytes: number,
): Extract<MediaPlan, { kind: 'prepare' }> | undefined {
  const output = outputFor(audio);
  if (!output || !audio) return undefined;
  const readable = bytes > bytesOfRun ? (seconds * bytesOfRun) / bytes : seconds;
  const longest = [limits.pieceSeconds, limits.jobSeconds, largestPiece(audio, limits.jobBytes), readable];
  const pieceSeconds = Math.min(...longest);
  return { kind: 'prepare', output, pieces: cut(seconds, pieceSeconds, limits.overlapSeconds) };
}

/** Whether silence of the codec shows without decoding it. Opus shows it only if its encoder used DTX or left packets out. */
export function canSeeSilence(codec: string | undefined): boolean {
  return codec === 'opus' || codec === 'pcm-s16' || codec === 'pcm-f32';
}

/** Cuts a length into pieces of equal length, which overlap. No piece is longer than `pieceSeconds`. */
export function cut(seconds: number, pieceSeconds: number, overlapSeconds: number): MediaSpan[] {
  if (seconds <= pieceSeconds) return [{ from: 0, to: seconds }];
  const overlap = Math.min(overlapSeconds, pieceSeconds / 2);
  const count = Math.ceil((seconds - overlap) / (pieceSeconds - overlap));
  const length = (seconds + (count - 1) * overlap) / count;
  return Array.from({ length: count }, (_, index) => {
    const from = index * (length - overlap);
    return { from, to: index === count - 1 ? seconds : from + length };
  });
}

/** Whether a recorder can have written audio of this kind. Broken headers claim more. */
function isPlausible(audio: AudioFacts | undefined): boolean {
  const { channels = 0, sampleRate = 0 } = audio ?? {};
  return channels > 0 && channels <= mostChannels && sampleRate >= leastSampleRate && sampleRate <= mostSampleRate;
}

function outputFor(audio: AudioFacts | undefined): OutputContainer | undefined {
  return audio?.codec === undefined ? undefined : outputs[audio.codec];
}

function largestPiece({ codec = '', channels, sampleRate }: AudioFacts, jobBytes: number): number {
  const bytesPerSecond = (sampleBytes[codec] ?? 0) * channels * sampleRate;
  return bytesPerSecond === 0 ? Number.POSITIVE_INFINITY : (jobBytes - headerBytes) / bytesPerSecond;
}
