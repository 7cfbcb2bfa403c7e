import { describe, expect, test, vi } from 'vitest';
import { nobodyKnown, type SessionPeople } from '#shared/domain/insights/session/session-people.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import type { Inspected } from '#shared/domain/media/planned-file.ts';
import type { StoredTranscription } from '#shared/domain/transcriptions/transcription.ts';
import type { MediaInspector, PieceRequest } from '#shared/use-cases/media/ports.ts';
import { prepareTranscription } from '#shared/use-cases/transcriptions/parts/prepare-transcription.ts';
import { inspected } from '../../../../support/media/inspected.ts';
import { organizationId, tombstone, transcriptionRecord, uuid } from '../../../../support/operations/records.ts';
import { FakeStore } from '../../../../support/storage/fake-store.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const key = { organizationId: organizationId(), workId: uuid(1) };
const hour = 3600;
/** A file of ten hours: three pieces. */
const tenHours = inspected({ container: 'mp4', codec: 'aac', seconds: 10 * hour });
const cuts = [
  { from: 0, to: 12_040 },
  { from: 11_980, to: 24_020 },
  { from: 23_960, to: 36_000 },
];

const agents = (...ids: readonly string[]) =>
  ids.map((participantId) => ({ participantId, from: 0, to: 600, canBeHeard: true }));

type Options = {
  readonly found?: Inspected | 'unfinished';
  /** What happens at a piece: it is made, it is silence, the file is broken there, or making it takes so many minutes. */
  readonly pieces?: Readonly<Record<number, 'silent' | 'broken' | number>>;
  readonly tracks?: number;
  readonly people?: SessionPeople;
};

/** A transcription of a recording of ten hours, which is prepared. */
function scene(stored: StoredTranscription, options: Options = {}) {
  const { found = tenHours, pieces = {}, tracks = 0, people = nobodyKnown } = options;
  const store = new FakeStore(stored);
  let now = Date.parse('2026-03-01T10:00:00.000Z');
  const sent: unknown[] = [];
  let nextTurn: string | undefined;
  const inspect = vi.fn<MediaInspector['inspect']>(async () => found);
  const prepare = vi.fn(async ({ plan, done, onPiece, goesOn }: PieceRequest) => {
    for (const [index, span] of plan.pieces.entries()) {
      if (done.has(index)) continue;
      if (!goesOn()) break;
      const fate = pieces[index];
      if (fate === 'broken') throw new MediaError('unreadable', 'The file is broken.');
      now += typeof fate === 'number' ? fate * 60_000 : 0;
      if (typeof fate === 'number' && fate >= 12) break; // it was not whole in time
      const map = fate === 'silent' ? [] : ([[0, span.from, span.to - span.from]] as const);
      await onPiece({ ...span, index, bytes: fate === 'silent' ? 0 : 1000, map });
    }
    return { bytesRead: 1000 };
  });
  const postpone = vi.fn(async () => {});
  const listTracks = async () =>
    Array.from({ length: tracks }, (_, index) => ({
      ...{ organizationId: owner.organizationId, recordingId: uuid(2), participantId: `p${index}` },
      ...{ startDate: '2026-03-01T09:00:00.000Z', source: 'microphone' as const, reportedAt: '' },
      location: { bucket: 'recordings', key: String(index) },
    }));
  const run = (message = {}) =>
    prepareTranscription(
      {
        ...{ transcriptions: store.transcriptions, refusal: store.refusal, counts: store.counts, works: store.works },
        files: store.filesOf,
        due: { postpone },
        tracks: { listTracks },
        people: { peopleOf: async () => people },
        inspector: { inspect },
        preparer: { prepare },
        transcriptsBucket: 'transcripts',
        pieces: { mixed: 4 * hour, track: hour },
        partsAtOnce: 2,
        sendAgain: async (again) => {
          nextTurn = again.turnId;
          sent.push(again);
        },
        sendJobs: async (_organization, messages) => void sent.push(...messages),
        sendMerge: async (merge) => void sent.push(merge),
        now: () => new Date(now),
      },
      { ...owner, turnId: nextTurn, ...message },
    );
  const parts = async () =>
    (await store.works.listParts(key)).map(({ part, state, failureCode }) => [part, failureCode ?? state].join(' '));
  const wait = (minutes: number) => {
    now += minutes * 60_000;
  };
  return { store, run, sent, parts, inspect, prepare, postpone, wait };
}

const startOf = (part: number) => expect.objectContaining({ ...owner, part, attempt: 0 });
const again = { ...owner, correlationId: undefined, turnId: expect.any(String) };

test('pieces become parts with their files and maps, and the first ones are started', async () => {
  const { store, run, sent } = scene(transcriptionRecord());
  expect(await run()).toMatchObject({ result: 'prepared', pieces: 3, bytesRead: 1000, failedParts: 0 });
  const parts = await store.works.listParts(key);
  expect(parts.map(({ from, to }) => ({ from, to }))).toEqual(cuts);
  expect(parts[1]).toEqual({
    ...{ ...key, part: 2, state: 'waiting', participantId: null, from: 11_980, to: 24_020, submittedSeconds: 12_040 },
    ...{ file: { bucket: 'transcripts', key: `work/acme/${uuid(1)}/2.mp4` }, container: 'mp4' },
  });
  expect(store.files.get(`work/acme/${uuid(1)}/2.map.json`)).toBe('[[0,11980,12040]]');
  expect(store.get(owner)).toMatchObject({
    ...{ partCount: 3, recordedSeconds: 36_000, submittedSeconds: 36_120, countedSeconds: 36_120 },
    dueAt: '2026-03-01T10:05:00.000Z',
  });
  expect(sent).toEqual([startOf(1), startOf(2)]);
});

test.each([
  ['is ready', transcriptionRecord({ state: 'ready' })],
  ['was deleted', tombstone()],
  ['is live', transcriptionRecord({ type: 'LIVE_TRANSCRIPTION', location: undefined })],
])('nothing is prepared for a transcription that %s', async (_what, stored) => {
  const { store, run, sent, inspect } = scene(stored);
  expect(await run()).toEqual({ result: 'nothing' });
  expect([store.get(owner), sent, inspect.mock.calls]).toEqual([stored, [], []]);
});

test('a prepared transcription is not prepared again, but its parts are started', async () => {
  const { store, run, sent, inspect } = scene(transcriptionRecord({ partCount: 3 }));
  const part = { participantId: null, from: 0, to: 1, submittedSeconds: 1, file: { bucket: 'b', key: 'k' } };
  const states = ['done', 'running', 'waiting'] as const;
  store.works.put(
    key,
    states.map((state, index) => ({ ...part, part: index + 1, state })),
  );
  expect(await run()).toEqual({ result: 'nothing' });
  expect(sent).toEqual([startOf(3)]); // the turn of the first part has gone on to it
  expect(inspect).not.toHaveBeenCalled();
});

test('the plan that the head names counts, also if the files have changed since', async () => {
  const { run, store, inspect, parts } = scene(transcriptionRecord(), { pieces: { 1: 20 } });
  expect(await run()).toMatchObject({ result: 'again' });
  inspect.mockResolvedValue(inspected({ container: 'mp4', codec: 'aac', seconds: hour }));
  await run();
  expect(inspect).toHaveBeenCalledTimes(1);
  expect([...store.files.keys()].filter((name) => name.includes('plan-'))).toHaveLength(1);
  expect(await parts()).toEqual(['1 waiting']);
});

test('a transcription that has taken the work over goes on with it, and counts what is not counted', async () => {
  const { run, store, sent, prepare } = scene(transcriptionRecord(), { pieces: { 1: 20 } });
  await run();
  const next = { ...transcriptionRecord({ transcriptionId: uuid(5), workId: uuid(1) }) };
  store.put(next);
  prepare.mockImplementationOnce(async ({ done, plan, onPiece }) => {
    expect([...done]).toEqual([0]);
    for (const index of [1, 2])
      await onPiece({ ...(plan.pieces[index] ?? { from: 0, to: 0 }), index, bytes: 1, map: [[0, 0, 12_040]] });
    return { bytesRead: 1 };
  });
  expect(await run({ transcriptionId: uuid(5) })).toMatchObject({ result: 'prepared' });
  expect(store.get(next)).toMatchObject({ partCount: 3, countedSeconds: 36_120 - 600 });
  expect(sent.slice(1)).toMatchObject([{ transcriptionId: uuid(5), part: 1 }, { part: 2 }]);
});

test('a transcription that has taken a counted work over counts nothing', async () => {
  const { run, store } = scene(transcriptionRecord());
  await run();
  store.put(transcriptionRecord({ transcriptionId: uuid(5), workId: uuid(1) }));
  await run({ transcriptionId: uuid(5) });
  const next = { ...owner, transcriptionId: uuid(5) };
  expect(store.get(next)).toMatchObject({ partCount: 3, countedSeconds: 0 });
});

describe('a turn', () => {
  test('ends with the piece that is whole after a minute, and another turn goes on behind it', async () => {
    const { run, sent, parts, prepare } = scene(transcriptionRecord(), { pieces: { 0: 0.5, 1: 0.5 } });
    expect(await run()).toMatchObject({ result: 'again', pieces: 2 });
    expect([await parts(), sent]).toEqual([['1 waiting', '2 waiting'], [again]]);
    expect(await run()).toMatchObject({ result: 'prepared', pieces: 1 });
    expect([...(prepare.mock.lastCall?.[0].done ?? [])]).toEqual([0, 1]);
  });

  test('that has no whole piece in twelve minutes counts as idle, and the third of them gives the file up', async () => {
    const { run, sent, parts } = scene(transcriptionRecord(), { pieces: { 1: 20 } });
    await run();
    await run();
    await run();
    await run();
    expect(sent).toEqual([again, again, again, again]);
    expect(await parts()).toEqual(['1 waiting']);
    expect(await run()).toMatchObject({ result: 'prepared', failedParts: 2 });
    expect(await parts()).toEqual(['1 waiting', '2 media_unreadable', '3 media_unreadable']);
  });

  test('inspects files for ten minutes at most, and refuses the others', async () => {
    const ofTracks = transcriptionRecord({ location: undefined, trackRevision: 1 });
    const { run, parts, inspect, wait } = scene(ofTracks, { tracks: 20 });
    inspect.mockImplementation(async () => {
      wait(1);
      return inspected({ container: 'mp4', codec: 'aac' });
    });
    expect(await run()).toMatchObject({ result: 'prepared', failedParts: 8 });
    expect([inspect.mock.calls.length, (await parts())[12]]).toEqual([12, '13 media_unreadable']);
  });

  test('counts the time of its plan', async () => {
    const { run, inspect, prepare, wait } = scene(transcriptionRecord());
    inspect.mockImplementationOnce(async () => {
      wait(12);
      return tenHours;
    });
    expect(await run()).toMatchObject({ result: 'again' });
    expect(prepare).not.toHaveBeenCalled();
    expect(await run()).toMatchObject({ result: 'prepared' });
  });

  test('keeps the transcription from being taken for lost', async () => {
    const record = transcriptionRecord({ dueAt: '2026-03-01T10:05:00.000Z' });
    const { run, postpone } = scene(record);
    await run();
    expect(postpone).toHaveBeenCalledWith(record, '2026-03-01T10:20:00.000Z');
  });

  test('ends after a piece if the transcription was deleted', async () => {
    const { store, run, sent, parts } = scene(transcriptionRecord());
    store.meanwhile = (call, count) => {
      if (call === 'find' && count === 2) store.put(tombstone());
    };
    expect(await run()).toMatchObject({ result: 'nothing', pieces: 1 });
    expect([await parts(), sent]).toEqual([['1 waiting'], []]);
  });
});

test.each(['first', 'last'] as const)(
  'what is written after the %s piece of an erased transcription is removed again',
  async (which) => {
    const { store, run, sent, prepare, parts } = scene(transcriptionRecord());
    prepare.mockImplementationOnce(async ({ plan, onPiece }) => {
      const erasedAt = which === 'first' ? 0 : plan.pieces.length - 1;
      for (const [index, span] of plan.pieces.entries()) {
        if (index === erasedAt) {
          store.rows.clear();
          await store.works.remove(key);
          store.files.clear();
        }
        if (index <= erasedAt) await onPiece({ ...span, index, bytes: 1, map: [[0, 0, 1]] });
      }
      return { bytesRead: 1 };
    });
    expect(await run()).toMatchObject({ result: 'nothing' });
    expect([await parts(), [...store.files.keys()], store.works.turns.size, sent]).toEqual([[], [], 0, []]);
  },
);

test('a plan that is stored after an erasure is removed again', async () => {
  const { store, run, inspect } = scene(transcriptionRecord(), { found: { refused: 'no_audio' } });
  inspect.mockImplementationOnce(async () => {
    store.rows.clear();
    return { refused: 'no_audio' };
  });
  expect(await run()).toMatchObject({ result: 'nothing' });
  expect([store.works.heads.size, store.works.parts.size, store.files.size]).toEqual([0, 0, 0]);
});

describe('of several messages', () => {
  const killed = () => new Promise<never>(() => {});

  test('that arrive together, one prepares each piece', async () => {
    const { run, sent, prepare } = scene(transcriptionRecord());
    const results = (await Promise.all([run(), run()])).map(({ result }) => result);
    expect(results.sort()).toEqual(['nothing', 'prepared']);
    expect([prepare.mock.calls.length, sent.length]).toEqual([1, 2]);
  });

  test('only the one that a turn has sent goes on with it at once, and once', async () => {
    const { run, prepare } = scene(transcriptionRecord(), { pieces: { 0: 2, 1: 2 } });
    await run();
    expect(await run({ turnId: undefined })).toEqual({ result: 'nothing' });
    const both = await Promise.all([run(), run()]);
    expect(both.map(({ result }) => result).sort()).toEqual(['again', 'nothing']);
    expect(prepare).toHaveBeenCalledTimes(2);
  });

  test('another one goes on after a run that was killed, but not before it is over', async () => {
    const { run, prepare, wait } = scene(transcriptionRecord());
    prepare.mockImplementationOnce(killed);
    void run();
    await expect.poll(() => prepare.mock.calls.length).toBe(1);
    wait(15);
    expect(await run()).toEqual({ result: 'nothing' });
    wait(1);
    expect(await run()).toMatchObject({ result: 'prepared' });
  });

  test('the fourth gives a file up that has killed three runs, and an error of a service does not count', async () => {
    const { store, run, inspect, wait } = scene(transcriptionRecord());
    for (let kills = 1; kills <= 3; kills++) {
      inspect.mockImplementationOnce(killed);
      void run();
      await expect.poll(() => inspect.mock.calls.length).toBe(2 * kills - 1);
      wait(16);
      if (kills === 3) break;
      inspect.mockRejectedValueOnce(new Error('S3 is busy'));
      await expect(run()).rejects.toThrow('S3 is busy');
    }
    expect(await run()).toEqual({ result: 'failed' });
    expect(store.get(owner)).toMatchObject({ failure: { code: 'media_unreadable' } });
  });

  test('the turn goes on for the transcription that has taken the work over', async () => {
    const { store, run, sent } = scene(transcriptionRecord());
    store.meanwhile = (call, count) => {
      if (call !== 'find' || count !== 2) return;
      store.put(tombstone({ takenOverBy: uuid(5) }));
      store.put(transcriptionRecord({ transcriptionId: uuid(5), workId: uuid(1) }));
    };
    expect(await run()).toMatchObject({ result: 'again', pieces: 1 });
    expect(sent).toEqual([{ ...again, transcriptionId: uuid(5) }]);
    expect(await run({ transcriptionId: uuid(5) })).toMatchObject({ result: 'prepared', pieces: 2 });
  });
});

describe('a file', () => {
  test('that is broken in the middle keeps the pieces before the fault, and the others fail', async () => {
    const { store, run, sent, parts } = scene(transcriptionRecord(), { pieces: { 1: 'broken' } });
    expect(await run()).toMatchObject({ result: 'prepared', failedParts: 2 });
    expect(await parts()).toEqual(['1 waiting', '2 media_unreadable', '3 media_unreadable']);
    expect(store.get(owner)).toMatchObject({ partCount: 3, countedSeconds: 12_040, submittedSeconds: 12_040 });
    expect(sent).toEqual([startOf(1)]);
  });

  test('with silence alone in a piece has a part that is done', async () => {
    const { run, sent, parts } = scene(transcriptionRecord(), { pieces: { 0: 'silent' } });
    await run();
    expect(await parts()).toEqual(['1 done', '2 waiting', '3 waiting']);
    expect(sent).toEqual([startOf(2), startOf(3)]);
  });

  test.each([
    ['of silence', { pieces: { 0: 'silent', 1: 'silent', 2: 'silent' } } as const, ['1 done', '2 done', '3 done']],
    ['without audio', { found: { refused: 'no_audio' } } as const, ['1 no_audio']],
    ['that takes too many reads', { found: 'unfinished' } as const, ['1 media_unreadable']],
  ])('%s costs nothing, and is merged at once', async (_what, options, expected) => {
    const { store, run, sent, parts } = scene(transcriptionRecord(), options);
    expect(await run()).toMatchObject({ result: 'prepared' });
    expect(await parts()).toEqual(expected);
    expect(store.get(owner)).toMatchObject({ countedSeconds: 0, submittedSeconds: 0 });
    expect(sent).toEqual([key]);
  });
});

test('a file that has not the two channels of the options is no part that is transcribed', async () => {
  const { run, parts } = scene(transcriptionRecord({ options: { channels: ['ada', 'bo'] } }));
  await run();
  expect(await parts()).toEqual(['1 not_two_channels']);
});

describe('a recording with tracks and a mixed file', () => {
  const mixed = { bucket: 'recordings', key: 'mixed.mp4' };
  const both = transcriptionRecord({ location: mixed, trackRevision: 1 });

  test('is made from the mixed file if its tracks take all the time', async () => {
    const { run, parts, inspect, wait } = scene(both, { tracks: 8 });
    inspect.mockImplementation(async ({ key }) => {
      if (key === mixed.key) return inspected({ container: 'mp4', codec: 'aac' });
      wait(5);
      return 'unfinished';
    });
    expect(await run()).toMatchObject({ result: 'prepared' });
    expect(await parts()).toEqual(['1 waiting']);
  });

  test('is made from the mixed file if no track can be read', async () => {
    const { run, store, inspect } = scene(both, { tracks: 2 });
    inspect.mockImplementation(async ({ key }) => (key === mixed.key ? tenHours : { refused: 'recording_missing' }));
    expect(await run()).toMatchObject({ result: 'prepared', pieces: 3 });
    expect((await store.works.listParts(key)).map(({ participantId }) => participantId)).toEqual([null, null, null]);
  });

  test('is made from its tracks if one of them can be read', async () => {
    const { run, store, inspect } = scene(both, { tracks: 2 });
    inspect.mockImplementation(async ({ key }) => (key === '1' ? inspected() : { refused: 'recording_missing' }));
    await run();
    expect((await store.works.listParts(key)).map(({ participantId }) => participantId)).toEqual(['p0', 'p1']);
    expect(inspect).toHaveBeenCalledTimes(2);
  });
});

describe('tracks of a session with agents', () => {
  const ofTracks = transcriptionRecord({ location: undefined, trackRevision: 1 });
  const p1 = { participantId: 'p1', displayName: 'Ada', from: 0, to: 600 };
  const preparedOf = async (record: StoredTranscription, people: Partial<SessionPeople>) => {
    const made = scene(record, { tracks: 3, people: { ...nobodyKnown, ...people }, found: inspected() });
    await made.run();
    const participants = (await made.store.works.listParts(key)).map(({ participantId }) => participantId);
    return { participants, ...made };
  };

  test('are those of people, and of participants of whom nothing is known', async () => {
    const { participants, inspect } = await preparedOf(ofTracks, { stays: [p1], others: agents('p0') });
    expect(participants).toEqual(['p1', 'p2']);
    expect(inspect).toHaveBeenCalledTimes(2); // what is left out costs nothing
  });

  test('are also those of somebody who was there as a person and as an agent', async () => {
    const { participants } = await preparedOf(ofTracks, { stays: [p1], others: agents('p0', 'p1') });
    expect(participants).toEqual(['p1', 'p2']);
  });

  test('give way to the mixed file if all are of agents', async () => {
    const mixed = transcriptionRecord({ trackRevision: 1 });
    expect((await preparedOf(mixed, { others: agents('p0', 'p1', 'p2') })).participants).toEqual([null]);
  });
});

describe('a recording is refused before anything is submitted', () => {
  const ofTracks = transcriptionRecord({ location: undefined, trackRevision: 1 });
  test.each([
    ['that is too long', transcriptionRecord(), { found: inspected({ seconds: 25 * hour }) }, 'recording_too_long'],
    ['that is too large', transcriptionRecord(), { found: inspected({ bytes: 200e9 }) }, 'recording_too_large'],
    ['without tracks', ofTracks, {}, 'recording_missing'],
    ['of 101 participants', ofTracks, { tracks: 101 }, 'too_many_tracks'],
    [
      'with tracks of agents alone',
      ofTracks,
      { tracks: 2, people: { ...nobodyKnown, others: agents('p0', 'p1') } },
      'no_speech',
    ],
  ])('%s, without a head', async (_what, record, options, code) => {
    const { store, run, sent } = scene(record, options);
    expect(await run()).toEqual({ result: 'failed' });
    expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code } });
    expect([sent, store.givenBack, await store.works.find(key)]).toEqual([[], 600, undefined]);
  });

  test('that is longer than its dates and the day: it gives back what it has counted', async () => {
    const { store, run, sent } = scene(transcriptionRecord());
    store.secondsLeft = 35_000;
    expect(await run()).toMatchObject({ result: 'failed' });
    expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code: 'too_many_minutes' } });
    expect([sent, store.givenBack]).toEqual([[], 600]);
  });
});
