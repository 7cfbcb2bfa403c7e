import { afterAll, expect, test } from 'vitest';
import { skipPauses } from '../support/client/no-pauses.ts';
import { play } from './harness/play.ts';
import { readReplay, writeReplay } from './harness/replay-file.ts';
import { describeFailure, tableOfFaults } from './harness/report.ts';
import { type Progress, search } from './harness/search.ts';
import { settings } from './harness/settings.ts';
import { captureLogs } from './support/captured-logs.ts';
import { World } from './support/world.ts';

/** Skips the pauses between attempts, because the test controls the time. */
skipPauses();

const world = await World.create();
afterAll(() => world.stop());

const { count, transitions, seed, replay, showsProgress } = settings;
/** A minute for each hundred faults is far more than a slow machine needs. */
const timeout = 60_000 + (count + 5 * transitions) * 600;

if (replay === undefined) {
  test(`${count} random faults break no invariant (FAULTS_SEED=${seed})`, { timeout }, async ({ annotate }) => {
    const logs = captureLogs();
    const onProgress = async ({ tally }: Progress) => showsProgress && annotate(String(tally.total), 'progress');
    const found = await search({
      count,
      transitions,
      seed,
      playHistory: (history) => play(world, logs, history),
      onProgress,
    });
    await annotate(tableOfFaults(found), 'faults');
    if (found.failure) throw new Error(describeFailure(found.failure, writeReplay(found.failure)));
    expect(found.tally.total, 'the faults that were reached').toBeGreaterThanOrEqual(count);
  });
} else {
  test(`the history of ${replay} breaks no invariant`, { timeout }, async ({ annotate }) => {
    const { tally, problem } = await play(world, captureLogs(), readReplay(replay));
    await annotate(tableOfFaults({ tally, histories: 1 }), 'faults');
    expect(problem && `${problem.invariant}: ${problem.reason}`, 'the broken invariant').toBeUndefined();
  });
}
