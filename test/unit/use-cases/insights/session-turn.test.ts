import { expect, test } from 'vitest';
import type { SessionRecord } from '#shared/domain/insights/insight-records.ts';
import { sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { versionsOf, waitForTurn } from '#shared/use-cases/insights/session-turn.ts';
import { daily } from '../../../support/insights/session-facts.ts';
import { watchedStore } from '../../../support/insights/watched-insights.ts';

/** Waits for the turn of block 3 while the stored version changes at each look, and then stays as it is. */
async function waitWhile(...versions: readonly number[]) {
  const { deps, pausesMs } = watchedStore();
  let looks = 0;
  const readSessions = async () => {
    const version = versions[Math.min(looks, versions.length - 1)] ?? 0;
    looks += 1;
    return [{ ...daily, version, listedVersion: 0 } as SessionRecord];
  };
  const insights = { ...deps.insights, readSessions };
  const update = { ...deps, insights, session: daily, log: sessionLog(), assertTimeLeft: () => {} };
  const { stored, hasWaited } = await waitForTurn(update, 3);
  expect(pausesMs).toHaveLength(looks - 1);
  return { looks, hasWaited, version: versionsOf(stored).version };
}

test.each([
  ['at once if everything before the block is counted', [2], { looks: 1, hasWaited: false, version: 2 }],
  ['at once if the block is counted', [3], { looks: 1, hasWaited: false, version: 3 }],
  ['when another worker has counted the block', [0, 1, 3], { looks: 3, hasWaited: true, version: 3 }],
  ['a look later if another worker has just come to the block', [1, 2, 2], { looks: 3, hasWaited: true, version: 2 }],
  ['when a worker that had come to the block counted it, too', [1, 2, 3], { looks: 3, hasWaited: true, version: 3 }],
  ['after eight looks without progress', [1], { looks: 9, hasWaited: true, version: 1 }],
  ['later for each progress', [0, 0, 0, 1], { looks: 12, hasWaited: true, version: 1 }],
])('a worker has its turn %s', async (_when, versions, turn) => {
  expect(await waitWhile(...versions)).toEqual(turn);
});
