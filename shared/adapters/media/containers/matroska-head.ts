import type { AudioFacts } from '#shared/domain/media/media-plan.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import type { MediaSource } from '../media-source.ts';
import { elementHeader, elementsIn, float, longestHeader, text, unsigned } from './ebml.ts';

/** The ids of elements (RFC 9559). */
export const ids = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  bitDepth: 0x6264,
  encodings: 0x6d80,
  encoding: 0x6240,
  compression: 0x5034,
  compressionAlgorithm: 0x4254,
  compressionSettings: 0x4255,
  encryption: 0x5035,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
} as const;

/** An audio track of a Matroska file. */
export type MatroskaTrack = AudioFacts & {
  readonly number: number;
  readonly codecPrivate: Uint8Array | undefined;
  /** Bytes that were stripped from the beginning of every packet. */
  readonly prefix: Uint8Array;
  /** False if packets are compressed in a way that no recorder uses. */
  readonly isReadable: boolean;
};

/** What the head of a Matroska file says. */
export type MatroskaHead = {
  readonly isWebm: boolean;
  readonly audio: readonly MatroskaTrack[];
  readonly hasVideo: boolean;
  /** The length of a tick of timestamps, in seconds. */
  readonly tick: number;
  /** The length in ticks, if the header has one. */
  readonly duration: number | undefined;
  readonly firstCluster: number;
};

/** Info and Tracks have a few kilobytes. */
const largestHead = 1024 ** 2;
/** A recorder writes a track for each participant at most. */
const mostTracks = 200;
/** The headers of packets that are stripped have a few bytes. A longer prefix would make small packets large. */
const longestPrefix = 64;
/** The elements before the first cluster: seek heads, tags, cues, attachments and padding. */
const mostElements = 200;
const matroskaVideo = 1;
const matroskaAudio = 2;

/** Reads the head of a Matroska or WebM file. Throws a MediaError if it is none, or if it ends before its first cluster. */
export async function matroskaHead(source: MediaSource): Promise<MatroskaHead> {
  const found: { info?: Uint8Array; tracks?: Uint8Array; docType?: string } = {};
  let position = 0;
  for (let count = 0; count < mostElements; count++) {
    const window = await source.read(position, longestHeader);
    const header = elementHeader(window.bytes, position - window.start);
    if (!header) break;
    const start = position + header.bytes;
    // A recorder that still writes, or that crashed, leaves the size unknown. A known one was right when the file was complete.
    if (header.id === ids.segment && start + (header.size ?? 0) > source.bytes)
      throw new MediaError('truncated', 'The Matroska file ends before its header says.');
    if (header.id === ids.cluster) return headOf(found, position);
    // A recorder that crashed leaves a segment of unknown size, which is read as far as it goes. This is a part of a file.
    if (header.id === ids.segment && header.size !== undefined && start + header.size > source.bytes) {
      throw new MediaError('truncated', 'The Matroska file ends before its last cluster.');
    }
    position = header.id === ids.segment ? start : start + (header.size ?? source.bytes);
    const isWanted = header.id === ids.ebml || header.id === ids.info || header.id === ids.tracks;
    if (!isWanted) continue;
    const data = await elementData(source, start, header.size);
    if (header.id === ids.info) found.info = data;
    else if (header.id === ids.tracks) found.tracks = data;
    else found.docType = text(child(data, ids.docType) ?? new Uint8Array());
  }
  const isComplete = found.tracks !== undefined && position <= source.bytes;
  throw new MediaError(isComplete ? 'no_audio' : 'truncated', 'The Matroska file has no clusters.');
}

async function elementData(source: MediaSource, start: number, size: number | undefined): Promise<Uint8Array> {
  if (size === undefined || size > largestHead)
    throw new MediaError('unreadable', 'A header of the file is too large.');
  if (start + size > source.bytes) throw new MediaError('truncated', 'The file ends within its header.');
  const window = await source.read(start, size);
  return window.bytes.subarray(start - window.start, start - window.start + size);
}

function headOf(
  { info, tracks, docType }: { info?: Uint8Array; tracks?: Uint8Array; docType?: string },
  firstCluster: number,
): MatroskaHead {
  if (!tracks) throw new MediaError('unreadable', 'The Matroska file has no tracks before its first cluster.');
  const scale = info && child(info, ids.timestampScale);
  const duration = info && child(info, ids.duration);
  const entries = [...elementsIn(tracks)].filter(({ id }) => id === ids.trackEntry).map(({ data }) => data);
  if (entries.length > mostTracks) throw new MediaError('unreadable', 'The file has too many tracks.');
  const isOfType = (type: number) => (entry: Uint8Array) => numberIn(entry, ids.trackType) === type;
  return {
    isWebm: docType === 'webm',
    audio: entries.filter(isOfType(matroskaAudio)).map(trackOf),
    hasVideo: entries.some(isOfType(matroskaVideo)),
    tick: (scale && unsigned(scale) > 0 ? unsigned(scale) : 1e6) / 1e9,
    duration: duration && float(duration) > 0 ? float(duration) : undefined,
    firstCluster,
  };
}

function trackOf(entry: Uint8Array): MatroskaTrack {
  const audio = child(entry, ids.audio) ?? new Uint8Array();
  const encodings = [...elementsIn(child(entry, ids.encodings) ?? new Uint8Array())]
    .filter(({ id }) => id === ids.encoding)
    .map(({ data }) => data);
  const compressions = encodings.map((data) => child(data, ids.compression)).filter((data) => data !== undefined);
  const headerStripping = 3;
  const isStripped = (data: Uint8Array) => numberIn(data, ids.compressionAlgorithm) === headerStripping;
  const rate = child(audio, ids.samplingFrequency);
  const prefix = compressions[0] && child(compressions[0], ids.compressionSettings);
  return {
    number: numberIn(entry, ids.trackNumber) ?? 0,
    codec: codecOf(text(child(entry, ids.codecId) ?? new Uint8Array()), numberIn(audio, ids.bitDepth)),
    channels: numberIn(audio, ids.channels) ?? 1,
    sampleRate: rate ? float(rate) : 8000,
    isEncrypted: encodings.some((data) => child(data, ids.encryption) !== undefined),
    codecPrivate: child(entry, ids.codecPrivate)?.slice(),
    prefix: prefix?.slice(0, longestPrefix) ?? new Uint8Array(),
    isReadable:
      compressions.every(isStripped) && compressions.length <= 1 && (prefix?.byteLength ?? 0) <= longestPrefix,
  };
}

const codecs: Readonly<Record<string, string>> = {
  A_OPUS: 'opus',
  A_VORBIS: 'vorbis',
  'A_MPEG/L3': 'mp3',
  A_FLAC: 'flac',
};

function codecOf(codecId: string, bits = 0): string | undefined {
  if (codecId.startsWith('A_AAC')) return 'aac';
  if (codecId === 'A_PCM/INT/LIT') return { 8: 'pcm-u8', 16: 'pcm-s16', 24: 'pcm-s24', 32: 'pcm-s32' }[bits];
  if (codecId === 'A_PCM/FLOAT/IEEE') return { 32: 'pcm-f32', 64: 'pcm-f64' }[bits];
  return codecs[codecId];
}

function child(data: Uint8Array, wanted: number): Uint8Array | undefined {
  for (const { id, data: found } of elementsIn(data)) if (id === wanted) return found;
  return undefined;
}

function numberIn(data: Uint8Array, id: number): number | undefined {
  const found = child(data, id);
  return found && unsigned(found);
}
