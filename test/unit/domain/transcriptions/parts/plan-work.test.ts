import { describe, expect, test } from 'vitest';
import type { MediaFacts } from '#shared/domain/media/media-plan.ts';
import {
  type InspectedFile,
  isApproximate,
  partsOf,
  planWork,
  refusalOfFiles,
} from '#shared/domain/transcriptions/parts/plan-work.ts';
import type { WorkPlan } from '#shared/domain/transcriptions/parts/work-plan.ts';

const hour = 3600;
const start = '2026-03-01T09:00:00.000Z';
const pieces = { mixed: 4 * hour, track: hour };
const at = (seconds: number) => new Date(Date.parse(start) + seconds * 1000).toISOString();

type Made = { from?: number; seconds: number; codec?: string; container?: MediaFacts['container'] } & Partial<{
  rate: number;
  channels: number;
  bytes: number;
  isScreen: boolean;
  until: number;
  setup: string;
}>;

/** A track of a participant, or the mixed file if `participantId` is null. */
function file(participantId: string | null, made: Made): InspectedFile {
  const { from = 0, seconds, codec = 'opus', container = 'ogg', rate = 48_000, channels = 1, bytes = 1000 } = made;
  const { isScreen = false, until, setup } = made;
  const location = { bucket: 'recordings', key: `${participantId}-${from}` };
  const audio = { codec, channels, sampleRate: rate, isEncrypted: false, ...(setup !== undefined && { setup }) };
  const facts = { container, bytes, seconds, audio: [audio], hasVideo: false };
  const dates = { startDate: at(from), ...(until !== undefined && { endDate: at(until) }) };
  const inspected = { file: { ...location, bytes, etag: 'e' }, facts };
  return { participantId, isScreen, location, ...dates, inspected };
}

function refusedFile(participantId: string | null, from: number, until?: number): InspectedFile {
  const made = file(participantId, { from, seconds: 0, ...(until !== undefined && { until }) });
  return { ...made, inspected: { refused: 'no_audio' } };
}

/** A file of video alone. Its dates last a minute. */
function withoutAudio(participantId: string, made: Partial<Made>): InspectedFile {
  const silent = file(participantId, { seconds: 0, until: 60, container: 'mp4', ...made });
  if ('refused' in silent.inspected) return silent;
  const { facts, ...inspected } = silent.inspected;
  return { ...silent, inspected: { ...inspected, facts: { ...facts, audio: [], hasVideo: true } } };
}

function planned(files: readonly InspectedFile[], limits = pieces): WorkPlan {
  const plan = planWork(start, files, limits);
  if ('refused' in plan) throw new Error(`The work is refused: ${plan.refused}`);
  return plan;
}

/** Each source as text: whose, its first part, its files with offsets, and what is done with them. */
const summary = (plan: WorkPlan) =>
  plan.sources.map(({ participantId, isScreen, firstPart, files, plan: { kind, ...rest } }) => {
    const spans = 'pieces' in rest ? rest.pieces.map(({ from, to }) => `${from}-${to}`).join(' ') : '';
    const whose = `${participantId}${isScreen ? ' (screen)' : ''}`;
    return `${firstPart} ${whose} @${files.map(({ offset }) => offset).join(',')} ${kind} ${spans}`.trim();
  });

describe('planWork', () => {
  test.each<[what: string, files: InspectedFile[], expected: string[]]>([
    [
      'a mixed file of ten hours',
      [file(null, { seconds: 10 * hour })],
      ['1 null @0 prepare 0-12040 11980-24020 23960-36000'],
    ],
    ['a mixed file that is taken as it is', [file(null, { seconds: 60 })], ['1 null @0 as_is']],
    ['the mixed file at the beginning, whatever its date', [file(null, { seconds: 60, from: 9 })], ['1 null @0 as_is']],
    ['a track of two hours', [file('a', { seconds: 2 * hour, from: 30 })], ['1 a @30 prepare 0-3600 3600-7200']],
    [
      'a track that began before the recording, at the beginning of the clock',
      [file('a', { seconds: 60, from: -5 }), file('b', { seconds: 60 })],
      ['1 a @0 prepare 0-60', '2 b @5 prepare 0-60'],
    ],
    [
      'a track that began a little before the recording',
      [file('a', { seconds: 60, from: -0.5 })],
      ['1 a @-0.5 prepare 0-60'],
    ],
    [
      'a screen without audio not at all, and a microphone without audio as a part that fails',
      [file('a', { seconds: 60 }), withoutAudio('a', { isScreen: true }), withoutAudio('b', {})],
      ['1 a @0 prepare 0-60', '2 b @0 refused'],
    ],
    [
      'a track without visible silence, as it is',
      [file('a', { seconds: 60, codec: 'aac', container: 'mp4' })],
      ['1 a @0 as_is'],
    ],
    [
      'files of a participant that follow each other, as one stretch, sorted by their start',
      [file('a', { from: 300, seconds: 60 }), file('a', { seconds: 60 }), file('a', { from: 100, seconds: 60 })],
      ['1 a @0,100,300 prepare 0-360'],
    ],
    [
      'files in different containers, with the same codec',
      [file('a', { seconds: 60, container: 'matroska' }), file('a', { from: 100, seconds: 60 })],
      ['1 a @0,100 prepare 0-160'],
    ],
    [
      'a file that begins a little too early, where the last one ends',
      [file('a', { seconds: 60 }), file('a', { from: 59.8, seconds: 60 })],
      ['1 a @0,60 prepare 0-120'],
    ],
    [
      'a file that begins during the last one, as a stretch of its own',
      [file('a', { seconds: 60 }), file('a', { from: 30, seconds: 60 })],
      ['1 a @0 prepare 0-60', '2 a @30 prepare 0-60'],
    ],
    [
      'files with a gap that is longer than a piece, apart',
      [file('a', { seconds: 60 }), file('a', { from: 60 + hour + 1, seconds: 60 })],
      ['1 a @0 prepare 0-60', '2 a @3661 prepare 0-60'],
    ],
    [
      'other codecs, rates and channels, apart',
      [
        file('a', { seconds: 60 }),
        file('a', { from: 60, seconds: 60, channels: 2 }),
        file('a', { from: 120, seconds: 60, codec: 'pcm-s16', container: 'wav', channels: 2 }),
        file('a', { from: 180, seconds: 60, codec: 'pcm-s16', container: 'wav', channels: 2, rate: 16_000 }),
      ],
      ['1 a @0 prepare 0-60', '2 a @60 prepare 0-60', '3 a @120 prepare 0-60', '4 a @180 prepare 0-60'],
    ],
    [
      'AAC of one kind together, of another kind and Vorbis apart',
      [
        ...[0, 60].map((from) => file('a', { from, seconds: 60, codec: 'aac', container: 'mp4', setup: 'LC' })),
        file('a', { from: 120, seconds: 60, codec: 'aac', container: 'mp4', setup: 'HE' }),
        ...[180, 240].map((from) => file('a', { from, seconds: 60, codec: 'vorbis' })),
      ],
      ['1 a @0,60 prepare 0-120', '3 a @120 as_is', '4 a @180 as_is', '5 a @240 as_is'].map((line, index) =>
        index === 0 ? line : line.replace(/^\d/, String(index + 1)),
      ),
    ],
    [
      'a screen apart from the microphone, and participants apart',
      [
        file('a', { seconds: 60 }),
        file('a', { from: 60, seconds: 60, isScreen: true }),
        file('b', { from: 90, seconds: 60 }),
      ],
      ['1 a @0 prepare 0-60', '2 a (screen) @60 prepare 0-60', '3 b @90 prepare 0-60'],
    ],
    [
      'a file that cannot be transcribed between others, as a part that fails',
      [file('a', { seconds: 60 }), refusedFile('a', 60, 90), file('a', { from: 90, seconds: 60 })],
      ['1 a @0 prepare 0-60', '2 a @60 refused', '3 a @90 prepare 0-60'],
    ],
  ])('plans %s', (_what, files, expected) => {
    const plan = planned(files);
    expect(summary(plan)).toEqual(expected);
    expect(plan.partCount).toBe(plan.sources.reduce((sum, source) => sum + partsOf(source.plan), 0));
  });

  test.each<[what: string, files: InspectedFile[], seconds: number]>([
    ['of the mixed file', [file(null, { seconds: 61.5 })], 61.5],
    ['to the end of the last track', [file('a', { seconds: 60 }), file('b', { from: 50, seconds: 60 })], 110],
    ['from the first track, if it began before the recording', [file('a', { from: -5, seconds: 60 })], 60],
    ['from the first track, if it began hours before', [file('a', { from: -hour, seconds: 60 })], 60],
    ['of files that can be read alone', [file('a', { seconds: 60 }), refusedFile('b', 1e9)], 60],
    ['nothing, if no file can be read', [refusedFile('a', 0, 60)], 0],
  ])('finds the length of a recording: %s', (_what, files, seconds) => {
    expect(planned(files).recordedSeconds).toBe(seconds);
  });

  test('gives a refused file the span of its dates, of at most a day', () => {
    const plan = planned([refusedFile('a', 10, 70), refusedFile('b', 0, 1e9), refusedFile('c', 5)]);
    expect(plan.sources.map(({ plan: { kind, ...rest } }) => [kind, rest])).toEqual([
      ['refused', { code: 'no_audio', seconds: 60 }],
      ['refused', { code: 'no_audio', seconds: 24 * hour }],
      ['refused', { code: 'no_audio', seconds: 0 }],
    ]);
  });

  test('gives a track without usable audio the length of its dates, and no approximate times', () => {
    const encrypted = file('b', { seconds: 50, until: 60 });
    if ('facts' in encrypted.inspected) Object.assign(encrypted.inspected.facts.audio[0] ?? {}, { isEncrypted: true });
    const nowhere = file('c', { seconds: Number.NaN, until: 60 });
    const plan = planned([file('a', { seconds: 20 }), withoutAudio('a', { from: 10 }), encrypted, nowhere]);
    expect(plan.recordedSeconds).toBe(20);
    expect(plan.sources.slice(1)).toMatchObject([
      { files: [{ offset: 10 }], plan: { kind: 'refused', code: 'no_audio', seconds: 50 }, isApproximate: false },
      { plan: { kind: 'refused', code: 'media_encrypted', seconds: 50 }, isApproximate: false },
      { plan: { kind: 'refused', code: 'media_unreadable', seconds: 60 }, isApproximate: false },
    ]);
  });

  /** Where the clock begins after `startDate`, in seconds, whether a date is wrong, and the places of all files. */
  const clockOf = (files: readonly InspectedFile[]) => {
    const { clockStart, hasWrongDate, recordedSeconds, sources } = planned(files);
    const places = sources.map(({ files: [first], plan }) => (plan.kind === 'refused' ? plan.code : first?.offset));
    return [(Date.parse(clockStart) - Date.parse(start)) / 1000, hasWrongDate, recordedSeconds, ...places];
  };
  const long = 'recording_too_long';
  test.each<[what: string, starts: number[], expected: unknown[]]>([
    ['begins at startDate', [30, 0], [0, false, 90, 0, 30]],
    ['begins with the first track that began before', [-60, -30], [-60, false, 90, 0, 30]],
    ['shows a wrong date, such as another time zone', [-hour, -hour + 30], [-hour, true, 90, 0, 30]],
    ['leaves out a track two days ahead', [0, 30, 48 * hour], [0, false, 90, 0, 30, long]],
    ['leaves out a track two days behind', [0, 30, -48 * hour], [0, false, 90, long, 0, 30]],
    ['leaves out a track of two that is further from startDate', [-1e7, 0], [0, false, 60, long, 0]],
    ['begins with the first track if startDate is days before', [1e6, 1e6 + 30], [1e6, true, 90, 0, 30]],
  ])('has a clock that %s', (_what, starts, expected) => {
    const files = starts.map((from, index) => file(`p${index}`, { from, seconds: 60 }));
    expect(clockOf(files).map(String).toSorted()).toEqual(expected.map(String).toSorted());
  });

  const many = (count: number, made: Made) => Array.from({ length: count }, (_, index) => file(`p${index}`, made));
  const short = (count: number) =>
    Array.from({ length: count }, (_, index) => file('a', { from: index * 2 * hour, seconds: 0.001 }));
  test.each<[what: string, files: InspectedFile[], code: string]>([
    ['more than 24 hours', [file(null, { seconds: 24 * hour + 1 })], 'recording_too_long'],
    ['tracks of more than 24 hours each', many(2, { seconds: 24 * hour + 1 }), 'recording_too_long'],
    ['screens without audio', [withoutAudio('a', { isScreen: true })], 'no_audio'],
    ['more than 100 GB together', many(2, { seconds: 1, bytes: 50e9 + 1 }), 'recording_too_large'],
    ['more than 100 participants', many(101, { seconds: 1 }), 'too_many_tracks'],
    ['more than 1 000 files', short(1001), 'too_many_tracks'],
  ])('refuses %s', (_what, files, code) => {
    expect(planWork(start, files, pieces)).toEqual({ refused: code });
  });

  test('refuses more than 1 000 parts', () => {
    // 100 participants of 11 kinds of audio each: too many files are joined to be too many.
    const apart = (rate: number) => many(100, { seconds: 10, rate, from: rate / 1000 });
    const files = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17].flatMap((kilohertz) => apart(kilohertz * 1000));
    expect(planned(files).partCount).toBe(1000);
    const longer = files.map((one, index) =>
      index === 0 ? file('p0', { seconds: 5 * hour, rate: 8000, from: 8 }) : one,
    );
    expect(planWork(start, longer, pieces)).toEqual({ refused: 'too_many_tracks' });
  });

  test('takes the longest pieces if 100 tracks of a day would make too many parts', () => {
    const plan = planned(many(100, { seconds: 24 * hour }));
    expect(plan.partCount).toBe(600);
    expect(planned(many(40, { seconds: 24 * hour })).partCount).toBe(960);
  });

  test('cuts mixed files and tracks into the pieces that the stage sets', () => {
    const limits = { mixed: hour, track: hour / 2 };
    const plan = planned([file(null, { seconds: 5 * hour }), file('a', { seconds: hour })], limits);
    expect(plan.sources.map(({ plan: { kind, ...rest } }) => 'pieces' in rest && rest.pieces.length)).toEqual([6, 2]);
  });

  test('marks sources whose files are more than a second shorter or longer than their dates', () => {
    const made = [60, 61, 61.01, 58.99].map((seconds, index) => file(`p${index}`, { seconds, until: 60 }));
    expect(planned(made).sources.map((source) => source.isApproximate)).toEqual([false, false, true, true]);
    expect(isApproximate(5, start, undefined)).toBe(false);
  });
});

test('refusalOfFiles counts participants and files', () => {
  const files = (count: number, participants: number) =>
    Array.from({ length: count }, (_, index) => ({ participantId: `p${index % participants}` }));
  expect(refusalOfFiles(files(1000, 100))).toBeUndefined();
  expect(refusalOfFiles(files(1001, 100))).toBe('too_many_tracks');
  expect(refusalOfFiles(files(101, 101))).toBe('too_many_tracks');
});
