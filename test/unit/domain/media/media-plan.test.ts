import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, type MediaFacts, mixedFileLimits, planMedia, trackLimits } from '#shared/domain/media/media-plan.ts';
import { limitsOfMixedFile } from '#shared/domain/transcriptions/parts/plan-work.ts';

const hour = 3600;
const audio = (codec: string | undefined, channels = 2) => ({
  codec,
  channels,
  sampleRate: 48_000,
  isEncrypted: false,
});
const facts = (changes: Partial<MediaFacts> = {}): MediaFacts => ({
  container: 'mp4',
  bytes: 10_000_000,
  seconds: hour,
  audio: [audio('aac')],
  hasVideo: false,
  ...changes,
});

describe('planMedia leaves a file as it is', () => {
  test.each([
    ['amr', 'amr'],
    ['flac', 'flac'],
    ['mp3', 'mp3'],
    ['mp4', 'aac'],
    ['ogg', 'opus'],
    ['ogg', 'vorbis'],
    ['wav', 'pcm-s16'],
    ['webm', 'opus'],
  ] as const)('if it is %s with %s, of four hours and 2 GB', (container, codec) => {
    const file = facts({ container, audio: [audio(codec)], seconds: 4 * hour, bytes: 2 * 1024 ** 3 });
    expect(planMedia(file, mixedFileLimits)).toEqual({ kind: 'as_is', container });
  });
});

describe('a file whose channels are asked for', () => {
  test.each([1, 6])('is refused if it has %i channels', (channels) => {
    const file = facts({ audio: [audio('aac', channels)] });
    expect(planMedia(file, limitsOfMixedFile(4 * hour, 2))).toEqual({ kind: 'refused', code: 'wrong_channels' });
    expect(planMedia(file, limitsOfMixedFile(4 * hour)).kind).toBe('as_is');
  });

  test.each([
    ['as it is', hour, 'as_is'],
    ['cut', 9 * hour, 'prepare'],
  ])('is %s if it has two', (_, seconds, kind) => {
    expect(planMedia(facts({ seconds }), limitsOfMixedFile(4 * hour, 2)).kind).toBe(kind);
  });
});

test('planMedia takes AMR of four hours as it is, also where pieces are shorter, because AMR cannot be cut', () => {
  const amr = facts({ container: 'amr', audio: [audio('amr', 1)], seconds: 4 * hour });
  for (const limits of [mixedFileLimits, limitsOfMixedFile(15 * 60), { ...trackLimits, pieceSeconds: 15 * 60 }])
    expect(planMedia(amr, limits)).toEqual({ kind: 'as_is', container: 'amr' });
  expect(planMedia({ ...amr, seconds: 4 * hour + 1 }, limitsOfMixedFile(15 * 60))).toMatchObject({ code: 'too_long' });
});

describe('planMedia prepares a file', () => {
  test.each([
    ['matroska', 'aac', 'mp4'],
    ['matroska', 'opus', 'ogg'],
    ['matroska', 'vorbis', 'ogg'],
    ['matroska', 'flac', 'flac'],
    ['matroska', 'mp3', 'mp3'],
    ['matroska', 'pcm-s16', 'wav'],
    ['quicktime', 'aac', 'mp4'],
    ['adts', 'aac', 'mp4'],
  ] as const)('if it is %s: %s goes to %s', (container, codec, output) => {
    const plan = planMedia(facts({ container, audio: [audio(codec)] }), mixedFileLimits);
    expect(plan).toEqual({ kind: 'prepare', output, pieces: [{ from: 0, to: hour }] });
  });

  test('if it is longer than four hours: into pieces that overlap by a minute', () => {
    const plan = planMedia(facts({ seconds: 10 * hour }), mixedFileLimits);
    expect(plan).toMatchObject({ kind: 'prepare', output: 'mp4', pieces: { length: 3 } });
    const [first, second] = plan.kind === 'prepare' ? plan.pieces : [];
    expect((first?.to ?? 0) - (second?.from ?? 0)).toBeCloseTo(60);
  });

  test.each([
    [16_000_000_001, 2],
    [100e9, 7],
  ])('if an hour has %d bytes with video: into %d pieces, each of which one run can read', (bytes, length) => {
    const plan = planMedia(facts({ bytes, hasVideo: true }), mixedFileLimits);
    expect(plan).toMatchObject({ kind: 'prepare', pieces: { length } });
  });

  test('if it is larger than 2 GB: a short one with much video into one piece, PCM into pieces by its bytes', () => {
    const video = planMedia(facts({ bytes: 16e9, hasVideo: true }), mixedFileLimits);
    expect(video).toMatchObject({ kind: 'prepare', pieces: { length: 1 } });
    const pcm = facts({ container: 'wav', bytes: 2_764_800_044, seconds: 4 * hour, audio: [audio('pcm-s16')] });
    const plan = planMedia(pcm, mixedFileLimits);
    const pieces = plan.kind === 'prepare' ? plan.pieces : [];
    expect(pieces.length).toBe(2);
    for (const { from, to } of pieces) expect((to - from) * 48_000 * 4).toBeLessThan(2 * 1024 ** 3);
  });

  test('if it is a track whose silence can be seen, into pieces of at most an hour', () => {
    const track = facts({ container: 'ogg', audio: [audio('opus', 1)], seconds: 90 * 60 });
    expect(planMedia(track, trackLimits)).toMatchObject({
      kind: 'prepare',
      pieces: [{ from: 0, to: 2700 }, { to: 5400 }],
    });
    expect(planMedia(facts(), trackLimits)).toEqual({ kind: 'as_is', container: 'mp4' });
  });
});

describe('planMedia refuses a file', () => {
  test.each([
    ['too_large', { bytes: 100e9 + 1 }],
    ['no_audio', { audio: [] }],
    ['encrypted', { audio: [{ ...audio('aac'), isEncrypted: true }] }],
    ['too_long', { seconds: 24 * hour + 1 }],
    ['too_long', { container: 'amr', audio: [audio('amr')], seconds: 5 * hour }],
    ['unreadable', { seconds: 0 }],
    ['unreadable', { seconds: Number.NaN }],
    ['unreadable', { audio: [audio('aac', 0)] }],
    ['unreadable', { audio: [audio('pcm-s16', 60_000)] }],
    ['unreadable', { audio: [{ ...audio('aac'), sampleRate: 4e9 }] }],
    ['unsupported_codec', { audio: [audio('ac3')] }],
    ['unsupported_codec', { audio: [audio(undefined)] }],
  ] as const)('as %s: %j', (code, changes) => {
    expect(planMedia(facts(changes as Partial<MediaFacts>), mixedFileLimits)).toEqual({ kind: 'refused', code });
  });
});

test('cut covers a length with pieces that are no longer than allowed and overlap as told', () => {
  const seconds = fc.double({ min: 1, max: 86_400, noNaN: true });
  const piece = fc.double({ min: 300, max: 14_400, noNaN: true });
  const overlap = fc.double({ min: 0, max: 120, noNaN: true });
  fc.assert(
    fc.property(seconds, piece, overlap, (length, longest, shared) => {
      const pieces = cut(length, longest, shared);
      expect(pieces[0]?.from).toBe(0);
      expect(pieces.at(-1)?.to).toBe(length);
      for (const [index, { from, to }] of pieces.entries()) {
        expect(to - from).toBeLessThanOrEqual(longest + 1e-6);
        const next = pieces[index + 1];
        if (next) expect(to - next.from).toBeCloseTo(Math.min(shared, longest / 2), 5);
      }
    }),
  );
});
