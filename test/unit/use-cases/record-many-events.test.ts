import { describe, expect, test } from 'vitest';
import { maxItemsPerTransaction } from '#shared/domain/change-size.ts';
import type { SessionChange } from '#shared/domain/session-change.ts';
import { limits } from '#shared/domain/session-limits.ts';
import { maxWeight } from '#shared/domain/session-log.ts';
import { recordSessionEvents } from '#shared/use-cases/record-session-events.ts';
import { at, daily, ended, joined, left, retractedEverywhere, started, withId } from '../../support/session-facts.ts';
import { watchedStore } from '../../support/watched-insights.ts';

/** The number of items that a change writes: sessions, rooms, segments of visitors, one start deleted and one put. */
const itemsOf = ({ rooms }: SessionChange) =>
  rooms.reduce(
    (sum, { room, segments, movedStart }) => sum + 1 + (room ? 1 : 0) + segments.length + (movedStart ? 2 : 0),
    0,
  );
const guests = (count: number) =>
  Array.from({ length: count }, (_, index) => `guest-${String(index).padStart(3, '0')}`);
const stepsOf = (changes: readonly SessionChange[]) =>
  changes.map(({ rooms, to }) => [Math.max(...rooms.map(({ session }) => session.version)), to]);

describe('the end of a session', () => {
  test('ends all connections in one change, with any number of participants', async () => {
    const { record, changes, session, room, store } = watchedStore();
    await record(...guests(200).map((id) => joined(id, '09:00')), left('guest-000', '09:10'));
    changes.splice(0);
    await record(ended('10:00'));
    expect(changes).toHaveLength(1);
    expect(session()).toMatchObject({ endedAt: at('10:00'), totalParticipantMinutes: 10 + 199 * 60 });
    expect(room()).toMatchObject({ totalParticipantMinutes: 10 + 199 * 60 });
    const leaves = store.participantsOf(daily, 'leftAt').map(({ leftAt }) => leftAt);
    expect(leaves).toHaveLength(200);
    expect(new Set(leaves)).toEqual(new Set([at('09:10'), at('10:00')]));
  });

  test('ends the connections again if it moves', async () => {
    const { record, session } = watchedStore();
    await record(joined('ann', '09:00'), ended('09:30'));
    await record(ended('10:00'));
    expect(session()).toMatchObject({ endedAt: at('10:00'), totalParticipantMinutes: 60 });
  });

  test('ends the listed connections if it is repeated after a worker died before the lists', async () => {
    const { record, deps, store } = watchedStore();
    await record(...guests(45).map((id) => joined(id, '09:00')));
    const dead = { ...deps.insights, writeParticipants: () => Promise.reject(new Error('dead')) };
    await expect(recordSessionEvents({ ...deps, insights: dead }, [ended('10:00')])).rejects.toThrow('dead');
    expect(new Set(store.participantsOf(daily).map(({ leftAt }) => leftAt))).toEqual(new Set([null]));
    await record(ended('10:00'));
    expect(new Set(store.participantsOf(daily).map(({ leftAt }) => leftAt))).toEqual(new Set([at('10:00')]));
    expect(store.participantsOf(daily)).toHaveLength(45);
  });
});

describe('a large batch of events', () => {
  const joins = guests(45).flatMap((id) =>
    ['phone', 'laptop', 'tablet'].map((device, index) =>
      withId(`${id} ${index}`, joined(id, '09:00', { deviceId: `${device} of ${id}` })),
    ),
  );

  test('is split so that each change fits into a transaction of 100 items', async () => {
    const { record, changes, session, room } = watchedStore();
    await record(...joins, started('08:30'));
    expect(stepsOf(changes)).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(Math.max(...changes.map(itemsOf))).toBeLessThanOrEqual(maxItemsPerTransaction);
    expect([session(), room()]).toMatchObject([{ totalUniqueParticipants: 135 }, { totalUniqueParticipants: 135 }]);
  });

  test('of one participant is recorded completely, over any number of changes', async () => {
    const { record, changes, session, store } = watchedStore();
    const all = guests(1000).map((deviceId, index) => withId(String(index), joined('ann', '09:00', { deviceId })));
    await record(...all);
    expect(changes).toHaveLength(Math.ceil(1000 / maxWeight));
    expect(session()).toMatchObject({ totalUniqueParticipants: 1000 });
    expect(store.participantsOf(daily)).toHaveLength(1);
  });

  test('that a worker has not finished is continued by the next one, in few changes', async () => {
    const { record, changes, session, deps } = watchedStore((commits) => {
      if (commits === 2) throw new Error('dead');
      return undefined;
    });
    await expect(record(...joins)).rejects.toThrow('dead');
    await deps.facts.append(daily, 3, [started('08:30')]);
    changes.splice(2);
    await record(...joins);
    expect(stepsOf(changes.slice(2))).toEqual([[1, 3]]);
    expect(session()).toMatchObject({ startedAt: at('08:30'), totalUniqueParticipants: 135 });
  });
});

test('the largest change that is possible fits into a transaction: rooms of one id with moved starts and visitors of many segments', async () => {
  const { record, changes, store } = watchedStore();
  const rooms = Array.from({ length: limits.rooms }, (_, index) => `/room-${index}`);
  const inRoom = (index: number) => ({ roomName: rooms[index % rooms.length] ?? '' });
  const ids = Array.from({ length: Math.floor(maxWeight / limits.eventsWithOneId) }, (_, index) => `id ${index}`);
  const taken = ids.flatMap((id) =>
    guests(limits.eventsWithOneId).map((guest, index) => withId(id, joined(`${guest} ${id}`, '09:00', inRoom(index)))),
  );
  const others = guests(2_000).map((guest, index) => withId(`other ${index}`, joined(guest, '09:10', inRoom(index))));
  await record(...taken, ...others);
  changes.splice(0);
  await record(...ids.map((id) => retractedEverywhere({ id })));
  expect(changes).toHaveLength(1);
  expect(itemsOf(changes[0] ?? { session: daily, to: 0, rooms: [] })).toBeLessThanOrEqual(maxItemsPerTransaction);
  expect([...store.sessions.values()].map(({ visitors }) => visitors.participant)).toEqual(rooms.map(() => 400));
});
