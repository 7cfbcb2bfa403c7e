import { describe, expect, test } from 'vitest';
import { maxItemsPerTransaction } from '#shared/domain/insights/change-size.ts';
import { fingerprintOf, shardsOf, type VisitorSegment } from '#shared/domain/insights/room-visitors.ts';
import { itemsOf, type SessionChange } from '#shared/domain/insights/session/session-change.ts';
import { limits } from '#shared/domain/insights/session/session-limits.ts';
import { maxWeight } from '#shared/domain/insights/session/session-log.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import {
  at,
  daily,
  ended,
  joined,
  joinsOf,
  left,
  retractedEverywhere,
  started,
  withId,
} from '../../../support/insights/session-facts.ts';
import { watchedStore } from '../../../support/insights/watched-insights.ts';

const guests = (count: number) =>
  Array.from({ length: count }, (_, index) => `guest-${String(index).padStart(3, '0')}`);
const visitorOf = (id: string) => ({ kind: 'participant' as const, visitorId: `device of ${id}` });
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

  test('is counted by one change, if the new visitors fit into a transaction of 100 items', async () => {
    const { record, changes, session, room } = watchedStore();
    await record(...joins, started('08:30'));
    expect(stepsOf(changes)).toEqual([[0, 2]]);
    expect(Math.max(...changes.map(itemsOf))).toBeLessThanOrEqual(maxItemsPerTransaction);
    expect([session(), room()]).toMatchObject([{ totalUniqueParticipants: 135 }, { totalUniqueParticipants: 135 }]);
  });

  test('is split if the room knows the visitors, and each is in a segment of its own', async () => {
    const { deps, changes, session, room } = watchedStore();
    const known = guests(maxItemsPerTransaction + 10);
    const segments = known.map(visitorOf).map((visitor, number): VisitorSegment => {
      const [shard = 0] = shardsOf([visitor]);
      return { shard, number, version: 0, sessions: new Map([[fingerprintOf(visitor), 1]]) };
    });
    const readVisitors: typeof deps.insights.readVisitors = async (_room, shards) =>
      segments.filter(({ shard }) => shards.includes(shard));
    const joins = known.map((id) => joined(id, '09:00'));
    await recordSessionEvents({ ...deps, insights: { ...deps.insights, readVisitors } }, joins);
    expect(stepsOf(changes)).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect([session(), room()]).toMatchObject([
      { totalUniqueParticipants: known.length },
      { totalUniqueParticipants: 0 }, // it had counted all of them
    ]);
  });

  test('of one participant is recorded completely, over any number of changes', async () => {
    const { record, changes, session, store } = watchedStore();
    const all = guests(1000).map((deviceId, index) => withId(String(index), joined('ann', '09:00', { deviceId })));
    await record(...all);
    expect(changes).toHaveLength(Math.ceil(1000 / (4 * maxWeight)));
    expect(session()).toMatchObject({ totalUniqueParticipants: 1000 });
    expect(store.participantsOf(daily)).toHaveLength(1);
  });

  test('that a worker has not finished is continued by the next one, in few changes', async () => {
    const { record, changes, session, deps } = watchedStore((commits) => {
      if (commits === 2) throw new Error('dead');
      return undefined;
    });
    await expect(record(...joinsOf('ann', 5 * maxWeight))).rejects.toThrow('dead');
    await deps.facts.append(daily, 6, [started('08:30')]);
    changes.splice(2);
    await record(...joinsOf('ann', 5 * maxWeight));
    expect(stepsOf(changes.slice(2))).toEqual([[4, 6]]);
    expect(session()).toMatchObject({ startedAt: at('08:30'), totalUniqueParticipants: 5 * maxWeight });
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
  expect(itemsOf(changes[0] ?? { rooms: [] })).toBeLessThanOrEqual(maxItemsPerTransaction);
  expect([...store.sessions.values()].map(({ visitors }) => visitors.participant)).toEqual(rooms.map(() => 400));
});
