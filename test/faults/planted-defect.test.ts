import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { skipPauses } from '../support/client/no-pauses.ts';
import type { History } from './harness/history.ts';
import { play } from './harness/play.ts';
import { readReplay, writeReplay } from './harness/replay-file.ts';
import { describeFailure } from './harness/report.ts';
import { type Failure, historyOf, search } from './harness/search.ts';
import { Tally } from './harness/tally.ts';
import { captureLogs } from './support/captured-logs.ts';
import { World } from './support/world.ts';

skipPauses();

const world = await World.create();
afterAll(() => world.stop());

type Update = { readonly TableName?: string; ConditionExpression?: string };

/** The defect: an update of a transcription succeeds in every state. */
let isDefective = true;
world.clients.documents.middlewareStack.add(
  (next) => (args) => {
    const input = args.input as Update & { readonly TransactItems?: readonly { readonly Update?: Update }[] };
    for (const update of [input, ...(input.TransactItems ?? []).flatMap(({ Update = [] }) => Update)]) {
      const isOfTranscription =
        update.TableName === world.resources.tables.transcriptions && 'UpdateExpression' in update;
      if (isDefective && isOfTranscription && update.ConditionExpression)
        update.ConditionExpression += ' OR attribute_exists(transcriptionId)';
    }
    return next(args);
  },
  { step: 'initialize', name: 'planted-defect' },
);

const jobEnds = { action: 'job ends', data: { job: 0, result: 'words', event: 'sent' }, faults: [] } as const;
/** The transcription is deleted right before the finish worker sets its state. */
const deletedMeanwhile: History = [
  { action: 'create', data: { owner: 0, recording: 0, idempotencyKey: null, isKnown: true }, faults: [] },
  jobEnds, // starts the job
  jobEnds,
  {
    action: 'deliver',
    data: { queue: 0, limit: 10, order: null, lapses: false },
    faults: [{ kind: 'slow call', call: 8, times: 1 }],
  },
  { action: 'delete', data: { owner: 0, transcription: 0 }, faults: [] },
];

test('a planted defect breaks an invariant, and the same history breaks none without it', async () => {
  const logs = captureLogs();
  expect((await play(world, logs, deletedMeanwhile)).problem?.reason).toContain('exactly the lists');
  isDefective = false;
  const { problem, tally } = await play(world, logs, deletedMeanwhile);
  expect([problem, tally.total]).toEqual([undefined, 1]);
});

/** Breaks if a transcription is created while a call is slow, and something is deleted later. */
async function playWithoutWorld(history: History) {
  const slow = history.findIndex(
    ({ action, faults }) => action === 'create' && faults.some(({ kind }) => kind === 'slow call'),
  );
  const isBroken = slow >= 0 && history.slice(slow).some(({ action }) => action === 'delete');
  const tally = new Tally();
  tally.add('slow call', 10);
  return { tally, problem: isBroken ? { invariant: 'nothing is deleted', reason: 'It is.' } : undefined };
}

test('a search reduces a history to the steps and faults that break an invariant, and writes them to a file', async () => {
  const { failure, histories } = await search({ count: 10_000, seed: 1, playHistory: playWithoutWorld });
  const found = failure as Failure;
  expect(found.seed).toBe(histories);
  expect(historyOf(found.seed)).toHaveLength(found.originalSteps);
  expect(found.history).toEqual([
    {
      action: 'create',
      data: expect.objectContaining({ owner: 0 }),
      faults: [{ kind: 'slow call', call: 1, times: 1 }],
    },
    { action: 'delete', data: { owner: 0, transcription: 0 }, faults: [] },
  ]);

  const file = writeReplay(found, mkdtempSync(path.join(tmpdir(), 'faults-')));
  expect(readReplay(file)).toEqual(found.history);
  const text = describeFailure(found, file);
  expect(text).toContain(`--seed ${found.seed}`);
  expect(text).toContain(`--replay ${file}`);
});

test('a search ends when enough faults were reached', async () => {
  const playHistory = async () => ({ ...(await playWithoutWorld([])), problem: undefined });
  const { tally, histories, failure } = await search({ count: 35, seed: 1, playHistory });
  expect([tally.total, histories, failure]).toEqual([40, 4, undefined]);
});
