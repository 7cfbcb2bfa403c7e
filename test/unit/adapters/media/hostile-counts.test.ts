import { expect, test } from 'vitest';
import { inspectMedia, openMedia } from '#shared/adapters/media/inspect-media.ts';
import { mediaSource, wholeBudget } from '#shared/adapters/media/media-source.ts';
import { box, ftyp, movie, tables, u32 } from '../../../support/media/made-boxes.ts';
import { memoryFile } from '../../../support/media/media-files.ts';
import { element } from '../../../support/media/sparse-media.ts';

// Files that say the same small thing very often. Each is inspected without a pause, so no signal could stop it.

const { signal } = new AbortController();
const times = (count: number, bytes: Uint8Array) => Buffer.alloc(count * bytes.byteLength, bytes);
const cluster = element(0x1f43b675, element(0xe7, [0]), element(0xa3, [0x81, 0, 0, 0x80, 0xf8, 1]));
const mkv = (...tracks: Uint8Array[]) =>
  Buffer.concat([
    element(0x1a45dfa3, element(0x4282, Buffer.from('matroska'))),
    Buffer.from('1853806701ffffffffffffff', 'hex'),
    element(0x1654ae6b, ...tracks),
    cluster,
  ]);
const audioTrack = (...more: Uint8Array[]) =>
  element(0xae, element(0xd7, [1]), element(0x83, [2]), element(0x86, Buffer.from('A_OPUS')), ...more);
const fragments = box('mvex', box('trex', u32(0, 1, 1, 1024, 0, 0)));
const handler = box('hdlr', Buffer.alloc(8), Buffer.from('soun'), Buffer.alloc(13));

test.each<[string, string, Uint8Array]>([
  ['a Matroska file with 201 tracks', 'unreadable', mkv(times(201, audioTrack()))],
  ['a Matroska file with 2 000 other elements between its tracks', 'unreadable', mkv(times(2000, element(0xec)))],
  ['a Matroska track with 2 000 elements', 'unreadable', mkv(audioTrack(times(2000, element(0xec))))],
  ['a Matroska file with tracks of 2 MB', 'unreadable', mkv(audioTrack(element(0x63a2, Buffer.alloc(2e6))))],
  ['an MP4 with 251 empty tracks', 'unreadable', Buffer.concat([ftyp, box('moov', times(251, box('trak')))])],
  [
    'an MP4 with 201 tracks',
    'unreadable',
    Buffer.concat([ftyp, box('moov', times(201, box('trak', box('mdia', handler))))]),
  ],
  ['an MP4 track with 21 levels', 'unreadable', Buffer.concat([ftyp, box('moov', nested('trak', 21))])],
  [
    'an MP4 with 9 MB of tags',
    'unreadable',
    Buffer.concat([ftyp, movie(tables(), 'mp4a', box('udta', times(1e6, box('free', Buffer.alloc(1)))))]),
  ],
  [
    'an MP4 with tracks in a box that has none',
    'unreadable',
    Buffer.concat([ftyp, movie(tables(), 'mp4a', box('dinf', times(201, wholeTrack())))]),
  ],
])('%s is %s', async (_, code, bytes) => {
  await expect(inspectMedia(memoryFile(bytes), signal)).rejects.toMatchObject({ code });
});

function nested(name: string, levels: number): Buffer {
  return levels === 0 ? Buffer.alloc(0) : box(name, nested(name, levels - 1));
}

/** The track of a movie with one. */
function wholeTrack(): Buffer {
  const whole = movie(tables());
  return whole.subarray(whole.indexOf('trak') - 4);
}

test('a fragmented MP4 whose media has the name of fragments a million times is inspected in time', async () => {
  const name = times(1e6, Buffer.from('moof'));
  const file = memoryFile(Buffer.concat([ftyp, movie(Buffer.alloc(0), 'mp4a', fragments), box('mdat', name)]));
  const started = process.cpuUsage();
  expect((await inspectMedia(file, signal)).facts.seconds).toBe(0);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
});

test('an Ogg file with 2 000 empty pages before its audio is cut off', async () => {
  const page = Buffer.alloc(27);
  page.write('OggS');
  const head = Buffer.from([...Buffer.from('OpusHead'), 1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0]);
  const first = Buffer.concat([page, Buffer.from([head.byteLength]), head]);
  first[26] = 1;
  const audio = Buffer.concat([page, Buffer.from([2, 0xf8, 1])]);
  audio[26] = 1;
  const whole = (count: number) => memoryFile(Buffer.concat([first, times(count, page), audio, audio]));
  await expect(inspectMedia(whole(2000), signal)).rejects.toMatchObject({ code: 'truncated' });
  expect((await inspectMedia(whole(900), signal)).facts.audio).toHaveLength(1);
});

const stripped = (prefixBytes: number) => {
  const compression = [element(0x4254, [3]), element(0x4255, Buffer.alloc(prefixBytes, 0xf8))];
  return audioTrack(element(0x6d80, element(0x6240, element(0x5034, ...compression))));
};
const opened = (bytes: Uint8Array) => openMedia(mediaSource(memoryFile(bytes), wholeBudget(bytes.byteLength), signal));

test('packets from which more than 64 bytes are stripped are not prepared: each would be that large', async () => {
  expect(await (await (await opened(mkv(stripped(64)))).packetsFrom(0, 0)).next()).toMatchObject({ at: 0 });
  await expect((await opened(mkv(stripped(65)))).packetsFrom(0, 0)).rejects.toMatchObject({
    code: 'unsupported_codec',
  });
});

test('the empty frames of a lace are no packets', async () => {
  const lace = element(0x1f43b675, element(0xe7, [0]), element(0xa3, [0x81, 0, 0, 0x84, 0xff]));
  const bytes = Buffer.concat([mkv(stripped(1)), lace]);
  const reader = await (await opened(bytes)).packetsFrom(0, 0);
  expect(await reader.next()).toBeDefined(); // of the first cluster
  expect(await reader.next()).toBeUndefined();
});
