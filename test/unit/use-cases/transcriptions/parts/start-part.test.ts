import { describe, expect, test, vi } from 'vitest';
import type { TranscriptionPart } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import type { JobStart } from '#shared/domain/transcriptions/transcription-job.ts';
import { startPart } from '#shared/use-cases/transcriptions/parts/start-part.ts';
import { organizationId, partRecord, transcriptionRecord, uuid } from '../../../../support/operations/records.ts';
import { FakeStore } from '../../../../support/storage/fake-store.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const request = { ...owner, part: 1, attempt: 3, correlationId: 'call-1' };
const key = { organizationId: owner.organizationId, workId: uuid(9) };
const now = '2026-03-01T10:00:10.000Z';

/** A transcription that has taken over a work of three parts, two of which run at once. */
function scene(
  part: Partial<TranscriptionPart> = {},
  outcome: JobStart = 'started',
  facts: Partial<TranscriptionRecord> = {},
  asked: { readonly denials?: number } = {},
) {
  const record = transcriptionRecord({ workId: key.workId, partCount: 3, dueAt: '2026-03-01T10:02:00.000Z', ...facts });
  const store = new FakeStore(record);
  store.works.put(key, [partRecord(1, part), partRecord(2), partRecord(3)]);
  const start = vi.fn(async () => outcome);
  const sent = { sendAgain: vi.fn(async () => {}), sendJobs: vi.fn(async () => {}), sendMerge: vi.fn(async () => {}) };
  const postpone = vi.fn(async () => {});
  const { transcriptions, works } = store;
  const common = { partsAtOnce: 2, due: { postpone }, now: () => new Date(now), random: () => 0.5 };
  const deps = { transcriptions, refusal: store.refusal, works, jobs: { start }, ...sent, ...common };
  const run = () => startPart(deps, { ...request, ...asked });
  return { store, record, start, postpone, run, ...sent };
}

test('a waiting part is started with its file and container, for the work that it belongs to', async () => {
  const { store, start, run } = scene();
  expect(await run()).toEqual({ result: 'started', recordingSeconds: 60 });
  const { file, container } = partRecord(1);
  const job = expect.objectContaining({ ...owner, workId: key.workId, part: 1 });
  expect(start).toHaveBeenCalledExactlyOnceWith(job, file, container);
  expect(await store.works.findPart({ ...key, part: 1 })).toMatchObject({ state: 'running', jobStartedAt: now });
});

test('a job that was started for an earlier transcription is not counted again', async () => {
  expect(await scene({}, 'exists').run()).toEqual({ result: 'taken-over' });
});

test.each([
  ['runs', { state: 'running' } as const, {}],
  ['belongs to a transcription that is not prepared', {}, { partCount: undefined }],
  ['belongs to a transcription that has ended', {}, { state: 'ready' } as const],
])('nothing is done for a part that %s', async (_what, part, facts) => {
  const { start, sendJobs, sendMerge, run } = scene(part, 'started', facts);
  expect(await run()).toEqual({ result: 'nothing' });
  expect([start, sendJobs, sendMerge].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test.each([
  ['has ended', { state: 'done' } as const, 'started' as const, 'ended'],
  ['has nothing to recognize', { file: undefined }, 'started' as const, 'ended'],
  ['Transcribe refuses', {}, { refused: 'unsupported_media' } as const, 'refused'],
])('the turn of a part that %s goes on to the next one', async (_what, part, outcome, result) => {
  const { store, sendJobs, run } = scene(part, outcome);
  expect(await run()).toEqual({ result });
  const next = { ...owner, correlationId: undefined, part: 3, attempt: 0 };
  expect(sendJobs).toHaveBeenCalledExactlyOnceWith('acme', [next]);
  expect(await store.works.find(key)).toMatchObject({ endedParts: 1 });
});

test.each([
  ['moves to a later date', '2026-03-01T10:02:00.000Z', ['2026-03-01T10:15:40.000Z']],
  ['does not move to an earlier one', '2026-03-01T11:00:00.000Z', []],
])('while Transcribe is busy, the part waits, and the next check %s', async (_what, dueAt, expected) => {
  const { record, postpone, sendAgain, run } = scene({}, 'busy', { dueAt });
  expect(await run()).toEqual({ result: 'busy' });
  expect(sendAgain).toHaveBeenCalledExactlyOnceWith({ ...request, attempt: 4 }, 30);
  expect(postpone.mock.calls).toEqual(expected.map((date) => [record, date]));
});

test('a part whose start AWS denies waits at first', async () => {
  const { store, sendAgain, run } = scene({}, 'denied', {}, { denials: 5 });
  expect(await run()).toEqual({ result: 'denied' });
  expect(sendAgain).toHaveBeenCalledExactlyOnceWith({ ...request, attempt: 4, denials: 6 }, 30);
  expect(store.get(owner)).toHaveProperty('state', 'in_progress');
});

describe.each([
  ['engine_access_denied', 'denied'],
  ['engine_not_enabled', { refused: 'engine_not_enabled' }],
] as const)('if the operator has to help because of %s,', (code, outcome) => {
  const counted = { countedSeconds: 600, createdAt: now };

  test('a transcription of which no part was started is refused at once, and its minutes are given back', async () => {
    const { store, run } = scene({}, outcome, counted, { denials: 6 });
    await store.works.endPart({ ...key, part: 3 }, { state: 'failed', failureCode: 'media_unreadable' });
    expect(await run()).toEqual({ result: 'given-up' });
    expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code } });
    expect(store.givenBack).toBe(600);
  });

  test('the parts that wait fail, and those that are done are merged', async () => {
    const { store, sendMerge, run } = scene({}, outcome, {}, { denials: 6 });
    await store.works.endPart({ ...key, part: 2 }, { state: 'done' });
    expect(await run()).toEqual({ result: 'parts-given-up' });
    const states = (await store.works.listParts(key)).map(({ state, failureCode }) => failureCode ?? state);
    expect(states).toEqual([code, 'done', code]);
    expect(sendMerge).toHaveBeenCalledExactlyOnceWith(key);
  });

  test('the parts that wait fail, and one that runs is still waited for', async () => {
    const { store, sendMerge, run } = scene({}, outcome, counted, { denials: 6 });
    await store.works.markPartRunning({ ...key, part: 2 }, now);
    expect(await run()).toEqual({ result: 'parts-given-up' });
    const states = (await store.works.listParts(key)).map(({ state, failureCode }) => failureCode ?? state);
    expect(states).toEqual([code, 'running', code]);
    expect(sendMerge).not.toHaveBeenCalled(); // the end of its job sends it
    expect(store.get(owner)).toHaveProperty('state', 'in_progress');
    expect(store.givenBack).toBe(0);
  });
});

test('parts that have waited for more than a day fail, and those that are done are merged', async () => {
  const { store, sendMerge, run } = scene({}, 'busy', { createdAt: '2026-02-28T10:00:00.000Z' });
  await store.works.endPart({ ...key, part: 2 }, { state: 'done' });
  expect(await run()).toEqual({ result: 'parts-given-up' });
  const states = (await store.works.listParts(key)).map(({ state, failureCode }) => failureCode ?? state);
  expect(states).toEqual(['engine_error', 'done', 'engine_error']);
  expect(sendMerge).toHaveBeenCalledExactlyOnceWith(key);
  expect(store.get(owner)).toHaveProperty('state', 'in_progress');
});

test('a transcription whose parts have waited for more than a day is given up, and checked again', async () => {
  const { store, run } = scene({}, 'busy', { createdAt: '2026-02-28T10:00:00.000Z' });
  expect(await run()).toEqual({ result: 'given-up' });
  const dueAt = '2026-03-01T10:05:10.000Z';
  expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code: 'engine_error' }, dueAt });
});
