import { MediaError } from '#shared/domain/media/media-refusal.ts';
import type { MediaSource } from '../media-source.ts';

// The boxes and tables of MP4 and QuickTime files (ISO/IEC 14496-12). mediabunny reads them too, but adds up the samples of a
// chunk for each of them, and ffmpeg puts the samples of a file with audio only into few chunks. It also makes an object for each
// of the four billion samples that a table of a few bytes may claim.

/** A box with its place in bytes. */
export type Box = { readonly name: string; readonly start: number; readonly end: number };

/** Files have a few boxes at the top, unless they are fragmented. Then the movie box comes first. */
const mostTopBoxes = 10_000;
const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts']);
/** A box of a movie has a dozen others, and the movie itself one for each track. A malicious file could have millions of empty ones. */
const mostBoxes = 250;
/** A recorder writes a track for each participant at most. */
export const mostTracks = 200;
/** A track has six boxes with others in them. */
const mostContainers = 20;
/** The tables of samples grow with the length of a recording. */
const tableNames: readonly string[] = ['stts', 'ctts', 'stsz', 'stz2', 'stsc', 'stco', 'co64', 'stss', 'sdtp', 'sbgp'];
/** What is not a table has a few kilobytes, or some megabytes of pictures. mediabunny takes seconds for 10 MB of tiny boxes. */
const largestRest = 8 * 1024 ** 2;

/** A track: the kind of its media, and its boxes in the movie. */
export type Mp4Track = { readonly handler: string; readonly boxes: ReadonlyMap<string, Box> };

/** The movie box of a file. */
export type Mp4Movie = {
  /** The content of the movie box. Offsets of boxes count from its beginning. */
  readonly view: DataView;
  readonly audio: readonly Mp4Track[];
  readonly hasVideo: boolean;
  /** True if the samples stand in fragments after the movie box. */
  readonly isFragmented: boolean;
  /** Ticks of edit lists a second. */
  readonly timescale: number;
};

/** Reads the movie box of an MP4 or QuickTime file. Throws a MediaError if the file is truncated, or claims more than a real file has. */
export async function mp4Movie(source: MediaSource): Promise<Mp4Movie> {
  const moov = await findMovie(source);
  const window = await source.read(moov.start, moov.end - moov.start);
  const bytes = window.bytes.slice(moov.start - window.start, moov.end - window.start);
  const view = new DataView(bytes.buffer);
  const top = [...boxesIn(view, 0, view.byteLength)];
  const traks = top.filter(({ name }) => name === 'trak');
  if (traks.length > mostTracks) throw new MediaError('unreadable', 'The file has too many tracks.');
  const tracks = traks.map((trak) => trackOf(view, trak));
  const tableBytes = tracks.flatMap(({ boxes }) => tableNames.map((name) => bytesOf(boxes.get(name))));
  if (view.byteLength - tableBytes.reduce((sum, bytes) => sum + bytes, 0) > largestRest) {
    throw new MediaError('unreadable', 'The movie box of the MP4 file is too large.');
  }
  const audio = tracks.filter(({ handler }) => handler === 'soun');
  for (const { boxes } of audio) checkTables(view, boxes, source.bytes);
  const mvhd = top.find(({ name }) => name === 'mvhd');
  return {
    view,
    audio,
    hasVideo: tracks.some(({ handler }) => handler === 'vide'),
    isFragmented: top.some(({ name }) => name === 'mvex'),
    timescale: mvhd ? timescaleOf(view, mvhd) : 0,
  };
}

/** Whether the sample description is of encrypted audio. */
export function isEncrypted(view: DataView, { boxes }: Mp4Track): boolean {
  const stsd = boxes.get('stsd');
  return stsd !== undefined && stsd.end - stsd.start >= 16 && ascii(view, stsd.start + 12) === 'enca';
}

/** The ticks a second of a movie header or a media header. */
export function timescaleOf(view: DataView, { start, end }: Box): number {
  const offset = view.getUint8(start) === 1 ? start + 20 : start + 12;
  return offset + 4 <= end ? view.getUint32(offset) : 0;
}

/** Finds the content of the movie box. Most recorders write it at the end, after the media. */
async function findMovie(source: MediaSource): Promise<Box> {
  let position = 0;
  for (let count = 0; count < mostTopBoxes && position + 8 <= source.bytes; count++) {
    const window = await source.read(position, 16);
    const view = new DataView(window.bytes.buffer, window.bytes.byteOffset, window.bytes.byteLength);
    const box = boxAt(view, position - window.start, source.bytes - window.start);
    if (!box) throw new MediaError('unreadable', 'A box of the MP4 file has no size.');
    const end = window.start + box.end;
    if (box.name === 'moov' && end <= source.bytes) return { ...box, start: window.start + box.start, end };
    if (end > source.bytes) break;
    position = end;
  }
  throw new MediaError('truncated', 'The MP4 file ends before its tables.');
}

/** The box at an offset. `start` is the offset of its content. */
function boxAt(view: DataView, offset: number, limit: number): Box | undefined {
  if (offset + 8 > view.byteLength) return undefined;
  const size = view.getUint32(offset);
  const name = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset + 4, 4));
  if (size === 0) return { name, start: offset + 8, end: limit };
  if (size !== 1) return size < 8 ? undefined : { name, start: offset + 8, end: offset + size };
  if (offset + 16 > view.byteLength) return undefined;
  const large = view.getUint32(offset + 8) * 2 ** 32 + view.getUint32(offset + 12);
  return large < 16 ? undefined : { name, start: offset + 16, end: offset + large };
}

/** The boxes within a range of bytes. Throws for a box that is larger, and for more boxes than a real file has. */
export function* boxesIn(view: DataView, start: number, end: number): Generator<Box> {
  let count = 0;
  for (let offset = start; offset + 8 <= end; ) {
    if (++count > mostBoxes) throw new MediaError('unreadable', 'A box of the MP4 file has too many others.');
    const box = boxAt(view, offset, end);
    if (!box || box.end > end)
      throw new MediaError('unreadable', 'A box of the MP4 file is larger than the box around it.');
    yield box;
    offset = box.end;
  }
}

function trackOf(view: DataView, trak: Box): Mp4Track {
  const boxes = new Map<string, Box>();
  const pending = [trak];
  let entered = 0;
  for (let box = pending.pop(); box; box = pending.pop()) {
    if (++entered > mostContainers) throw new MediaError('unreadable', 'A track of the MP4 file has too many boxes.');
    for (const inner of boxesIn(view, box.start, box.end)) {
      if (containers.has(inner.name)) pending.push(inner);
      else boxes.set(inner.name, inner);
    }
  }
  const hdlr = boxes.get('hdlr');
  // QuickTime has a second handler, of data references, in the media information. The first one was found last.
  return { handler: hdlr && hdlr.end - hdlr.start >= 12 ? handlerOf(view, trak) : '', boxes };
}

function bytesOf(box: Box | undefined): number {
  return box ? box.end - box.start : 0;
}

function handlerOf(view: DataView, trak: Box): string {
  const mdia = [...boxesIn(view, trak.start, trak.end)].find(({ name }) => name === 'mdia');
  const hdlr = mdia && [...boxesIn(view, mdia.start, mdia.end)].find(({ name }) => name === 'hdlr');
  return hdlr && hdlr.end - hdlr.start >= 12 ? ascii(view, hdlr.start + 8) : '';
}

function ascii(view: DataView, offset: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, 4));
}

function checkTables(view: DataView, boxes: ReadonlyMap<string, Box>, fileBytes: number): void {
  const { entries: chunks, width } = chunkOffsets(view, boxes);
  for (let chunk = 0, box = boxes.get('stco') ?? boxes.get('co64'); box && chunk < chunks; chunk++) {
    const at = box.start + 8 + chunk * width;
    const offset = width === 8 ? view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4) : view.getUint32(at);
    if (offset > fileBytes) throw new MediaError('truncated', 'The MP4 file ends before its audio.');
  }
  const stsz = boxes.get('stsz');
  if (!stsz) return;
  if (stsz.end - stsz.start < 12) throw tooMany();
  const isConstant = view.getUint32(stsz.start + 4) !== 0;
  if (!isConstant && view.getUint32(stsz.start + 8) * 4 > stsz.end - stsz.start - 12) throw tooMany();
}

/** Whether the tables of the movie box hold samples of a track. */
export function hasTableSamples(view: DataView, { boxes }: Mp4Track): boolean {
  return entriesOf(view, boxes.get('stts'), 8) + entriesOf(view, boxes.get('stsc'), 12) > 0;
}

/** How many chunks there are, and the bytes of an offset. */
export function chunkOffsets(view: DataView, boxes: ReadonlyMap<string, Box>): { entries: number; width: 4 | 8 } {
  const width = boxes.has('stco') ? 4 : 8;
  return { entries: entriesOf(view, boxes.get('stco') ?? boxes.get('co64'), width), width };
}

const tooMany = () =>
  new MediaError('unreadable', 'The tables of the MP4 file claim more samples than a recording has.');

/** The entries of a table. Throws if the table claims more entries than it has. */
export function entriesOf(view: DataView, box: Box | undefined, entryBytes: number): number {
  if (!box) return 0;
  const entries = box.end - box.start >= 8 ? view.getUint32(box.start + 4) : 0;
  if (entries * entryBytes > box.end - box.start - 8) throw tooMany();
  return entries;
}
