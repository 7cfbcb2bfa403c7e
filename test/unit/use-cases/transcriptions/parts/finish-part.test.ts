import { expect, test, vi } from 'vitest';
import type { StoredTranscription } from '#shared/domain/transcriptions/transcription.ts';
import { finishPart } from '#shared/use-cases/transcriptions/parts/finish-part.ts';
import {
  organizationId,
  partRecord,
  tombstone,
  transcriptionRecord,
  uuid,
} from '../../../../support/operations/records.ts';
import { FakeStore } from '../../../../support/storage/fake-store.ts';

const key = { organizationId: organizationId(), workId: uuid(1) };
const job = { organizationId: key.organizationId, transcriptionId: key.workId, part: 1 };
const startedAt = '2026-03-01T10:00:00.000Z';

/** The end of the first of three parts, two of which run at once. */
function scene(stored: StoredTranscription, { afterSeconds = 60, others = 'waiting' as 'waiting' | 'done' } = {}) {
  const store = new FakeStore(stored);
  const rest = [2, 3].map((part) => partRecord(part, { state: others }));
  store.works.put(key, [partRecord(1, { state: 'running', jobStartedAt: startedAt }), ...rest]);
  store.setJob(job, 'completed');
  const sent = { sendJobs: vi.fn(async () => {}), sendMerge: vi.fn(async () => {}), postpone: vi.fn(async () => {}) };
  const { transcriptions, works, jobsOf: jobs } = store;
  const now = () => new Date(Date.parse(startedAt) + afterSeconds * 1000);
  const due = { postpone: sent.postpone };
  const end = () =>
    finishPart({ transcriptions, works, jobs, due, partsAtOnce: 2, ...sent, now }, { ...key, part: 1 }, undefined);
  return { store, end, ...sent };
}

test('the end of a part is counted once, and starts the next one each time', async () => {
  const { store, end, sendJobs } = scene(transcriptionRecord());
  expect([await end(), await end()]).toEqual([true, false]);
  expect(await store.works.find(key)).toMatchObject({ endedParts: 1 });
  const next = ['acme', [expect.objectContaining({ transcriptionId: uuid(1), part: 3, attempt: 0 })]];
  expect(sendJobs.mock.calls, 'the first call may have died before it sent the message').toEqual([next, next]);
});

test('the end of the last part sends the merge, which is checked after ten minutes', async () => {
  const record = transcriptionRecord();
  const { end, sendJobs, sendMerge, postpone } = scene(record, { others: 'done' });
  await end();
  expect(sendMerge).toHaveBeenCalledExactlyOnceWith(key);
  expect(postpone).toHaveBeenCalledExactlyOnceWith(record, '2026-03-01T10:11:00.000Z');
  expect(sendJobs).not.toHaveBeenCalled();
});

test.each([
  ['was deleted', tombstone()],
  ['was given up', transcriptionRecord({ state: 'failed' })],
])('the end of a part of a transcription that %s is stored, and starts nothing', async (_what, stored) => {
  const { store, end, sendJobs, sendMerge } = scene(stored);
  expect(await end()).toBe(true);
  expect(await store.works.findPart({ ...key, part: 1 })).toMatchObject({ state: 'done' });
  expect([sendJobs, sendMerge].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test.each([
  [15, 1],
  [15.001, 0],
])('%d seconds after its start, %d job is left, because a worker could start it again', async (afterSeconds, left) => {
  const { store, end } = scene(transcriptionRecord(), { afterSeconds });
  await end();
  expect(store.jobs.size).toBe(left);
});
