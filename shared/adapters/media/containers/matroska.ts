import { MediaError } from '#shared/domain/media/media-refusal.ts';
import type { MediaSource } from '../media-source.ts';
import { elementHeader, longestHeader, unsigned, variableInteger } from './ebml.ts';
import { ids, type MatroskaHead, type MatroskaTrack, matroskaHead } from './matroska-head.ts';
import { framesOf } from './matroska-lacing.ts';
import { packetSeconds } from './packet-length.ts';
import { type MediaPacket, type OpenMedia, type PacketReader, skipUntil } from './packet-reader.ts';

// Matroska and WebM (RFC 9559), read as one flat sequence of blocks. mediabunny reads them too, but keeps whole clusters in
// memory, reads the file from its beginning to find a time without cues, and takes quadratic time for some laces.

/** A packet of audio has less. */
const largestBlock = 4 * 1024 ** 2;
/** Elements that are entered. All others are skipped by their size. */
const entered: readonly number[] = [ids.segment, ids.cluster, ids.blockGroup];
/** How much of the end is searched for the last cluster, step by step. */
const tailSteps = [256 * 1024, 8 * 1024 ** 2, 64 * 1024 ** 2];
/** The distance at which a search goes on block by block. */
const nearBytes = 16 * 1024 ** 2;
const searchBytes = 1024 ** 2;
const clusterId = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);

/** Opens a Matroska or WebM file. */
export async function openMatroska(source: MediaSource): Promise<OpenMedia> {
  const head = await matroskaHead(source);
  const [track] = head.audio;
  const seconds = track ? await lengthOf(source, head) : 0;
  const container = head.isWebm ? 'webm' : 'matroska';
  return {
    facts: { container, bytes: source.bytes, seconds, audio: head.audio.map(audioOf), hasVideo: head.hasVideo },
    config: async (number) => configOf(required(head.audio[number])),
    packetsFrom: async (number, from) => {
      const packets = packetsOf(source, head, required(head.audio[number]), await clusterBefore(source, head, from));
      return skipUntil(packets, from);
    },
    close: source.close,
  };
}

function required(track: MatroskaTrack | undefined): MatroskaTrack {
  if (!track) throw new MediaError('no_audio', 'The file has no such audio track.');
  if (!track.isReadable) throw new MediaError('unsupported_codec', 'The packets of the audio track are compressed.');
  return track;
}

function audioOf({ codec, channels, sampleRate, isEncrypted }: MatroskaTrack) {
  return { codec, channels, sampleRate, isEncrypted };
}

function configOf({ codec = '', channels, sampleRate, codecPrivate }: MatroskaTrack): AudioDecoderConfig {
  return {
    codec: codec === 'aac' ? 'mp4a.40.2' : codec,
    numberOfChannels: channels,
    sampleRate,
    ...(codecPrivate && { description: codecPrivate }),
  };
}

type Block = { readonly track: number; readonly ticks: number; readonly data: Uint8Array; readonly flags: number };

/** Reads blocks from a position on. Data of other tracks than `wanted` is not read. */
function blocksOf(source: MediaSource, start: number, wanted?: number) {
  let position = start;
  let clusterTicks = 0;
  const readBlock = async (at: number, size: number): Promise<Block | undefined> => {
    const head = await source.read(at, Math.min(size, longestHeader));
    const track = variableInteger(head.bytes, at - head.start);
    if (!track || size < track.bytes + 3 || at + track.bytes + 3 > head.end) return undefined;
    const headBytes = track.bytes + 3;
    const view = new DataView(head.bytes.buffer, head.bytes.byteOffset + at - head.start + track.bytes);
    const ticks = clusterTicks + view.getInt16(0);
    const flags = view.getUint8(2);
    if (track.value !== wanted) return { track: track.value, ticks, flags, data: new Uint8Array() };
    if (size > largestBlock) throw new MediaError('unreadable', 'A packet of the file claims to be too large.');
    if (at + size > source.bytes) return undefined; // the file was cut within its last packet
    const found = source.read(at, size);
    const { bytes, start: from } = found instanceof Promise ? await found : found;
    return { track: track.value, ticks, flags, data: bytes.subarray(at - from + headBytes, at - from + size) };
  };
  return {
    /** Returns the next block, or undefined at the end. */
    async next(): Promise<Block | undefined> {
      while (position < source.bytes) {
        const found = source.read(position, longestHeader);
        const window = found instanceof Promise ? await found : found;
        const header = elementHeader(window.bytes, position - window.start);
        if (!header) {
          const cluster = await findCluster(source, position + 1, source.bytes);
          if (!cluster) return undefined;
          position = cluster.position;
          continue;
        }
        const at = position + header.bytes;
        position = entered.includes(header.id) ? at : at + (header.size ?? 0);
        if (header.size === undefined) continue;
        if (header.id === ids.timestamp) {
          const data = await source.read(at, header.size);
          clusterTicks = unsigned(data.bytes.subarray(at - data.start, at - data.start + Math.min(header.size, 8)));
        } else if (header.id === ids.simpleBlock || header.id === ids.block) {
          const block = await readBlock(at, header.size);
          if (block && (wanted === undefined || block.track === wanted)) return block;
        }
      }
      return undefined;
    },
  };
}

function packetsOf(source: MediaSource, { tick }: MatroskaHead, track: MatroskaTrack, start: number): PacketReader {
  const blocks = blocksOf(source, start, track.number);
  const queue: MediaPacket[] = [];
  let last = { at: 0, seconds: 0 };
  // Of some codecs, the length of a packet is known when the next one comes.
  let open: { readonly data: Uint8Array; readonly at: number } | undefined;

  const close = (until: number | undefined) => {
    if (!open) return;
    const seconds = until === undefined ? last.seconds : Math.max(0, until - open.at);
    last = { at: open.at, seconds };
    queue.push({ ...open, seconds });
    open = undefined;
  };
  const take = (block: Block) => {
    let at = block.ticks * tick;
    close(at);
    for (const frame of framesOf(block.data, block.flags)) {
      if (frame.byteLength === 0) continue; // a lace of six bytes may claim 256 of them
      const data = track.prefix.byteLength > 0 ? Buffer.concat([track.prefix, frame]) : frame;
      const seconds = packetSeconds(track, data);
      if (seconds === undefined) {
        close(at);
        open = { data, at };
      } else {
        queue.push({ data, at, seconds });
        at += seconds;
      }
    }
  };
  const refill = async (): Promise<MediaPacket | undefined> => {
    while (queue.length === 0) {
      const block = await blocks.next();
      if (block) take(block);
      else if (open) close(undefined);
      else return undefined;
    }
    return queue.shift();
  };
  return { next: () => queue.shift() ?? refill() };
}

/** The length in seconds: of the header, or until the last block of any track, which stands in the last cluster. */
async function lengthOf(source: MediaSource, head: MatroskaHead): Promise<number> {
  if (head.duration !== undefined) return head.duration * head.tick;
  for (const step of tailSteps) {
    const from = Math.max(head.firstCluster, source.bytes - step);
    await source.read(from, step); // at once, so that the search reads no more
    const cluster = await findCluster(source, from, source.bytes);
    if (!cluster && from > head.firstCluster) continue;
    const blocks = blocksOf(source, cluster?.position ?? head.firstCluster);
    let ticks = 0;
    for (let block = await blocks.next(); block; block = await blocks.next()) ticks = Math.max(ticks, block.ticks);
    if (ticks > 0 || from === head.firstCluster) return ticks * head.tick;
  }
  throw new MediaError('unreadable', 'The end of the file has no cluster.');
}

/** The position of a cluster that begins before a time, found by halving the file. */
async function clusterBefore(source: MediaSource, head: MatroskaHead, seconds: number): Promise<number> {
  let low = head.firstCluster;
  let high = source.bytes;
  while (seconds > 0 && high - low > nearBytes) {
    const middle = Math.floor((low + high) / 2);
    const cluster = await findCluster(source, middle, high);
    if (cluster && cluster.ticks * head.tick <= seconds) low = cluster.position;
    else high = middle;
  }
  return low;
}

/** The next cluster within `[from, to)` that begins with its timestamp, as all do. */
async function findCluster(source: MediaSource, from: number, to: number) {
  for (let at = from; at < to; at += searchBytes) {
    const window = await source.read(at, searchBytes + 64);
    const bytes = Buffer.from(window.bytes.buffer, window.bytes.byteOffset, window.bytes.byteLength);
    const limit = Math.min(at + searchBytes, to) - window.start;
    for (
      let found = bytes.indexOf(clusterId, at - window.start);
      found >= 0;
      found = bytes.indexOf(clusterId, found + 4)
    ) {
      if (found >= limit) break;
      const ticks = timestampAt(bytes, found);
      if (ticks !== undefined) return { position: window.start + found, ticks };
    }
  }
  return undefined;
}

/** The timestamp of the cluster that begins at a place of the bytes. */
function timestampAt(bytes: Uint8Array, at: number): number | undefined {
  const cluster = elementHeader(bytes, at);
  if (!cluster) return undefined;
  let child = at + cluster.bytes;
  for (let count = 0; count < 4; count++) {
    const header = elementHeader(bytes, child);
    if (!header || header.size === undefined || header.size > 64) return undefined;
    const start = child + header.bytes;
    if (header.id === ids.timestamp) return unsigned(bytes.subarray(start, start + header.size));
    child = start + header.size;
  }
  return undefined;
}
