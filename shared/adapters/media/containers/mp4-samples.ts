import type { MediaSource } from '../media-source.ts';
import { boxesIn, chunkOffsets, entriesOf, type Mp4Movie, type Mp4Track, timescaleOf } from './mp4-movie.ts';
import type { MediaPacket, PacketReader } from './packet-reader.ts';

/** PCM has a sample for each moment. So many of them are one packet, as mediabunny does it for WAV. */
const pcmSamplesInPacket = 2048;
/** How much of the end of a fragmented file is searched for the last fragment, step by step. */
const tailSteps = [1024 ** 2, 32 * 1024 ** 2];
const fragmentName = Buffer.from('moof');
/** The name stands in media by chance, too, but rarely. A malicious file could have it millions of times. */
const mostNames = 1000;

/** The length of a track in seconds by its tables, without what its edit list skips. 0 without samples. */
export function tableSeconds(movie: Mp4Movie, track: Mp4Track): number {
  const { view } = movie;
  const mdhd = track.boxes.get('mdhd');
  const stts = track.boxes.get('stts');
  const timescale = mdhd ? timescaleOf(view, mdhd) : 0;
  const entries = entriesOf(view, stts, 8);
  let ticks = 0;
  for (let entry = 0; stts && entry < entries; entry++) {
    const at = stts.start + 8 + entry * 8;
    ticks += view.getUint32(at) * view.getUint32(at + 4);
  }
  return timescale > 0 && ticks > 0 ? ticks / timescale + editOffset(movie, track, timescale) : 0;
}

/** The length of a fragmented file in seconds by its last fragment. Undefined if none is found. */
export async function fragmentedSeconds(source: MediaSource, movie: Mp4Movie, track: Mp4Track) {
  const { boxes } = track;
  const [tkhd, mdhd] = [boxes.get('tkhd'), boxes.get('mdhd')];
  if (!tkhd || !mdhd) return undefined;
  const trackId = movie.view.getUint32(tkhd.start + (movie.view.getUint8(tkhd.start) === 1 ? 20 : 12));
  let names = 0;
  for (const step of tailSteps) {
    const from = Math.max(0, source.bytes - step);
    const { bytes, start } = await source.read(from, step);
    const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let found = tail.lastIndexOf(fragmentName); found >= 4; found = tail.lastIndexOf(fragmentName, found - 1)) {
      if (start + found - 4 < from || ++names > mostNames) break;
      const ticks = fragmentTicks(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), found - 4, trackId);
      if (ticks !== undefined) return ticks / timescaleOf(movie.view, mdhd);
    }
  }
  return undefined;
}

/** The time at which a track's part of a fragment ends, as far as the fragment says. */
function fragmentTicks(view: DataView, offset: number, trackId: number): number | undefined {
  try {
    const end = offset + view.getUint32(offset);
    const trafs = [...boxesIn(view, offset + 8, Math.min(end, view.byteLength))].filter(({ name }) => name === 'traf');
    for (const traf of trafs) {
      const inner = new Map([...boxesIn(view, traf.start, traf.end)].map((box) => [box.name, box]));
      const [tfhd, tfdt, trun] = [inner.get('tfhd'), inner.get('tfdt'), inner.get('trun')];
      if (!tfhd || !tfdt || view.getUint32(tfhd.start + 4) !== trackId) continue;
      const isLong = view.getUint8(tfdt.start) === 1;
      const base =
        view.getUint32(tfdt.start + 4) * (isLong ? 2 ** 32 : 1) + (isLong ? view.getUint32(tfdt.start + 8) : 0);
      const flags = view.getUint32(tfhd.start) & 0xffffff;
      const before = (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
      const each = flags & 8 ? view.getUint32(tfhd.start + 8 + before) : 0;
      return base + each * (trun ? view.getUint32(trun.start + 4) : 0);
    }
  } catch {
    // The name stood in the media by chance.
  }
  return undefined;
}

/** What the edit list adds to times, in seconds: a late start, less what is skipped at the beginning. */
function editOffset({ view, timescale: movieTimescale }: Mp4Movie, { boxes }: Mp4Track, timescale: number): number {
  const elst = boxes.get('elst');
  if (!elst || elst.end - elst.start < 8) return 0;
  const isLong = view.getUint8(elst.start) === 1;
  const width = isLong ? 20 : 12;
  const entries = entriesOf(view, elst, width);
  let late = 0;
  for (let entry = 0; entry < entries; entry++) {
    const at = elst.start + 8 + entry * width;
    const duration = isLong ? view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4) : view.getUint32(at);
    const high = view.getInt32(at + (isLong ? 8 : 4));
    const mediaTime = isLong ? high * 2 ** 32 + view.getUint32(at + 12) : high;
    if (mediaTime >= 0) return late - mediaTime / timescale;
    if (movieTimescale > 0) late += duration / movieTimescale;
  }
  return late;
}

/**
 * Reads the samples of a track by its tables. Walks through the tables alone until the sample that plays at `from`. PCM has
 * `pcmFrameBytes`, since its tables may give any size.
 */
export function samplePackets(
  source: MediaSource,
  movie: Mp4Movie,
  track: Mp4Track,
  from: number,
  pcmFrameBytes: number | undefined,
): PacketReader {
  const { view } = movie;
  const mdhd = track.boxes.get('mdhd');
  const timescale = (mdhd && timescaleOf(view, mdhd)) || 1;
  const offset = editOffset(movie, track, timescale);
  // Before the beginning, an encoder's first packets lie, which decoders need.
  const fromTicks = from <= 0 ? Number.NEGATIVE_INFINITY : (from - offset) * timescale;
  const walk = sampleWalk(view, track, fromTicks, pcmFrameBytes);
  return {
    next() {
      const sample = walk.next();
      if (!sample || sample.position + sample.bytes > source.bytes) return undefined;
      const at = sample.ticks / timescale + offset;
      const seconds = sample.length / timescale;
      const packet = (window: { readonly bytes: Uint8Array; readonly start: number }): MediaPacket => {
        const start = sample.position - window.start;
        return { data: window.bytes.subarray(start, start + sample.bytes), at, seconds };
      };
      const found = source.read(sample.position, sample.bytes);
      return found instanceof Promise ? found.then(packet) : packet(found);
    },
  };
}

type Sample = { readonly position: number; readonly bytes: number; readonly ticks: number; readonly length: number };

/** Walks through the tables of a track, and returns samples that end after `fromTicks`. */
function sampleWalk(view: DataView, { boxes }: Mp4Track, fromTicks: number, pcmFrameBytes: number | undefined) {
  const tables = { sizes: boxes.get('stsz'), times: boxes.get('stts'), runs: boxes.get('stsc') };
  const offsets = boxes.get('stco') ?? boxes.get('co64');
  const { entries: chunks, width } = chunkOffsets(view, boxes);
  const timeEntries = entriesOf(view, tables.times, 8);
  const runEntries = entriesOf(view, tables.runs, 12);
  const samples = tables.sizes ? view.getUint32(tables.sizes.start + 8) : 0;
  const constantBytes = tables.sizes ? view.getUint32(tables.sizes.start + 4) : 0;
  let sample = 0;
  let ticks = 0;
  let time = { entry: -1, left: 0, length: 0 };
  let run = { entry: 0, samples: 0 };
  let chunk = { number: -1, left: 0, position: 0 };

  /** Goes to the next chunk, and to the run of chunks that it belongs to. */
  const nextChunk = (): boolean => {
    const number = chunk.number + 1;
    if (!offsets || !tables.runs || number >= chunks) return false;
    const firstChunk = (entry: number) => view.getUint32((tables.runs?.start ?? 0) + 8 + entry * 12) - 1;
    while (run.entry < runEntries && firstChunk(run.entry) <= number) {
      run = { entry: run.entry + 1, samples: view.getUint32(tables.runs.start + 8 + run.entry * 12 + 4) };
    }
    const at = offsets.start + 8 + number * width;
    const position = width === 8 ? view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4) : view.getUint32(at);
    chunk = { number, left: run.samples, position };
    return true;
  };
  const nextTime = (): boolean => {
    const entry = time.entry + 1;
    if (!tables.times || entry >= timeEntries) return false;
    const at = tables.times.start + 8 + entry * 8;
    time = { entry, left: view.getUint32(at), length: view.getUint32(at + 4) };
    return true;
  };

  return {
    next(): Sample | undefined {
      for (;;) {
        while (chunk.left === 0) if (!nextChunk()) return undefined;
        while (time.left === 0) if (!nextTime()) return undefined;
        if (sample >= samples) return undefined;
        const count = pcmFrameBytes ? Math.min(pcmSamplesInPacket, chunk.left, time.left, samples - sample) : 1;
        const listed = constantBytes || view.getUint32((tables.sizes?.start ?? 0) + 12 + sample * 4);
        const size = pcmFrameBytes ? pcmFrameBytes * count : listed;
        const found = { position: chunk.position, bytes: size, ticks, length: time.length * count };
        sample += count;
        ticks += found.length;
        time.left -= count;
        chunk.left -= count;
        chunk.position += size;
        if (ticks > fromTicks) return found;
      }
    },
  };
}
