/** Numbers of 32 bits. */
export const u32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex')));

/** A box of MP4. */
export const box = (name: string, ...content: Uint8Array[]): Buffer => {
  const data = Buffer.concat(content);
  return Buffer.concat([u32(data.byteLength + 8), Buffer.from(name), data]);
};

/** The first box of an MP4 file. */
export const ftyp = box('ftyp', Buffer.from('isom'), u32(0));

/** The movie of an MP4 file with one audio track and the given tables, and with boxes after the track. */
export function movie(tables: Buffer, sampleEntry = 'mp4a', ...rest: Buffer[]): Buffer {
  const entry = box(sampleEntry, u32(0, 1, 0, 0), Buffer.from([0, 2, 0, 16]), u32(0), u32(48_000 * 65_536));
  const stbl = box('stbl', box('stsd', u32(0, 1), entry), tables);
  const mdhd = box('mdhd', u32(0, 0, 0, 48_000, 0, 0));
  const hdlr = box('hdlr', u32(0, 0), Buffer.from('soun'), u32(0, 0, 0), Buffer.from([0]));
  const tkhd = box('tkhd', u32(0, 0, 0, 1, 0, 0), Buffer.alloc(60));
  const mvhd = box('mvhd', u32(0, 0, 0, 1000, 0), Buffer.alloc(80));
  return box('moov', mvhd, box('trak', tkhd, box('mdia', mdhd, hdlr, box('minf', stbl))), ...rest);
}

/** Tables of three samples. */
export const tables = ({
  stsz = u32(0, 100, 3, 0),
  stts = u32(0, 1, 3, 1024),
  stsc = u32(0, 1, 1, 3, 1),
  stco = u32(0, 1, 40),
} = {}) => Buffer.concat([box('stts', stts), box('stsc', stsc), box('stsz', stsz), box('stco', stco)]);
