import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspectMedia, openMedia } from '#shared/adapters/media/inspect-media.ts';
import { type MediaFile, mediaSource, wholeBudget } from '#shared/adapters/media/media-source.ts';
import { mixedFileLimits, planMedia } from '#shared/domain/media/media-plan.ts';
import { MediaError, type MediaRefusal } from '#shared/domain/media/media-refusal.ts';
import { box, ftyp, movie, tables, u32 } from '../../../support/media/made-boxes.ts';
import { aacPackets, madeFormats, madeMedia, opusPackets, pcmPackets } from '../../../support/media/made-media.ts';
import { generatedFile, memoryFile } from '../../../support/media/media-files.ts';
import { prepared } from '../../../support/media/prepared-pieces.ts';
import { element, sizeBytes, webmHead } from '../../../support/media/sparse-media.ts';

const { signal } = new AbortController();
const limits = { jobSeconds: 3, pieceSeconds: 3, overlapSeconds: 1 };
const large = 50e9;

/** What becomes of a file: its code, or 'read'. Fails if it takes more memory or reads than it may. */
async function outcomeOf(file: MediaFile): Promise<'read' | MediaRefusal> {
  const before = process.memoryUsage().arrayBuffers;
  try {
    const { facts, reads, bytesRead } = await inspectMedia(file, signal);
    expect(reads).toBeLessThanOrEqual(64);
    expect(bytesRead).toBeLessThan(300e6);
    const plan = planMedia(facts, { ...mixedFileLimits, ...limits });
    if (plan.kind !== 'prepare' || plan.pieces.length > 1000) return plan.kind === 'refused' ? plan.code : 'read';
    await prepared(file, limits);
    return 'read';
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    return error.code;
  } finally {
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e9);
  }
}

/** A file of 50 GB that begins with some bytes and goes on with zeros. */
const sparse = (...head: Uint8Array[]) => {
  const bytes = Buffer.concat(head);
  return generatedFile(large, (start, end) => {
    const content = new Uint8Array(end - start);
    content.set(bytes.subarray(start, end));
    return content;
  });
};

const most = 0xffffffff;

/** A head of WebM whose segment has a known size, with the beginning of a cluster. */
function withSegmentSize(head: Uint8Array, size: number): Uint8Array {
  const bytes = Buffer.concat([head, Buffer.from('1f43b675ff', 'hex')]);
  bytes.set(sizeBytes(size), bytes.indexOf(Buffer.from('18538067', 'hex')) + 4);
  return bytes;
}

describe('a hostile file is refused', () => {
  test.each<[string, string | RegExp, MediaFile]>([
    ['empty', 'truncated', memoryFile(new Uint8Array())],
    ['text', 'not_media', memoryFile(Buffer.from('Meeting notes, not a recording.'))],
    ['a playlist', 'not_media', memoryFile(Buffer.from('#EXTM3U\n#EXTINF:1,\nhttp://169.254.169.254/latest\n'))],
    ['an MP4 without tables', 'truncated', memoryFile(Buffer.concat([ftyp, box('mdat', Buffer.alloc(100))]))],
    [
      'an MP4 whose media goes beyond the file',
      'truncated',
      memoryFile(Buffer.concat([ftyp, u32(most), Buffer.from('mdat')])),
    ],
    [
      'an MP4 whose audio lies beyond the file',
      'truncated',
      memoryFile(Buffer.concat([ftyp, movie(tables({ stco: u32(0, 1, 1e6) }))])),
    ],
    ['an MP4 with a movie of 40 GB', 'unreadable', sparse(ftyp, u32(1), Buffer.from('moov'), u32(9, 0))],
    [
      'an MP4 box of no size',
      'unreadable',
      memoryFile(Buffer.concat([ftyp, u32(4), Buffer.from('free'), Buffer.alloc(50)])),
    ],
    [
      'an MP4 with four billion samples of one size',
      'unreadable',
      sparse(ftyp, movie(tables({ stsz: u32(0, 0, most) }))),
    ],
    ['an MP4 with four billion times', 'too_long', sparse(ftyp, movie(tables({ stts: u32(0, 1, most, 1024) })))],
    ['an MP4 with four billion entries', 'unreadable', sparse(ftyp, movie(tables({ stts: u32(0, most, 1, 1) })))],
    [
      'an MP4 table with more entries than it has',
      'unreadable',
      memoryFile(Buffer.concat([ftyp, movie(tables({ stts: u32(0, 3, 1, 1) }))])),
    ],
    ['an encrypted MP4', 'encrypted', memoryFile(Buffer.concat([ftyp, movie(tables(), 'enca')]))],
    ['a WebM that ends in its head', 'truncated', memoryFile(webmHead().subarray(0, 120))],
    ['a WebM that ends before its segment', 'truncated', memoryFile(withSegmentSize(webmHead(), 1000))],
    [
      'a WebM whose tracks have 40 GB',
      'unreadable',
      sparse(webmHead().subarray(0, 64), Buffer.from('1654ae6b', 'hex'), sizeBytes(40e9)),
    ],
    [
      'a WebM whose packet has 40 GB',
      'unreadable',
      sparse(
        webmHead(),
        Buffer.from('1f43b67501ffffffffffffffe78100a3', 'hex'),
        sizeBytes(40e9),
        Buffer.from([0x81, 0, 0, 0x80]),
      ),
    ],
    ['a WebM of zeros', /truncated|unreadable|no_audio/, sparse(webmHead())],
    ['an Ogg of zeros', /unreadable|truncated|no_audio/, sparse(Buffer.from('OggS'))],
    [
      'a WAV whose sound goes beyond the file',
      'truncated',
      memoryFile(
        Buffer.concat([
          Buffer.from('RIFF\0\0\0\0WAVEdata'),
          Buffer.from([255, 255, 255, 127, 1]),
          Buffer.from('x'),
        ]).fill(0x7e, 19, 20),
      ),
    ],
    [
      'a WAV with a million chunks',
      'truncated',
      memoryFile(Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), Buffer.alloc(8e6)])),
    ],
    ['an MP3 of zeros after its first frame', /unreadable|not_media/, sparse(Buffer.from('fffb9064', 'hex'))],
    [
      'an ID3 tag of 256 MB',
      /unreadable|not_media/,
      sparse(Buffer.from('49443304000000007f7f7f7f'.replace('0000', '00'), 'hex')),
    ],
    [
      'a FLAC of zeros',
      /read|not_media|no_audio/,
      sparse(Buffer.from('fLaC\x80\0\0\x22', 'latin1'), Buffer.alloc(34, 1)),
    ],
    ['AAC frames of zeros', /unreadable|not_media|too_long/, sparse(Buffer.from('fff15080', 'hex'))],
  ])('%s as %s', async (_, code, file) => {
    expect(await outcomeOf(file)).toMatch(code);
  });

  test('a WebM with tracks of 50 MB or with a packet of 10 MB is refused without reading them', async () => {
    const tracks = [webmHead().subarray(0, 64), Buffer.from('1654ae6b', 'hex'), sizeBytes(50e6)];
    const cluster = element(
      0x1f43b675,
      element(0xe7, [9]),
      Buffer.from('a3', 'hex'),
      sizeBytes(10e6),
      [0x81, 0, 0, 0x80],
    );
    const lastCluster = element(0x1f43b675, element(0xe7, [99]), element(0xa3, [0x81, 0, 0, 0x80, 0xf8, 1, 2, 3, 4]));
    for (const content of [Buffer.concat(tracks), Buffer.concat([webmHead(), cluster])]) {
      const file = memoryFile(Buffer.concat([content, Buffer.alloc(60e6), lastCluster]));
      const source = mediaSource(file, wholeBudget(file.bytes), signal);
      const read = async () => (await (await openMedia(source)).packetsFrom(0, 0)).next();
      await expect(read()).rejects.toMatchObject({ code: 'unreadable' });
      if (content.byteLength < 100) expect(source.counted().bytes).toBeLessThan(10e6);
    }
  });

  test('a fragmented MP4 with samples in tables as well is not prepared: mediabunny would make billions of them', async () => {
    const mvex = box('mvex', box('trex', u32(0, 1, 1, 1024, 0, 0)));
    const whole = movie(tables({ stts: u32(0, 1, most, 1) }));
    const moov = box('moov', whole.subarray(8), mvex);
    const source = mediaSource(memoryFile(Buffer.concat([ftyp, moov])), wholeBudget(1e6), signal);
    const media = await openMedia(source);
    await expect(media.packetsFrom(0, 0)).rejects.toMatchObject({ code: 'unreadable' });
  });

  test('a packet table that claims one chunk with four billion samples ends in time', async () => {
    const file = memoryFile(Buffer.concat([ftyp, movie(tables({ stsc: u32(0, 1, 1, most, 1) }))]));
    expect(await outcomeOf(file)).toMatch(/read|unsupported_codec|unreadable/);
  });

  test('a cluster of a million laces ends in time', async () => {
    const lace = element(0xa3, [0x81, 0, 0, 0x82, 255, ...Array.from({ length: 255 }, () => 0)]);
    const clusters = element(0x1f43b675, element(0xe7, [0]), ...Array.from({ length: 4000 }, () => lace));
    expect(await outcomeOf(memoryFile(Buffer.concat([webmHead(), clusters])))).toMatch(/unreadable|read/);
  });
});

const samples: readonly (readonly [string, () => Promise<Uint8Array>])[] = [
  ['mkv', () => madeMedia(madeFormats.mkv(), 'opus', opusPackets(4))],
  ['ogg', () => madeMedia(madeFormats.ogg(), 'opus', opusPackets(4))],
  ['mp4', () => madeMedia(madeFormats.mp4(), 'aac', aacPackets(4))],
  ['fragmented mp4', () => madeMedia(madeFormats['fragmented mp4'](), 'aac', aacPackets(4))],
  [
    'wav',
    () =>
      madeMedia(
        madeFormats.wav(),
        'pcm-s16',
        pcmPackets(4, () => true),
      ),
  ],
];
test.each(samples)('a truncated or damaged %s is read or refused, and never throws anything else', async (_, make) => {
  const whole = await make();
  const damage = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 })), {
    maxLength: 12,
  });
  const places = fc.constantFrom(100, 600, whole.byteLength);
  const length = fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true }));
  await fc.assert(
    fc.asyncProperty(damage, places, length, async (bytes, place, kept) => {
      const file = whole.slice(0, Math.ceil(whole.byteLength * kept));
      for (const [at, value] of bytes) file[Math.floor(at * place)] = value;
      await outcomeOf(memoryFile(file));
    }),
    { numRuns: 25 },
  );
});
