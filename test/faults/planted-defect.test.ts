import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { skipPauses } from '../support/no-pauses.ts';
import type { History } from './harness/history.ts';
import { play } from './harness/play.ts';
import { readReplay, writeReplay } from './harness/replay-file.ts';
import { describeFailure } from './harness/report.ts';
import { type Failure, historyOf, search } from './harness/search.ts';
import { captureLogs } from './support/captured-logs.ts';
import { World } from './support/world.ts';

skipPauses();

const world = await World.create();
afterAll(() => world.stop());

/** The defect: an update of a transcription succeeds in every state. */
let isDefective = true;
world.clients.documents.middlewareStack.add(
  (next) => (args) => {
    const input = args.input as { readonly TableName?: string; ConditionExpression?: string };
    const isOfTranscription = input.TableName === world.resources.tables.transcriptions && 'UpdateExpression' in input;
    if (isDefective && isOfTranscription && input.ConditionExpression)
      input.ConditionExpression = `(${input.ConditionExpression}) OR attribute_exists(transcriptionId)`;
    return next(args);
  },
  { step: 'initialize', name: 'planted-defect' },
);

/** With this seed, an early history meets the defect. */
const seed = 1;

test('a planted defect is found, reduced to few steps, and found again by its replay file', {
  timeout: 300_000,
}, async () => {
  const logs = captureLogs();
  const playHistory = (history: History) => play(world, logs, history);
  const { failure } = await search({ count: 5_000, seed, playHistory, shrinkMs: 60_000 });
  expect(failure, 'the defect is found').toBeDefined();
  const found = failure as Failure;
  expect(found.history.length).toBeLessThanOrEqual(8);
  expect(historyOf(found.seed)).toHaveLength(found.originalSteps);

  const file = writeReplay(found, mkdtempSync(path.join(tmpdir(), 'faults-')));
  expect(readReplay(file)).toEqual(found.history);
  expect((await playHistory(readReplay(file))).problem?.invariant).toBe(found.problem.invariant);
  isDefective = false;
  expect((await playHistory(readReplay(file))).problem).toBeUndefined();

  const text = describeFailure(found, file);
  expect(text).toContain(`--seed ${found.seed}`);
  expect(text).toContain(`--replay ${file}`);
  for (const { action } of found.history) expect(text).toContain(action);
});
