import { describe, expect, test } from 'vitest';
import type { ClientJoined, RoomCreated } from '#shared/contracts/insights/session-events.ts';
import { recordRoomCreated, recordRoomRetraction } from '#shared/use-cases/insights/record-room-created.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import { MemoryInsights } from '../../../faults/support/insights/memory-insights.ts';
import {
  at,
  created,
  daily,
  joined,
  rated,
  retracted,
  retractedEverywhere,
  withId,
} from '../../../support/insights/session-facts.ts';

const { organizationId, roomName } = daily;
const envelope = { type: 'fact.retracted', organizationId, createdAt: at('12:00') } as const;
const retractedOfRoom = ({ id }: RoomCreated) => ({
  ...{ ...envelope, id: `retraction of ${id}` },
  data: { eventId: id, roomName, roomSessionId: undefined },
});

/** The ports of a worker before whose first call of a name another worker does something. */
function interrupted(store: MemoryInsights, at: string, work: () => Promise<unknown>) {
  let isDone = false;
  return store.ports(async (name, make) => {
    if (name === at && !isDone) {
      isDone = true;
      await work();
    }
    return make();
  });
}

test.each(['put block', 'get room', 'commit', 'put list item'])(
  'a retraction that is recorded during the recording of its event (%s) takes the event back',
  async (call) => {
    const store = new MemoryInsights();
    const [join, rating] = [joined('ann', '09:00'), rated('ann', '09:00', 4)];
    const work = () => recordSessionEvents(store.ports(), [retracted(rating), retracted(join)]);
    await recordSessionEvents(interrupted(store, call, work), [rating, join]);
    expect([...store.sessions.values()]).toMatchObject([{ startedAt: null, usage: { ratings: 0 } }]);
    expect([...store.rooms.values()].filter(({ sessions }) => sessions > 0)).toEqual([]);
    expect(store.participantsOf(daily)).toEqual([]);
  },
);

test('a session whose events were taken back before they arrived has a room, by which an erasure finds it', async () => {
  const store = new MemoryInsights();
  const join = joined('ann', '09:00');
  await recordSessionEvents(store.ports(), [retracted(join)]);
  await recordSessionEvents(store.ports(), [join]);
  expect([...store.sessions.values()]).toMatchObject([{ startedAt: null }]);
  expect([...store.rooms.values()]).toMatchObject([{ roomName, sessions: 0, firstSessionStartedAt: null }]);
});

test('a visitor whom another retraction has uncounted is counted again with the next join', async () => {
  const store = new MemoryInsights();
  const person = { userId: 'one and the same' };
  const [ann, bob] = [joined('ann', '09:00', person), joined('bob', '09:00', person)];
  await recordSessionEvents(store.ports(), [ann, bob]);
  await store.ports().facts.append(daily, 2, [retracted(ann)]); // its worker has died
  await recordSessionEvents(store.ports(), [retracted(bob)]);
  expect([...store.sessions.values()]).toMatchObject([{ startedAt: null, visitors: { participant: 0 } }]);
  await recordSessionEvents(store.ports(), [withId('again', joined('ann', '09:10', person))]);
  await recordSessionEvents(store.ports(), [retracted(ann)]);
  expect([...store.sessions.values()]).toMatchObject([{ visitors: { participant: 1 } }]);
  expect([...store.rooms.values()]).toMatchObject([{ visitors: { participant: 1 } }]);
});

test('a creation that arrives during the retraction of another is not lost', async () => {
  const store = new MemoryInsights();
  const [first, last] = [created('08:00'), created('08:10')];
  for (const event of [first, last]) await recordRoomCreated(store.ports(), event);
  const slow = interrupted(store, 'commit room', () => recordRoomCreated(store.ports(), created('08:05')));
  await recordRoomRetraction(slow, retractedOfRoom(first));
  expect([...store.rooms.values()]).toMatchObject([{ createdAt: at('08:05') }]);
});

describe('a retraction without a room', () => {
  const inRoom = (name: string) => withId('in both', joined(`guest of ${name}`, '09:00', { roomName: name }));
  const joins = ['/one', '/two', '/three'].map(inRoom);
  const ofAnyRoom = retractedEverywhere({ id: 'in both' });
  const shown = (store: MemoryInsights) => [...store.sessions.values()].filter(({ startedAt }) => startedAt !== null);

  test('changes every room with the session id that has an event with the id, and no other', async () => {
    const store = new MemoryInsights();
    const kept = joined('ann', '09:00', { roomName: '/four' });
    for (const join of [...joins, kept]) await recordSessionEvents(store.ports(), [join]);
    for (const _ of ['the first delivery', 'the second']) await recordSessionEvents(store.ports(), [ofAnyRoom]);
    expect(shown(store)).toMatchObject([{ roomName: '/four', visitors: { participant: 1 } }]);
    expect([...store.rooms.values()].map(({ roomName: name, sessions }) => [name, sessions])).toEqual([
      ['/one', 0],
      ['/two', 0],
      ['/three', 0],
      ['/four', 1],
    ]);
    expect(store.participantsOf(daily).map(({ participantId }) => participantId)).toEqual(['ann']);
  });

  test('concerns an event of another room that arrives later, or during its recording', async () => {
    const store = new MemoryInsights();
    const [first, second, third] = joins as [ClientJoined, ClientJoined, ClientJoined];
    await recordSessionEvents(store.ports(), [first]);
    const slow = interrupted(store, 'commit', () => recordSessionEvents(store.ports(), [second]));
    await recordSessionEvents(slow, [ofAnyRoom]);
    await recordSessionEvents(store.ports(), [third]);
    expect(store.sessions.size).toBe(3);
    expect(shown(store)).toEqual([]);
  });

  test('is refused if the session of one of the rooms is closed, because they have one log, and changes nothing', async () => {
    const store = new MemoryInsights();
    for (const join of joins) await recordSessionEvents(store.ports(), [join]);
    const [closed] = store.sessions.entries();
    if (!closed) throw new Error('There is no session.');
    store.sessions.set(closed[0], { ...closed[1], closesAt: at('09:00') });
    expect([...(await recordSessionEvents(store.ports(), [ofAnyRoom])).keys()]).toEqual([ofAnyRoom]);
    expect([...store.sessions.values()].map(({ startedAt }) => startedAt)).toEqual(joins.map(() => at('09:00')));
    expect(store.blocksOf(daily)).toHaveLength(3);
  });
});
