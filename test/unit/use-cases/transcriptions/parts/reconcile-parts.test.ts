import { expect, test, vi } from 'vitest';
import { partsToStart, type TranscriptionPart } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { healParts, partsWithJob } from '#shared/use-cases/transcriptions/parts/reconcile-parts.ts';
import { transcriptionRecord, uuid } from '../../../../support/operations/records.ts';
import { transcriptionPart } from '../../../../support/transcriptions/works.ts';

/** Parts in these states. Each running one was started a minute after the one before. */
function partsIn(...states: readonly TranscriptionPart['state'][]): TranscriptionPart[] {
  return states.map((state, index) => {
    const jobStartedAt = new Date(Date.UTC(2026, 2, 1, 10, index)).toISOString();
    return transcriptionPart({ part: index + 1, state, ...(state !== 'waiting' && { jobStartedAt }) });
  });
}

function scene(
  states: readonly TranscriptionPart['state'][],
  { state = 'running', now = '2026-03-01T12:00:00.000Z' } = {},
) {
  const jobs = { state: vi.fn(async () => state as 'running' | 'completed' | 'absent') };
  const sent = { sendJobs: vi.fn(async () => {}), sendResult: vi.fn(async () => {}), sendMerge: vi.fn(async () => {}) };
  const record = transcriptionRecord({ partCount: states.length });
  const heal = () => healParts({ jobs, partsAtOnce: 2, ...sent, now: () => new Date(now) }, record, partsIn(...states));
  const asked = () => jobs.state.mock.calls.map((call) => (call as unknown as [{ part: number }])[0].part);
  return { heal, asked, ...sent };
}

const numbers = (parts: readonly TranscriptionPart[]) => parts.map(({ part }) => part);

test.each([
  [
    ['waiting', 'waiting', 'waiting'],
    [1, 2],
  ],
  [['running', 'waiting', 'waiting', 'waiting'], [2]],
  [['done', 'running', 'waiting', 'waiting', 'waiting'], [3]],
  [
    ['failed', 'done', 'done', 'waiting', 'waiting', 'waiting'],
    [4, 5],
  ],
] as const)('of %j, those with the numbers %j have their turn', (states, expected) => {
  expect(numbers(partsToStart(partsIn(...states), 2))).toEqual(expected);
});

test('the parts with jobs are those that run, have their turn, or have ended without a stored start', () => {
  const [unstored] = partsIn('done').map((part) => ({ ...part, jobStartedAt: undefined }));
  const parts = [...partsIn('done', 'running', 'waiting', 'waiting'), { ...(unstored as TranscriptionPart), part: 5 }];
  expect(numbers(partsWithJob(parts, 2))).toEqual([2, 5, 3]);
});

test('starts are sent for the parts whose turn it is', async () => {
  const { heal, sendJobs } = scene(['done', 'waiting', 'waiting', 'waiting']);
  expect(await heal()).toBe('sent-again');
  const messages = [2, 3].map((part) => expect.objectContaining({ transcriptionId: uuid(1), part, attempt: 0 }));
  expect(sendJobs).toHaveBeenCalledExactlyOnceWith('acme', messages);
});

test('the merge is sent when all parts have ended, and only then', async () => {
  const [ended, other] = [scene(['done', 'failed']), scene(['done', 'running'])];
  expect(await ended.heal()).toBe('sent-again');
  expect(ended.sendMerge).toHaveBeenCalledExactlyOnceWith({ organizationId: 'acme', workId: uuid(1) });
  expect(await other.heal()).toBe('postponed');
  expect(other.sendMerge).not.toHaveBeenCalled();
});

test('only overdue jobs are asked for, at most 25 in a run, the longest overdue first', async () => {
  const many = scene(Array(30).fill('running'));
  expect(await many.heal()).toBe('postponed');
  expect(many.asked()).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  const three = scene(['running', 'running', 'running'], { now: '2026-03-01T10:21:30.000Z' }); // each takes 10 minutes
  await three.heal();
  expect(three.asked()).toEqual([1, 2]);
});

test.each([
  ['completed', 'completed'],
  ['absent', { failureReason: '' }],
] as const)('a job that is %s is reported as %j', async (state, expected) => {
  const { heal, sendResult } = scene(['running', 'running'], { state });
  expect(await heal()).toBe('result-sent');
  expect(sendResult.mock.calls).toEqual([1, 2].map((part) => [expect.objectContaining({ part }), expected]));
});
