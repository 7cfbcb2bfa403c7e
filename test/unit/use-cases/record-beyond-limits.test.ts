import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createHandler } from '#functions/workers/record-room-events/handler.ts';
import { chunk } from '#shared/chunk.ts';
import { RoomEvent } from '#shared/contracts/events.ts';
import type { SessionEvent } from '#shared/contracts/session-events.ts';
import { limits } from '#shared/domain/session-limits.ts';
import { recordSessionEvents } from '#shared/use-cases/record-session-events.ts';
import { createRandom } from '../../../tools/simulation/random.ts';
import { recount } from '../../../tools/simulation/recount.ts';
import { MemoryInsights } from '../../faults/support/memory-insights.ts';
import { scriptOf } from '../../faults/support/session-script.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import {
  at,
  daily,
  ended,
  joined,
  joinsOf,
  left,
  rated,
  retracted,
  started,
  withId,
} from '../../support/session-facts.ts';
import { anyTime, sqsEvent } from '../../support/sqs-events.ts';
import { watchedStore } from '../../support/watched-insights.ts';

const three = { limits: { connections: 3, ratings: 2 } };
const few = (options = {}) => watchedStore(undefined, new MemoryInsights({ ...three, ...options }));
const unexpected = vi.fn();

/** The worker over this store. `run` returns the numbers of the messages that failed. */
function workerOf({ deps }: ReturnType<typeof watchedStore>) {
  const handler = createHandler({
    ...{ ...deps, queue: { sqs: { send: async () => ({}) }, url: 'url' }, registration: { register: unexpected } },
    transcriptions: { beginLive: unexpected, endLive: unexpected },
    files: { removeLive: unexpected },
    ...{ transcriptsBucket: 'none', timeBounds: anyTime },
  });
  return async (...events: readonly object[]) => {
    const { batchItemFailures } = await handler(sqsEvent(...events));
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
}

describe('a participant with more events than count', () => {
  let logs: ReturnType<typeof captureLogLines>;
  beforeEach(() => {
    logs = captureLogLines();
  });

  test.each(['in order', 'newest first', 'shuffled'])(
    'has the same figures if they arrive %s',
    async (order) => {
      const script = scriptOf(daily.organizationId);
      const stays = Array.from({ length: limits.connections / 2 + 50 }, (_, index) => [
        script.joined('ada', index * 90, { userId: `user ${index % 40}${index > 2_500 ? ' late' : ''}` }),
        script.left('ada', index * 90 + 70),
      ]).flat();
      const ratings = Array.from({ length: limits.ratings + 20 }, (_, index) =>
        script.rated('ada', index, 1 + (index % 5)),
      );
      const events = [script.started(0), ...stays, ...ratings, script.joined('bob', 5), script.ended(500_000)];
      const arriving =
        { 'in order': events, 'newest first': events.toReversed() }[order] ?? createRandom(1).shuffled(events);
      const { record, session, store } = watchedStore();
      for (const part of chunk(
        arriving.map((event) => RoomEvent.parse(event) as SessionEvent),
        1_500,
      ))
        await record(...part);
      const expected = recount(daily.organizationId, events);
      expect(session()).toEqual(expected.sessionsOf('/standup')[0]);
      expect(session()).toMatchObject({ totalRatings: limits.ratings, totalUniqueParticipants: 81 });
      const [records] = [...store.participants.values()];
      expect([...(records?.values() ?? [])].map(({ listed }) => listed)).toEqual(
        expect.arrayContaining([...expected.participantsOf(session()?.roomSessionId ?? '')]),
      );
    },
    30_000,
  );

  test('is logged once for each change, by its ids alone', async () => {
    const watched = few();
    await watched.record(...joinsOf('ann', 3), rated('ann', '09:10', 4));
    await workerOf(watched)(withId('fourth', joined('ann', '09:20')), joined('bob', '09:20'));
    const warnings = logs.lines().filter(({ facts }) => facts.message === 'participant with more events than count');
    expect(warnings.map(({ facts }) => [facts.participantId, facts.limit, facts.level, facts.error])).toEqual([
      ['ann', 'connections', 'WARN', undefined],
    ]);
    expect(logs.lines().flatMap(({ facts }) => facts.ParticipantsBeyondLimit ?? [])).toEqual([1]);
  });

  test('among 20 others is changed alone, after the others', async () => {
    const { record, changes, session } = few({ factsInGroup: 2 });
    const others = Array.from({ length: 20 }, (_, index) => joined(`guest ${index}`, '09:00'));
    await record(...joinsOf('ann', 3), ...others, started('08:50'));
    changes.splice(0);
    await record(ended('10:00'));
    const ids = changes.map(({ participants }) => participants.map(({ participantId }) => participantId));
    expect(ids.filter((each) => each.includes('ann'))).toEqual([['ann']]);
    expect(ids.flat()).toHaveLength(21);
    expect(session()).toMatchObject({ endedAt: at('10:00'), totalParticipantMinutes: 23 * 60 });
  });

  test('has no connection any more that is open after the last join or leave that counts', async () => {
    const { record, session } = few();
    const stays = [joined('ann', '09:00'), left('ann', '09:05'), joined('ann', '09:06'), left('ann', '09:07')];
    await record(started('08:50'), ...stays.slice(0, 3), ended('23:00'));
    expect(session()).toMatchObject({ totalParticipantMinutes: 5 + 13 * 60 + 54 });
    await record(...stays.slice(3));
    expect(session()).toMatchObject({ totalParticipantMinutes: 5 });
  });

  test('counts each new visitor of more joins than one change can count', async () => {
    const { record, session } = few();
    await record(...joinsOf('ann', 80));
    expect(session()).toMatchObject({ totalUniqueParticipants: 80 });
  });

  test('does not count a visitor any more whose only join was beyond the limit and is taken back', async () => {
    const { record, session, deps } = few();
    const joins = joinsOf('ann', 6);
    await record(...joins);
    for (const join of joins.slice(0, 5)) await recordSessionEvents(deps, [retracted(join)]);
    expect(session()).toMatchObject({ totalUniqueParticipants: 1 });
  });

  test('keeps a session that was inferred from events beyond the limit', async () => {
    const { record, session, deps } = few();
    const [first, ...rest] = joinsOf('ann', 3);
    if (!first) throw new Error('There is no join.');
    await record(first, ...rest);
    for (const join of [first, ...rest]) await recordSessionEvents(deps, [retracted(join)]);
    await record(joined('ann', '09:30'));
    expect(session()).toMatchObject({ startedAt: at('09:30') });
  });
});

describe('the retractions of a session', () => {
  test('are refused from the limit on, but not if they are stored already, and do not fail the events of their batch', async () => {
    const watched = watchedStore();
    const { deps, session, store } = watched;
    const counting = (stored: number, missing: number) => ({
      ...deps,
      facts: { ...deps.facts, countRetractions: async () => ({ stored, missing }) },
    });
    const last = counting(limits.retractions - 1, 1);
    const rating = rated('ann', '09:10', 4);
    const run = workerOf({ ...watched, deps: last });
    expect(await run(joined('ann', '09:00'), rating, retracted(rating))).toEqual([]);
    expect(session()).toMatchObject({ totalRatings: 0 });
    const full = counting(limits.retractions, 1);
    const again = withId('again', rating);
    expect(
      await workerOf({ ...watched, deps: full })(left('ann', '09:20'), again, retracted(again), ended('10:00')),
    ).toEqual(['message-3']);
    expect(session()).toMatchObject({ totalRatings: 1, endedAt: at('10:00') });
    expect(await workerOf({ ...watched, deps: counting(limits.retractions + 2, 0) })(retracted(rating))).toEqual([]);
    const { facts } = store.ports();
    expect(await facts.countRetractions(daily, [retracted(rating)])).toEqual({ stored: 1, missing: 0 });
    expect(await facts.countRetractions(daily, [retracted(again), retracted(again)])).toEqual({
      stored: 1,
      missing: 1,
    });
  });
});
