import { beforeEach, describe, expect, test } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import type { SessionEvent } from '#shared/contracts/insights/session-events.ts';
import { limits } from '#shared/domain/insights/session/session-limits.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { recount } from '#tools/simulation/recount.ts';
import { scriptOf } from '../../../faults/support/insights/session-script.ts';
import { roomEventsWorker } from '../../../support/insights/room-events-worker.ts';
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
} from '../../../support/insights/session-facts.ts';
import { watchedStore } from '../../../support/insights/watched-insights.ts';
import { captureLogLines } from '../../../support/log-lines.ts';
import { withLimits } from '../../../support/storage/with-limits.ts';

let logs: ReturnType<typeof captureLogLines>;
beforeEach(() => {
  logs = captureLogLines();
});

describe('a participant with more events than count', () => {
  /** A store of which three joins and leaves and two ratings of a participant count. */
  const few = () => {
    withLimits({ connections: 3, ratings: 2 });
    return watchedStore();
  };

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
      const roomSessionId = session()?.roomSessionId ?? '';
      expect(store.participantsOf({ ...daily, roomSessionId })).toEqual(
        expect.arrayContaining([...expected.participantsOf(roomSessionId)]),
      );
    },
    60_000,
  );

  test('is logged once for each change, by its ids alone', async () => {
    const { record, deps } = few();
    await record(...joinsOf('ann', 3), rated('ann', '09:10', 4));
    await roomEventsWorker(deps)(withId('fourth', joined('ann', '09:20')), joined('bob', '09:20'));
    await roomEventsWorker(deps)(ended('10:00'));
    const warnings = logs.lines().filter(({ facts }) => facts.message === 'participant with more events than count');
    expect(warnings.map(({ facts }) => [facts.participantId, facts.limit, facts.level, facts.error])).toEqual([
      ['ann', 'connections', 'WARN', undefined],
    ]);
    expect(logs.lines().flatMap(({ facts }) => facts.ParticipantsBeyondLimit ?? [])).toEqual([1]);
  });

  test('among 20 others is ended with them', async () => {
    const { record, session } = few();
    const others = Array.from({ length: 20 }, (_, index) => joined(`guest ${index}`, '09:00'));
    await record(...joinsOf('ann', 3), ...others, started('08:50'));
    await record(ended('10:00'));
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

  test('counts each new visitor of its joins beyond the limit', async () => {
    const { record, session } = few();
    await record(...joinsOf('ann', 80));
    expect(session()).toMatchObject({ totalUniqueParticipants: 80 });
  });

  test('does not count a visitor any more whose only join was beyond the limit and is taken back', async () => {
    const { record, session } = few();
    const joins = joinsOf('ann', 6);
    await record(...joins);
    for (const join of joins.slice(0, 5)) await record(retracted(join));
    expect(session()).toMatchObject({ totalUniqueParticipants: 1 });
  });

  test('keeps a session that was inferred from events beyond the limit', async () => {
    const { record, session } = few();
    const joins = joinsOf('ann', 3);
    await record(...joins);
    for (const join of joins) await record(retracted(join));
    await record(joined('ann', '09:30'));
    expect(session()).toMatchObject({ startedAt: at('09:30') });
  });
});

describe('a session that has reached its size', () => {
  const rating = rated('ann', '09:10', 4);

  test('refuses joins, leaves and ratings alone, and still ends', async () => {
    const { record, deps, session, store } = watchedStore();
    await record(joined('ann', '09:00'));
    withLimits({ eventBytes: 1 });
    const run = roomEventsWorker(deps);
    expect(await run(rating, ended('10:00'), left('ann', '09:20'), joined('ann', '09:00'))).toEqual([
      'message-1',
      'message-3',
    ]);
    expect(session()).toMatchObject({ endedAt: at('10:00'), totalRatings: 0, totalParticipantMinutes: 60 });
    expect(store.blocksOf(daily)).toMatchObject([{ number: 1 }, { facts: [ended('10:00')] }]);
  });

  test('refuses everything new at its largest size, and accepts what it knows', async () => {
    const { record, deps, session } = watchedStore();
    await record(joined('ann', '09:00'), ended('10:00'));
    withLimits({ eventBytes: 1, allBytes: 1 });
    const run = roomEventsWorker(deps);
    expect(await run(ended('11:00'), ended('10:00'), retracted(ended('10:00')), joined('ann', '09:00'))).toEqual([
      'message-1',
      'message-3',
    ]);
    expect(session()).toMatchObject({ endedAt: at('10:00') });
  });

  test('refuses a further room with its id, and a further event with one id', async () => {
    const { record, deps, store } = watchedStore();
    withLimits({ rooms: 1, eventsWithOneId: 2 });
    const joins = joinsOf('ann', 3).map((join) => withId('one id', join));
    await record(...joins.slice(0, 1));
    const elsewhere = joined('ann', '09:00', { roomName: '/other' });
    expect(await roomEventsWorker(deps)(elsewhere)).toEqual(['message-1']);
    expect(await roomEventsWorker(deps)(...joins, left('ann', '09:30'))).toEqual(['message-3']);
    expect([...store.sessions.values()]).toMatchObject([{ roomName: '/daily', visitors: { participant: 2 } }]);
  });

  test('logs why an event is refused', async () => {
    const { deps } = watchedStore();
    withLimits({ eventBytes: 0 });
    await roomEventsWorker(deps)(rating);
    expect(logs.lines().map(({ facts }) => [facts.message, facts.participantId, facts.issues])).toEqual([
      ['message failed', 'ann', expect.stringContaining('data.roomSessionId')],
    ]);
  });
});
