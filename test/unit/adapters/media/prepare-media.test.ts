import { CustomSource, EncodedPacketSink, Input, OGG, WAVE } from 'mediabunny';
import { describe, expect, test } from 'vitest';
import { inspectMedia } from '#shared/adapters/media/inspect-media.ts';
import { originalSpan, submittedSeconds, type TimeMap } from '#shared/domain/media/media-time-map.ts';
import {
  aacPackets,
  madeFormats,
  madeMedia,
  opusPackets,
  pcmPackets,
  timeIn,
} from '../../../support/media/made-media.ts';
import { memoryFile } from '../../../support/media/media-files.ts';
import { prepared } from '../../../support/media/prepared-pieces.ts';
import { sparseWebm } from '../../../support/media/sparse-media.ts';

const { signal } = new AbortController();
const limits = { jobSeconds: 20, pieceSeconds: 20, overlapSeconds: 5 };
const track = { leaveOutSilence: true, pieceSeconds: 3600, overlapSeconds: 0 };

/** Where a time of a piece lies in the original. */
const originalTime = (map: TimeMap, time: number) => originalSpan(map, { from: time, to: time }).from;

/** The packets of a file, read by mediabunny. */
async function packetsIn(content: Uint8Array | undefined) {
  const bytes = content ?? new Uint8Array();
  const source = new CustomSource({ getSize: () => bytes.byteLength, read: (start, end) => bytes.slice(start, end) });
  const [audio] = await new Input({ formats: [OGG, WAVE], source }).getAudioTracks();
  if (!audio) throw new Error('The piece has no audio track.');
  const packets = [];
  for await (const packet of new EncodedPacketSink(audio).packets()) packets.push(packet);
  return packets;
}

describe('inspectMedia', () => {
  test.each([
    ['mkv', 'opus', 'matroska', opusPackets(30)],
    ['webm', 'opus', 'webm', opusPackets(30)],
    ['ogg', 'opus', 'ogg', opusPackets(30)],
    ['mp4', 'aac', 'mp4', aacPackets(30)],
    ['fragmented mp4', 'aac', 'mp4', aacPackets(30)],
    ['wav', 'pcm-s16', 'wav', pcmPackets(30, () => true)],
  ] as const)('finds container, codec and length of %s with %s', async (format, codec, container, packets) => {
    const file = memoryFile(await madeMedia(madeFormats[format](), codec, packets));
    const { facts, reads } = await inspectMedia(file, signal);
    expect(facts).toMatchObject({ container, bytes: file.bytes, audio: [{ codec, channels: 1 }], hasVideo: false });
    expect(facts.seconds).toBeCloseTo(30, 0);
    expect(reads).toBeLessThanOrEqual(3);
  });

  test.each([
    ['mp4', 'aac', aacPackets(600)],
    ['fragmented mp4', 'aac', aacPackets(600)],
    ['ogg', 'opus', opusPackets(900)],
  ] as const)('reads a long %s at most three times, a part of it', async (format, codec, packets) => {
    const file = memoryFile(await madeMedia(madeFormats[format](), codec, packets));
    const { facts } = await inspectMedia(file, signal);
    expect(facts.seconds).toBeCloseTo(codec === 'aac' ? 600 : 900, -1);
    expect(file.ranges.length).toBeLessThanOrEqual(3);
    expect(file.ranges.reduce((sum, [start, end]) => sum + end - start, 0)).toBeLessThan(file.bytes * 0.6);
  });

  test('finds the length of a WebM without one by its last cluster, in three reads', async () => {
    const { facts, reads } = await inspectMedia(sparseWebm(8 * 3600), signal);
    expect(facts.seconds).toBeCloseTo(8 * 3600, -2);
    expect(reads).toBeLessThanOrEqual(3);
  });
});

describe('prepareMedia', () => {
  test.each(['mkv', 'webm', 'ogg'] as const)(
    'cuts %s into pieces that overlap, and copies every packet',
    async (format) => {
      const file = memoryFile(await madeMedia(madeFormats[format](), 'opus', opusPackets(50)));
      const { pieces, outcome } = await prepared(file, limits);
      expect(outcome).toMatchObject({ isFinished: true, packets: 2500, reads: 1 });
      expect(pieces.map(({ from, to }) => [Math.abs(Math.round(from)), Math.round(to)])).toEqual([
        [0, 20],
        [15, 35],
        [30, 50],
      ]);
      for (const { content, from, to, map, bytes } of pieces) {
        const packets = await packetsIn(content);
        expect(bytes).toBe(content?.byteLength);
        const times = packets.map(({ data }) => timeIn(data) ?? Number.NaN);
        expect(times.length).toBe(Math.round((to - from) * 50));
        expect(times[0]).toBeCloseTo(from, 1);
        // A packet plays after what decoders skip at the beginning of a file.
        for (const [index, time] of times.entries())
          expect(originalTime(map, index / 50 - 0.0065)).toBeCloseTo(time, 1);
      }
    },
  );

  test('goes on with the piece that is missing, and reads little of what lies before', async () => {
    const hours = sparseWebm(8 * 3600);
    const done = new Set([0, 1, 2, 3, 4, 5, 6]);
    const eighths = { jobSeconds: 3600, pieceSeconds: 3600, overlapSeconds: 0 };
    const { pieces, outcome } = await prepared(hours, eighths, { done });
    expect(pieces).toMatchObject([{ index: 7, from: 25_200 }]); // the first packet of the last eighth
    expect(pieces[0]?.to).toBeCloseTo(28_780.02, 1);
    expect(outcome.bytesRead).toBeLessThan(hours.bytes / 4);
  });

  test.each(['ogg', 'mp4', 'mkv'] as const)(
    'goes on within %s at the packet where the last piece ended',
    async (format) => {
      const file = memoryFile(await madeMedia(madeFormats[format](), 'opus', opusPackets(600)));
      const thirds = { jobSeconds: 200, pieceSeconds: 200, overlapSeconds: 0 };
      const { pieces } = await prepared(file, thirds, { done: new Set([0, 1]) });
      const times = (await packetsIn(pieces[0]?.content)).map(({ data }) => timeIn(data));
      expect(pieces[0]?.index).toBe(2);
      expect(times[0]).toBeCloseTo(400, 1);
      expect(times.at(-1)).toBeCloseTo(599.98, 2);
    },
  );

  test('stops when the time is over: whole pieces stay, the others are discarded, and another run makes them', async () => {
    const file = memoryFile(await madeMedia(madeFormats.mp4(), 'aac', aacPackets(60)));
    let checks = 0;
    const first = await prepared(file, limits, { hasTimeLeft: () => ++checks < 5 });
    expect(first.outcome.isFinished).toBe(false);
    expect(first.pieces.map(({ index }) => index)).toEqual([0]);
    expect([...first.targets].map(([index, { isAborted }]) => [index, isAborted])).toEqual([
      [0, false],
      [1, true],
    ]);
    const second = await prepared(file, limits, { done: new Set([0]) });
    const whole = await prepared(file, limits);
    expect(second.pieces.map(({ map }) => map)).toEqual(whole.pieces.slice(1).map(({ map }) => map));
  });

  test('leaves out silence of Opus with DTX, and maps times back', async () => {
    const isSilent = (at: number) => at % 60 >= 20; // a third is speech
    const file = memoryFile(await madeMedia(madeFormats.ogg(), 'opus', opusPackets(180, { isSilent })));
    const { pieces } = await prepared(file, track);
    const [piece] = pieces;
    expect(submittedSeconds(piece?.map ?? [])).toBeLessThan(60 * 1.25);
    for (const [index, { data }] of (await packetsIn(piece?.content)).entries()) {
      const time = timeIn(data);
      if (time !== undefined) expect(originalTime(piece?.map ?? [], index / 50 - 0.0065)).toBeCloseTo(time, 1);
    }
  });

  test.each(['ogg', 'webm'] as const)(
    'takes missing packets of %s for silence: times after a hole stay right',
    async (format) => {
      const isMissing = (at: number) => at >= 10 && at < 100;
      const packets = opusPackets(120, { isMissing });
      const content =
        format === 'webm' ? await madeMedia(madeFormats.webm(), 'opus', packets) : await oggWithHole(packets);
      const { pieces } = await prepared(memoryFile(content), track);
      const [piece] = pieces;
      expect(piece?.to).toBeCloseTo(120, 0);
      expect(submittedSeconds(piece?.map ?? [])).toBeCloseTo(31, 0);
      const last = (await packetsIn(piece?.content)).length - 1;
      expect(originalTime(piece?.map ?? [], last / 50)).toBeCloseTo(119.98, 1);
    },
  );

  test('leaves out silence of PCM by its energy', async () => {
    const file = memoryFile(
      await madeMedia(
        madeFormats.wav(),
        'pcm-s16',
        pcmPackets(100, (at) => at % 50 < 15),
      ),
    );
    const { pieces } = await prepared(file, track);
    expect(submittedSeconds(pieces[0]?.map ?? [])).toBeLessThan(30 * 1.25);
    expect(submittedSeconds(pieces[0]?.map ?? [])).toBeGreaterThan(30);
  });

  test('writes no file for a silent track', async () => {
    const file = memoryFile(await madeMedia(madeFormats.ogg(), 'opus', opusPackets(60, { isSilent: () => true })));
    const { pieces } = await prepared(file, track);
    expect(pieces).toMatchObject([{ index: 0, bytes: 0, map: [] }]);
    expect(pieces[0]?.content).toBeUndefined();
  });

  test.each(['mkv', 'mp4'] as const)('prepares one of several tracks of %s', async (format) => {
    const late = opusPackets(40).filter(({ at }) => at >= 10);
    const file = memoryFile(await madeMedia(madeFormats[format](), 'opus', opusPackets(40), late));
    const { pieces } = await prepared(file, {}, { track: 1 });
    expect(pieces).toMatchObject([{ from: 10, map: { length: 1 } }]);
    const times = (await packetsIn(pieces[0]?.content)).map(({ data }) => timeIn(data));
    expect([times[0], times.length]).toEqual([10, 1500]);
    await expect(prepared(file, {}, { track: 2 })).rejects.toThrow('no_audio');
  });

  test('stops with the reason of the signal', async () => {
    const file = memoryFile(await madeMedia(madeFormats.ogg(), 'opus', opusPackets(60)));
    const reason = new Error('The function ends.');
    await expect(prepared(file, limits, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('rethrows an error of the target, and discards the piece', async () => {
    const file = memoryFile(await madeMedia(madeFormats.ogg(), 'opus', opusPackets(60)));
    const denied = Object.assign(new Error('Access Denied'), { name: 'AccessDenied', $metadata: {} });
    let aborted = 0;
    const target = () => ({
      write: () => Promise.reject(denied),
      complete: async () => 0,
      abort: async () => void aborted++,
    });
    await expect(prepared(file, limits, { target })).rejects.toBe(denied);
    expect(aborted).toBeGreaterThan(0);
  });
});

/** An Ogg file whose pages after the hole have later positions, as LiveKit writes it for a muted microphone. */
async function oggWithHole(packets: ReturnType<typeof opusPackets>): Promise<Uint8Array> {
  const hole = packets.findIndex(({ at }, index) => index > 0 && at - (packets[index - 1]?.at ?? 0) > 1);
  const bytes = Buffer.from(await madeMedia(madeFormats.ogg(), 'opus', packets));
  const missing = ((packets[hole]?.at ?? 0) - (packets[hole - 1]?.at ?? 0) - 0.02) * 48_000;
  for (let at = bytes.indexOf('OggS'); at >= 0; at = bytes.indexOf('OggS', at + 4)) {
    const granule = bytes.readBigInt64LE(at + 6);
    if (granule > BigInt(hole * 960)) bytes.writeBigInt64LE(granule + BigInt(Math.round(missing)), at + 6);
  }
  return new Uint8Array(bytes);
}

describe('prepareMedia of several files', () => {
  const fileOf = async (format: 'ogg' | 'mkv', seconds: number) =>
    memoryFile(await madeMedia(madeFormats[format](), 'opus', opusPackets(seconds)));
  /** Where packets of these times of their own files lie in the stretch. */
  const times = async (content: Uint8Array | undefined) =>
    (await packetsIn(content)).flatMap(({ data }) => timeIn(data) ?? []);

  test('joins them into one piece, and leaves out the hole between them', async () => {
    const files = [
      { file: await fileOf('ogg', 10), offset: 0 },
      { file: await fileOf('mkv', 10), offset: 100 },
    ];
    const plan = { kind: 'prepare', output: 'ogg', pieces: [{ from: 0, to: 110 }] } as const;
    const { pieces } = await prepared(await fileOf('ogg', 10), track, { files, plan });
    const [piece] = pieces;
    expect(submittedSeconds(piece?.map ?? [])).toBeCloseTo(21, 0); // half a second stays on each side of the hole
    const inPiece = await times(piece?.content);
    expect(inPiece.filter((at) => at === 5)).toHaveLength(2);
    expect(originalTime(piece?.map ?? [], 5)).toBeCloseTo(5, 1);
    expect(originalTime(piece?.map ?? [], 16)).toBeCloseTo(105, 1);
  });

  test('cuts pieces across them, and begins in the file that a missing piece lies in', async () => {
    const [one, two] = [await fileOf('ogg', 30), await fileOf('ogg', 30)];
    const files = [
      { file: one, offset: 0 },
      { file: two, offset: 30 },
    ];
    const spans = [
      { from: 0, to: 20 },
      { from: 20, to: 40 },
      { from: 40, to: 60 },
    ];
    const plan = { kind: 'prepare', output: 'ogg', pieces: spans } as const;
    const all = await prepared(one, track, { files, plan });
    expect(all.pieces.map(({ map }) => Math.round(submittedSeconds(map)))).toEqual([20, 20, 20]);
    const middle = await times(all.pieces[1]?.content);
    expect([middle[0], middle.at(-1)]).toEqual([20.02, 10]); // the encoder's delay shifts packets by 6.5 ms
    const last = await prepared(one, track, { files, plan, done: new Set([0, 1]) });
    expect(last.pieces.map(({ index }) => index)).toEqual([2]);
    expect(await times(last.pieces[0]?.content)).toEqual(await times(all.pieces[2]?.content));
  });

  test('refuses a file of another codec', async () => {
    const files = [
      { file: await fileOf('ogg', 5), offset: 0 },
      { file: memoryFile(await madeMedia(madeFormats.mkv(), 'aac', aacPackets(5))), offset: 5 },
    ];
    const plan = { kind: 'prepare', output: 'ogg', pieces: [{ from: 0, to: 10 }] } as const;
    await expect(prepared(await fileOf('ogg', 5), track, { files, plan })).rejects.toMatchObject({
      code: 'unsupported_codec',
    });
  });

  test.each([
    ['a track', { ...track, pieceSeconds: 20 }],
    ['a mixed file', { jobSeconds: 20, pieceSeconds: 20, overlapSeconds: 0 }],
  ])('makes pieces of %s that lie in a hole empty, and puts no packet behind it into them', async (_what, rules) => {
    const packets = opusPackets(100, { isMissing: (at) => at >= 10 && at < 90 });
    const file = memoryFile(await madeMedia(madeFormats.mkv(), 'opus', packets));
    const { pieces } = await prepared(file, rules);
    expect(pieces.map(({ bytes }) => bytes > 0)).toEqual([true, false, false, false, true]);
    expect((await times(pieces[4]?.content))[0]).toBe(90);
  });
});
