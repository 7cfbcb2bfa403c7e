import { beforeEach, expect, test, vi } from 'vitest';
import { createHandler } from '#functions/workers/record-room-events/handler.ts';
import type { SessionEvent } from '#shared/contracts/session-events.ts';
import { recordSessionEvents } from '#shared/use-cases/record-session-events.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { created, ended, joined, retracted } from '../../support/session-facts.ts';
import { anyTime, sqsEvent } from '../../support/sqs-events.ts';
import { watchedStore } from '../../support/watched-insights.ts';

beforeEach(() => {
  captureLogLines();
});

const unexpected = vi.fn();

/** The room events worker over a store in memory. Each change takes 7 of its 30 seconds. */
function slowWorker() {
  const watched = watchedStore();
  const handler = createHandler({
    ...watched.deps,
    queue: { sqs: { send: async () => ({}) }, url: 'url' },
    registration: { register: unexpected },
    transcriptions: { beginLive: unexpected, endLive: unexpected },
    files: { removeLive: unexpected },
    transcriptsBucket: 'none',
    timeBounds: anyTime,
  });
  const run = async (...events: readonly object[]) => {
    const before = watched.changes.length;
    const context = { getRemainingTimeInMillis: () => 30_000 - 7_000 * (watched.changes.length - before) };
    return (await handler(sqsEvent(...events), context)).batchItemFailures.length;
  };
  return { ...watched, run };
}

test('the end of a session with too many participants for one invocation is recorded over several', async () => {
  const { record, run, changes, session } = slowWorker();
  const joins: SessionEvent[] = Array.from({ length: 140 }, (_, index) => joined(`guest ${index}`, '09:00'));
  await record(...joins);
  changes.splice(0);
  const failures: number[] = [];
  do failures.push(await run(ended('10:00')));
  while (failures.at(-1) !== 0 && failures.length < 10);
  expect(failures).toEqual([1, 1, 0]);
  expect(changes.map(({ participants }) => participants.length)).toEqual([0, 20, 20, 20, 20, 20, 20, 20]);
  expect(session()).toMatchObject({ totalParticipantMinutes: 140 * 60 });
});

test('a created room is not written if no time is left', async () => {
  const { run, room } = slowWorker();
  const sessions = [1, 2, 3].map((number) =>
    joined('ann', '09:00', { roomSessionId: `5e551011-0000-4000-8000-00000000000${number}` }),
  );
  expect(await run(...sessions, created('08:00'))).toBe(1);
  expect(room()).toMatchObject({ totalSessions: 3, createdAt: sessions[0]?.createdAt });
});

test('a retraction stops its search of a long session when no time is left', async () => {
  const { deps, record } = watchedStore();
  const joins: SessionEvent[] = Array.from({ length: 100 }, (_, index) => joined(`guest ${index}`, '09:00'));
  await record(...joins);
  let read = 0;
  const insights = {
    ...deps.insights,
    async *eventsOf(...key: Parameters<typeof deps.insights.eventsOf>) {
      for await (const event of deps.insights.eventsOf(...key)) {
        read += 1;
        yield event;
      }
    },
  };
  const late = new Error('no time');
  const assertTimeLeft = () => {
    if (read >= 10) throw late;
  };
  await expect(recordSessionEvents({ ...deps, insights }, [retracted({ id: 'wrong' })], assertTimeLeft)).rejects.toBe(
    late,
  );
  expect(read).toBe(10);
});
