import { MediaError } from '#shared/domain/media/media-refusal.ts';
import { opusSeconds } from '#shared/domain/media/opus-packet.ts';
import type { ByteWindow, MediaSource } from '../media-source.ts';
import { type MediaPacket, type OpenMedia, type PacketReader, skipUntil } from './packet-reader.ts';

// Ogg with Opus (RFC 3533, RFC 7845). mediabunny reads it too, but adds up the lengths of packets: after a hole, which LiveKit
// leaves for a muted microphone, its times are too early. Here the positions in the pages count.

const headerBytes = 27;
/** A page has at most 255 segments of 255 bytes. */
const largestPage = headerBytes + 255 + 255 * 255;
const samplesPerSecond = 48_000;
/** Positions are exact, but encoders of streams round them. A smaller difference is no hole. */
const roundedSamples = 240;
/** A longer hole is an error of the file. */
const longestHole = 24 * 3600 * samplesPerSecond;
/** The distance at which a search goes on page by page. */
const nearBytes = 512 * 1024;
/** The comments before the audio have some pages, with a picture some hundred. A malicious file could have millions of empty ones. */
const mostHeaderPages = 1000;

type Page = {
  readonly position: number;
  readonly end: number;
  readonly isContinued: boolean;
  readonly serial: number;
  /** The samples at the end of the last packet that ends on this page, or -1 if none does. */
  readonly granule: number;
  /** The bytes of segments, and whether each one ends a packet. */
  readonly segments: Uint8Array;
  readonly data: Uint8Array;
};

/** Opens an Ogg file whose first stream is Opus. Returns undefined for other streams. */
export async function openOggOpus(source: MediaSource): Promise<OpenMedia | undefined> {
  const first = await pageAt(source, 0);
  if (!first || latin1(first.data, 0, 8) !== 'OpusHead' || first.data.byteLength < 19) return undefined;
  const head = first.data.slice();
  const channels = head[9] ?? 0;
  const preSkip = (head[10] ?? 0) | ((head[11] ?? 0) << 8);
  const start = await firstAudioPage(source, first);
  const stream = { source, serial: first.serial, firstPage: start.position, base: start.base, preSkip };
  const last = await lastGranule(source, first.serial);
  const audio = [{ codec: 'opus', channels, sampleRate: samplesPerSecond, isEncrypted: false }];
  const seconds = Math.max(0, last - start.base - preSkip) / samplesPerSecond;
  return {
    facts: { container: 'ogg', bytes: source.bytes, seconds, audio, hasVideo: false },
    config: async () => ({
      codec: 'opus',
      numberOfChannels: channels,
      sampleRate: samplesPerSecond,
      description: head,
    }),
    packetsFrom: async (_, from) => skipUntil(packetsOf(stream, await pageBefore(stream, from)), from),
    close: source.close,
  };
}

type Stream = {
  readonly source: MediaSource;
  readonly serial: number;
  readonly firstPage: number;
  /** The position at which the stream begins: a recorder may join a stream that runs. */
  readonly base: number;
  readonly preSkip: number;
};

function packetsOf(stream: Stream, startPage: number): PacketReader {
  let position = startPage;
  let queue: MediaPacket[] = [];
  let taken = 0;
  let samples: number | undefined;
  let partial: Uint8Array[] | undefined;

  /** Places the packets that end on a page. A position beyond their length means that packets are missing before them. */
  const place = (packets: readonly Uint8Array[], granule: number) => {
    const lengths = packets.map((data) => Math.round(opusSeconds(data) * samplesPerSecond));
    const total = lengths.reduce((sum, length) => sum + length, 0);
    samples ??= Math.max(stream.base, granule - total);
    const hole = granule - (samples + total);
    if (granule >= 0 && hole > roundedSamples && hole < longestHole) samples += hole;
    for (const [index, data] of packets.entries()) {
      const length = lengths[index] ?? 0;
      const at = (samples - stream.base - stream.preSkip) / samplesPerSecond;
      if (length > 0) queue.push({ data, at, seconds: length / samplesPerSecond });
      samples += length;
    }
  };

  const refill = async (): Promise<MediaPacket | undefined> => {
    queue = [];
    taken = 0;
    while (queue.length === 0) {
      const page = (await pageAt(stream.source, position)) ?? (await nextPage(stream, position));
      if (!page) return undefined;
      position = page.end;
      if (page.serial !== stream.serial) continue;
      const packets: Uint8Array[] = [];
      partial = split(page, partial, packets);
      if (packets.length > 0) place(packets, page.granule);
    }
    return queue[taken++];
  };

  return { next: () => queue[taken++] ?? refill() };
}

/** Splits a page into the packets that end on it. Returns the beginning of the one that does not. */
function split(page: Page, partial: Uint8Array[] | undefined, packets: Uint8Array[]): Uint8Array[] | undefined {
  // The beginning of a continued packet lies on a page that was not read.
  let chunks: Uint8Array[] | undefined = page.isContinued ? partial : [];
  let start = 0;
  let offset = 0;
  for (const [index, length] of page.segments.entries()) {
    offset += length;
    if (length === 255 && index < page.segments.length - 1) continue;
    chunks?.push(page.data.subarray(start, offset));
    start = offset;
    if (length === 255) return chunks;
    if (chunks) packets.push(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    chunks = [];
  }
  return undefined;
}

/** The page that begins at a position. Undefined if none does, or if the file ends within it. */
async function pageAt(source: MediaSource, position: number): Promise<Page | undefined> {
  if (position + headerBytes > source.bytes) return undefined;
  const found = source.read(position, largestPage);
  return parsePage(found instanceof Promise ? await found : found, position);
}

function parsePage({ bytes, start }: ByteWindow, position: number): Page | undefined {
  const at = position - start;
  if (at + headerBytes > bytes.byteLength || latin1(bytes, at, 4) !== 'OggS') return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const segments = bytes.subarray(at + headerBytes, at + headerBytes + view.getUint8(26));
  const dataStart = at + headerBytes + segments.byteLength;
  const data = bytes.subarray(dataStart, dataStart + segments.reduce((sum, length) => sum + length, 0));
  const end = start + dataStart + segments.reduce((sum, length) => sum + length, 0);
  if (end > start + bytes.byteLength) return undefined;
  const granule = view.getInt32(10, true) * 2 ** 32 + view.getUint32(6, true);
  const isContinued = (view.getUint8(5) & 1) === 1;
  return { position, end, isContinued, serial: view.getUint32(14, true), granule, segments, data };
}

/** The first page with audio, and the position at which the stream begins. */
async function firstAudioPage(source: MediaSource, first: Page): Promise<{ position: number; base: number }> {
  let position = first.end;
  let packetsToSkip = 1; // the comment header, which may span pages
  for (let count = 0; count < mostHeaderPages; count++) {
    const page = await pageAt(source, position);
    if (!page) break;
    const ends = page.serial === first.serial ? page.segments.filter((length) => length < 255).length : 0;
    if (page.serial === first.serial && packetsToSkip === 0) {
      const packets: Uint8Array[] = [];
      split(page, undefined, packets);
      const length = packets.reduce((sum, data) => sum + Math.round(opusSeconds(data) * samplesPerSecond), 0);
      return { position, base: Math.max(0, page.granule - length) };
    }
    packetsToSkip = Math.max(0, packetsToSkip - ends);
    position = page.end;
  }
  throw new MediaError('truncated', 'The Ogg file ends before its audio.');
}

/** The position at the end of the stream: of the last page that can be found at the end of the file. */
async function lastGranule(source: MediaSource, serial: number): Promise<number> {
  const from = Math.max(0, source.bytes - 2 * largestPage);
  const window = await source.read(from, 2 * largestPage);
  let last = 0;
  for (const page of pagesIn(window, from)) if (page.serial === serial && page.granule >= 0) last = page.granule;
  return last;
}

/** The whole pages of a window. */
function* pagesIn(window: ByteWindow, from: number): Generator<Page> {
  const text = Buffer.from(window.bytes.buffer, window.bytes.byteOffset, window.bytes.byteLength);
  for (let at = text.indexOf('OggS', from - window.start); at >= 0; at = text.indexOf('OggS', at + 4)) {
    const page = parsePage(window, window.start + at);
    if (page) yield page;
  }
}

/** The next page of the stream after bytes that belong to none. */
async function nextPage({ source, serial }: Stream, position: number): Promise<Page | undefined> {
  for (let from = position; from + headerBytes < source.bytes; from += largestPage) {
    const window = await source.read(from, 2 * largestPage);
    for (const page of pagesIn(window, from)) if (page.serial === serial && page.position > position) return page;
  }
  return undefined;
}

/** The position of a page that ends before a time, found by halving the file. */
async function pageBefore(stream: Stream, seconds: number): Promise<number> {
  const samples = seconds * samplesPerSecond + stream.base + stream.preSkip;
  let low = stream.firstPage;
  let high = stream.source.bytes;
  while (seconds > 0 && high - low > nearBytes) {
    const middle = Math.floor((low + high) / 2);
    const window = await stream.source.read(middle, 2 * largestPage);
    const pages = [...pagesIn(window, middle)];
    const page = pages.find(({ serial, granule }) => serial === stream.serial && granule >= 0);
    if (page && page.position < high && page.granule <= samples) low = page.position;
    else high = middle;
  }
  return low;
}

function latin1(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length));
}
