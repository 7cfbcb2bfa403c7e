import { beforeEach, expect, test } from 'vitest';
import { maxWeight } from '#shared/domain/insights/session/session-log.ts';
import { roomEventsWorker } from '../../../support/insights/room-events-worker.ts';
import { created, daily, joined, joinsOf } from '../../../support/insights/session-facts.ts';
import { watchedStore } from '../../../support/insights/watched-insights.ts';
import { captureLogLines } from '../../../support/log-lines.ts';

beforeEach(() => {
  captureLogLines();
});

/** The room events worker over a store in memory. Each change takes 7 of its 30 seconds. */
function slowWorker() {
  const watched = watchedStore();
  const run = async (...events: readonly object[]) => {
    const before = watched.changes.length;
    const context = { getRemainingTimeInMillis: () => 30_000 - 7_000 * (watched.changes.length - before) };
    return (await roomEventsWorker(watched.deps, context)(...events)).length;
  };
  return { ...watched, run };
}

test('a log with too many blocks for one invocation is counted over several', async () => {
  const { run, deps, changes, session } = slowWorker();
  const joins = joinsOf('ann', 22 * maxWeight);
  for (let number = 1; number <= 22; number += 1)
    await deps.facts.append(daily, number, joins.slice((number - 1) * maxWeight, number * maxWeight));
  const failures: number[] = [];
  do failures.push(await run(...joins.slice(0, 2)));
  while (failures.at(-1) !== 0 && failures.length < 10);
  expect(failures).toEqual([2, 0]);
  expect(changes.map(({ to }) => to)).toEqual([4, 8, 12, 16, 20, 22]);
  expect(session()).toMatchObject({ totalUniqueParticipants: 22 * maxWeight });
});

test('a created room is not written if no time is left', async () => {
  const { run, room } = slowWorker();
  const sessions = [1, 2, 3].map((number) =>
    joined('ann', '09:00', { roomSessionId: `5e551011-0000-4000-8000-00000000000${number}` }),
  );
  expect(await run(...sessions, created('08:00'))).toBe(1);
  expect(room()).toMatchObject({ totalSessions: 3, createdAt: sessions[0]?.createdAt });
});
