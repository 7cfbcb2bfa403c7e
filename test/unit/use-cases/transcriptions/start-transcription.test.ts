import { describe, expect, test, vi } from 'vitest';
import type { StoredTranscription } from '#shared/domain/transcriptions/transcription.ts';
import type { JobStart } from '#shared/domain/transcriptions/transcription-job.ts';
import type { MediaInspector } from '#shared/use-cases/media/ports.ts';
import { startTranscription } from '#shared/use-cases/transcriptions/start-transcription.ts';
import { inspected } from '../../../support/media/inspected.ts';
import { organizationId, tombstone, transcriptionRecord, uuid } from '../../../support/operations/records.ts';
import { FakeStore } from '../../../support/storage/fake-store.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const request = { ...owner, attempt: 3, correlationId: 'call-1' };
const createdAt = '2026-03-01T10:00:00.000Z';
const tooLarge = inspected({ bytes: 100_000_000_001 });
const dayLater = '2026-03-02T10:00:00.000Z';

/** A transcription of a recording of ten minutes, which is started ten seconds after its creation. */
function scene(
  stored: StoredTranscription,
  {
    found = inspected() as Awaited<ReturnType<MediaInspector['inspect']>>,
    outcome = 'started' as JobStart,
    now = '2026-03-01T10:00:10.000Z',
    secondsLeft = 1_000_000,
    denials = 0,
  } = {},
) {
  const store = new FakeStore(stored);
  store.secondsLeft = secondsLeft;
  const inspect = vi.fn(async () => found);
  const sendPreparation = vi.fn(async () => {});
  const start = vi.fn(async () => outcome);
  const postpone = vi.fn(async () => {});
  const sendAgain = vi.fn(async () => {});
  const run = () =>
    startTranscription(
      {
        transcriptions: store.transcriptions,
        due: { postpone },
        inspector: { inspect },
        counts: store.counts,
        pieceSeconds: 4 * 3600,
        sendPreparation,
        jobs: { start },
        refusal: store.refusal,
        sendAgain,
        now: () => new Date(now),
        random: () => 0.5,
      },
      { ...request, denials },
    );
  return { store, inspect, start, postpone, sendAgain, sendPreparation, run };
}

test.each([
  [1, ['ada', 'bo'], 'failed'],
  [2, ['ada', 'bo'], 'started'],
  [1, undefined, 'started'],
])('of a file with %i channels, whose participants are %j, the job is %s', async (channels, participants, result) => {
  const audio = [{ codec: 'pcm-s16', channels, sampleRate: 48_000, isEncrypted: false }];
  const record = transcriptionRecord(participants && { options: { channels: participants } });
  const { store, start, run } = scene(record, { found: inspected({ audio }) });
  expect(await run()).toMatchObject({ result });
  expect(start).toHaveBeenCalledTimes(result === 'started' ? 1 : 0);
  if (result === 'failed') expect(store.get(owner)).toMatchObject({ failure: { code: 'not_two_channels' } });
});

test('a job is started, and the transcription is checked after the recording would have been transcribed', async () => {
  const record = transcriptionRecord();
  const { store, start, run } = scene(record);
  expect(await run()).toEqual({ result: 'started', recordingSeconds: 600 });
  expect(start).toHaveBeenCalledExactlyOnceWith(record, record.location, 'wav');
  expect(store.get(owner)).toMatchObject({
    jobStartedAt: '2026-03-01T10:00:10.000Z',
    dueAt: '2026-03-01T10:20:10.000Z',
    recordedSeconds: 600,
  });
});

test.each([
  ['counts as taken over', { workId: uuid(9) }, { result: 'taken-over' }],
  ['counts as started, because an earlier delivery may have died', {}, { result: 'started', recordingSeconds: 600 }],
] as const)('a job that exists %s', async (_what, facts, expected) => {
  const { store, run } = scene(transcriptionRecord(facts), { outcome: 'exists' });
  expect(await run()).toEqual(expected);
  expect(store.get(owner)).toMatchObject({ jobStartedAt: '2026-03-01T10:00:10.000Z' });
});

test.each([
  ['is ready', transcriptionRecord({ state: 'ready' })],
  ['has failed', transcriptionRecord({ state: 'failed' })],
  ['was deleted', tombstone()],
  ['has parts, which are started one by one', transcriptionRecord({ partCount: 2 })],
  ['is live', transcriptionRecord({ type: 'LIVE_TRANSCRIPTION', location: undefined })],
])('no job is started, and nothing changes, for a transcription that %s', async (_what, stored) => {
  const { store, start, sendAgain, run } = scene(stored);
  expect(await run()).toEqual({ result: 'nothing' });
  expect(store.get(owner)).toEqual(stored);
  expect([start, sendAgain].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test.each([
  ['is too long', inspected({ seconds: 24 * 3600 + 1 }), 'recording_too_long'],
  ['is too large', tooLarge, 'recording_too_large'],
  ['has no audio', inspected({ audio: [] }), 'no_audio'],
  ['is missing', { refused: 'recording_missing' }, 'recording_missing'],
] as const)('a recording that %s fails without a job, and stays due', async (_what, found, code) => {
  const { store, start, run } = scene(transcriptionRecord(), { found });
  expect(await run()).toEqual({ result: 'failed' });
  expect(start).not.toHaveBeenCalled();
  expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code }, dueAt: '2026-03-01T10:16:10.000Z' });
});

test('a recording that Transcribe refuses fails, and stays due', async () => {
  const { store, run } = scene(transcriptionRecord(), { outcome: { refused: 'unsupported_media' } });
  expect(await run()).toEqual({ result: 'failed' });
  expect(store.get(owner)).toMatchObject({
    failure: { code: 'unsupported_media' },
    dueAt: '2026-03-01T10:16:10.000Z',
  });
});

test('a refusal changes nothing if the transcription has ended meanwhile', async () => {
  const { store, run } = scene(transcriptionRecord(), { found: tooLarge });
  const ready = transcriptionRecord({ state: 'ready' });
  store.meanwhile = (call) => {
    if (call === 'abandonAndGiveBack') store.put(ready);
  };
  expect(await run()).toEqual({ result: 'nothing' });
  expect(store.get(owner)).toEqual(ready);
});

describe('while Transcribe is busy,', () => {
  test('a request is sent again after a longer pause, and the transcription is checked after that', async () => {
    const record = transcriptionRecord();
    const { store, postpone, sendAgain, run } = scene(record, { outcome: 'busy' });
    expect(await run()).toEqual({ result: 'busy' });
    expect(sendAgain).toHaveBeenCalledExactlyOnceWith({ ...request, attempt: 4 }, 30);
    expect(postpone).toHaveBeenCalledExactlyOnceWith(record, '2026-03-01T10:15:40.000Z');
    expect(store.get(owner)).toEqual(record);
  });

  test.each([
    ['is sent again', dayLater, 'busy', 'in_progress'],
    ['gives the transcription up, which stays due,', '2026-03-02T10:00:00.001Z', 'given-up', 'failed'],
  ])('a request %s if the transcription is 24 hours old at %s', async (_what, now, result, state) => {
    const { store, sendAgain, run } = scene(transcriptionRecord({ createdAt }), { outcome: 'busy', now });
    expect(await run()).toEqual({ result });
    expect(store.get(owner)).toMatchObject({ state });
    expect(sendAgain).toHaveBeenCalledTimes(result === 'busy' ? 1 : 0);
    if (state === 'failed')
      expect(store.get(owner)).toMatchObject({ failure: { code: 'engine_error' }, dueAt: '2026-03-02T10:16:00.001Z' });
  });
});

describe('a start that AWS denies', () => {
  test('is tried again after a pause, and counts how often that happened in a row', async () => {
    const { store, sendAgain, run } = scene(transcriptionRecord(), { outcome: 'denied', denials: 5 });
    expect(await run()).toEqual({ result: 'denied' });
    expect(sendAgain).toHaveBeenCalledExactlyOnceWith({ ...request, attempt: 4, denials: 6 }, 30);
    expect(store.get(owner)).toHaveProperty('state', 'in_progress');
  });

  test('is counted anew once Transcribe was busy in between', async () => {
    const { sendAgain, run } = scene(transcriptionRecord(), { outcome: 'busy', denials: 5 });
    await run();
    expect(sendAgain).toHaveBeenCalledExactlyOnceWith({ ...request, attempt: 4 }, 30);
  });

  test.each([
    ['after six denials', { outcome: 'denied', denials: 6 }, 'engine_access_denied'],
    ['24 hours after its creation', { outcome: 'denied', now: '2026-03-02T10:00:00.001Z' }, 'engine_access_denied'],
    ['at once if Transcribe is not enabled', { outcome: { refused: 'engine_not_enabled' } }, 'engine_not_enabled'],
  ] as const)(
    'fails the transcription %s, and counts as given up, which raises an alarm',
    async (_when, facts, code) => {
      const { store, sendAgain, run } = scene(transcriptionRecord({ createdAt }), facts);
      expect(await run()).toEqual({ result: 'given-up' });
      expect(sendAgain).not.toHaveBeenCalled();
      expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code } });
    },
  );
});

describe('the seconds of the day', () => {
  const counted = transcriptionRecord();

  test.each([
    ['is too large', counted, { found: tooLarge }, 600],
    ['is refused by Transcribe', counted, { outcome: { refused: 'unsupported_media' } as const }, 600],
    ['is started', counted, {}, 0],
    ['waits for Transcribe', counted, { outcome: 'busy' as const }, 0],
    ['was counted on another day', counted, { found: tooLarge, now: '2026-03-02T00:00:00.000Z' }, 0],
    ['has taken over a job', transcriptionRecord({ workId: uuid(9) }), { found: tooLarge }, 0],
  ])('of a recording that %s are given back if it cost nothing', async (_what, record, options, seconds) => {
    const { store, run } = scene(record, options);
    await run();
    expect(store.givenBack).toBe(seconds);
  });

  test('are given back by one of two simultaneous deliveries', async () => {
    const { store, run } = scene(counted, { found: tooLarge });
    await Promise.all([run(), run()]);
    expect(store.givenBack).toBe(600);
  });

  test('are given back after a lost race', async () => {
    const { store, run } = scene(counted, { found: tooLarge });
    const { abandonAndGiveBack } = store.refusal;
    const lost = vi.spyOn(store.refusal, 'abandonAndGiveBack').mockResolvedValueOnce('lost-race' as never);
    lost.mockImplementation(abandonAndGiveBack);
    expect(await run()).toEqual({ result: 'failed' });
    expect([lost.mock.calls.length, store.givenBack]).toEqual([2, 600]);
  });
});

test('a transcription whose job was started is not refused, and keeps its seconds, if its file is gone since', async () => {
  const record = transcriptionRecord({ jobStartedAt: createdAt });
  const { store, run } = scene(record, { found: tooLarge, outcome: 'exists' });
  expect(await run()).toMatchObject({ result: 'started' });
  expect([store.get(owner), store.givenBack]).toMatchObject([{ state: 'in_progress' }, 0]);
});

describe('the look at the file', () => {
  test.each<[what: string, found: Awaited<ReturnType<MediaInspector['inspect']>>]>([
    ['is in a container that Transcribe does not take', inspected({ container: 'matroska' })],
    ['is longer than a job', inspected({ seconds: 4 * 3600 + 1 })],
    ['is larger than a job', inspected({ bytes: 3_000_000_000 })],
    ['takes more reads than a look', 'unfinished'],
  ])('sends a file to prepare-media that %s', async (_what, found) => {
    const record = transcriptionRecord({ correlationId: 'call-1' });
    const { store, start, postpone, sendPreparation, run } = scene(record, { found });
    expect(await run()).toEqual({ result: 'preparing' });
    expect(sendPreparation).toHaveBeenCalledExactlyOnceWith({ ...owner, correlationId: 'call-1' });
    expect(postpone).toHaveBeenCalledExactlyOnceWith(record, '2026-03-01T10:20:10.000Z');
    expect(start).not.toHaveBeenCalled();
    expect(store.get(owner)).toEqual(record);
  });

  test('is not needed for tracks, which go to prepare-media', async () => {
    const { inspect, sendPreparation, run } = scene(transcriptionRecord({ location: undefined, trackRevision: 3 }));
    expect(await run()).toEqual({ result: 'preparing' });
    expect([inspect.mock.calls.length, sendPreparation.mock.calls.length]).toEqual([0, 1]);
  });

  test('is not repeated once the job was started', async () => {
    const record = transcriptionRecord({ jobStartedAt: createdAt, recordedSeconds: 300.5 });
    const { store, inspect, start, run } = scene(record, { outcome: 'exists' });
    expect(await run()).toEqual({ result: 'started', recordingSeconds: 300.5 });
    expect(inspect).not.toHaveBeenCalled();
    expect(start).toHaveBeenCalledExactlyOnceWith(record, record.location, undefined);
    expect(store.get(owner)).toMatchObject({ recordedSeconds: 300.5 });
  });

  test.each([
    ['keeps the count if the file is about as long as the dates', 540, 600],
    ['keeps the count if the header of the file says less', 20, 600],
    ['corrects the count if the file is longer', 661, 661],
  ])('%s', async (_what, seconds, expected) => {
    const { store, run } = scene(transcriptionRecord(), { found: inspected({ seconds }), secondsLeft: 61 });
    expect(await run()).toEqual({ result: 'started', recordingSeconds: seconds });
    expect(store.secondsLeft).toBe(61 - expected + 600);
    expect(store.calls.includes('correct')).toBe(expected !== 600);
  });

  test('fails a recording that is longer than its dates and the day, and gives back what it has counted', async () => {
    const { store, start, run } = scene(transcriptionRecord(), { found: inspected({ seconds: 700 }), secondsLeft: 99 });
    expect(await run()).toEqual({ result: 'failed' });
    expect(start).not.toHaveBeenCalled();
    expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code: 'too_many_minutes' } });
    expect(store.givenBack).toBe(600);
  });

  test('gives back the corrected count if Transcribe refuses the file', async () => {
    const options = { found: inspected({ seconds: 1200 }), outcome: { refused: 'unsupported_media' } as const };
    const { store, run } = scene(transcriptionRecord(), options);
    expect(await run()).toEqual({ result: 'failed' });
    expect(store.givenBack).toBe(1200);
  });
});
