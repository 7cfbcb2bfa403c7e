import { describe, expect, test } from 'vitest';
import type { SessionChange } from '#shared/domain/session-change.ts';
import { recordSessionEvents } from '#shared/use-cases/record-session-events.ts';
import { at, ended, joined, left, started, withId } from '../../support/session-facts.ts';
import { watchedStore } from '../../support/watched-insights.ts';

/** The number of items that a change writes: session, room, rows, marks, one start deleted and one put. */
const itemsOf = ({ room, participants, sessionVisitors, roomMarks, movedStart }: SessionChange) =>
  1 + (room ? 1 : 0) + participants.length + sessionVisitors.length + roomMarks.length + (movedStart ? 2 : 0);
const guests = (count: number) =>
  Array.from({ length: count }, (_, index) => `guest-${String(index).padStart(3, '0')}`);

describe('the end of a session', () => {
  test('is committed first, and then the connections that it ends, 20 participants at a time', async () => {
    const { record, changes, calls, session, room } = watchedStore();
    const people = guests(45);
    await record(...people.map((id) => joined(id, '09:00')), left('guest-000', '09:10'));
    changes.splice(0);
    calls.splice(0);
    await record(ended('10:00'));
    expect(changes.map(({ participants }) => participants.length)).toEqual([0, 20, 20, 4]);
    expect(changes[0]).toMatchObject({ session: { endedAt: at('10:00') }, room: null });
    expect(session()).toMatchObject({ endedAt: at('10:00'), totalParticipantMinutes: 10 + 44 * 60 });
    expect(room()).toMatchObject({ totalParticipantMinutes: 10 + 44 * 60 });
    expect(calls.indexOf('query participants')).toBeGreaterThan(calls.indexOf('get room'));
  });

  test('ends the connections again if it moves', async () => {
    const { record, session } = watchedStore();
    await record(joined('ann', '09:00'), ended('09:30'));
    await record(ended('10:00'));
    expect(session()).toMatchObject({ endedAt: at('10:00'), totalParticipantMinutes: 60 });
  });

  test('ends the remaining connections if it is repeated after a worker failed', async () => {
    const { record, deps, changes, session } = watchedStore();
    await record(joined('ann', '09:00'), joined('bob', '09:00'));
    const dead = { ...deps.insights, listParticipantsToEnd: () => Promise.reject(new Error('dead')) };
    await expect(recordSessionEvents({ ...deps, insights: dead }, [ended('10:00')])).rejects.toThrow('dead');
    expect(session()).toMatchObject({ endedAt: at('10:00'), totalParticipantMinutes: 0 });
    changes.splice(0);
    await record(ended('10:00'));
    expect(changes.map(({ participants }) => participants.length)).toEqual([2]);
    expect(session()).toMatchObject({ totalParticipantMinutes: 120 });
  });

  test('continues with the remaining participants if it is repeated', async () => {
    const { record, changes, countOf, session } = watchedStore((commits) => {
      if (commits === 4) throw new Error('dead');
      return undefined;
    });
    await record(...guests(45).map((id) => joined(id, '09:00')));
    changes.splice(0);
    await expect(record(ended('10:00'))).rejects.toThrow('dead');
    expect(changes.map(({ participants }) => participants.length)).toEqual([0, 20, 20, 5]);
    const reads = countOf('query facts');
    await record(ended('10:00'));
    expect(changes.slice(4).map(({ participants }) => participants.length)).toEqual([5]);
    expect(countOf('query facts') - reads).toBe(1 + 1 + 5);
    expect(session()).toMatchObject({ totalParticipantMinutes: 45 * 60 });
  });

  test('reads the participants and writes nothing if it is repeated after completion', async () => {
    const { record, changes, calls } = watchedStore();
    await record(joined('ann', '09:00'), joined('bob', '09:00'), ended('10:00'));
    for (const time of ['10:00', '09:30']) {
      await record(ended(time));
      changes.splice(0);
      calls.splice(0);
      await record(ended(time));
      expect(changes).toEqual([]);
      expect(calls).toEqual(['put fact', 'get session', 'get participants', 'query facts', 'query participants']);
    }
  });

  test('increments the version if it comes with other events, which concurrent workers may not have read', async () => {
    const { record, changes } = watchedStore();
    const events = [joined('ann', '09:00'), ended('10:00')];
    await record(...events);
    changes.splice(0);
    await record(...events);
    expect(changes).toHaveLength(1);
  });

  test('is the only event for which the other participants are queried', async () => {
    const { record, countOf } = watchedStore();
    await record(started('09:00'), joined('ann', '09:01'), left('ann', '09:10'));
    expect(countOf('query participants')).toBe(0);
  });
});

describe('a large batch of events', () => {
  test('is split so that each change fits into a transaction of 100 items', async () => {
    const { record, changes, session } = watchedStore();
    const people = guests(45);
    const joins = people.flatMap((id) =>
      ['phone', 'laptop', 'tablet']
        .map((device) => joined(id, '09:00', { deviceId: `${device} of ${id}` }))
        .map((event, index) => withId(`${id} ${index}`, event)),
    );
    await record(...joins, started('08:30'));
    expect(Math.max(...changes.map(itemsOf))).toBeLessThanOrEqual(100);
    expect(Math.max(...changes.map(({ participants }) => participants.length))).toBeLessThanOrEqual(20);
    expect(session()).toMatchObject({ totalUniqueParticipants: 135 });
  });

  test('of one participant with more than 30 new visitors counts each visitor once, over several changes', async () => {
    const { record, changes, session, room } = watchedStore();
    const joins = guests(65).map((deviceId, index) => withId(String(index), joined('ann', '09:00', { deviceId })));
    await record(...joins, left('ann', '09:10'));
    expect(changes.map(({ sessionVisitors }) => sessionVisitors.length)).toEqual([30, 30, 5]);
    expect(changes.map(({ participants: [ann] }) => ann?.counted.number)).toEqual([30, 60, 65]);
    const totals = { totalUniqueParticipants: 65, totalParticipantMinutes: 10 };
    expect([session(), room()]).toMatchObject([totals, totals]);
    await record(...joins.toReversed());
    expect(changes.slice(3).map(({ participants, sessionVisitors }) => [participants, sessionVisitors])).toEqual([
      [[], []],
    ]);
  });

  test('of one participant is recorded completely, over any number of changes', async () => {
    const { record, changes, session } = watchedStore();
    const joins = guests(1000).map((deviceId, index) => withId(String(index), joined('ann', '09:00', { deviceId })));
    await record(...joins);
    expect(changes).toHaveLength(Math.ceil(1000 / 30));
    expect(session()).toMatchObject({ totalUniqueParticipants: 1000 });
  });
});
