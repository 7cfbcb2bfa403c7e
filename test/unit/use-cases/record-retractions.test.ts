import { describe, expect, test } from 'vitest';
import type { ClientJoined, RoomCreated } from '#shared/contracts/session-events.ts';
import { UnreadableMessage } from '#shared/errors.ts';
import { recordRoomCreated, recordRoomRetraction } from '#shared/use-cases/record-room-created.ts';
import { recordSessionEvents } from '#shared/use-cases/record-session-events.ts';
import { MemoryInsights } from '../../faults/support/memory-insights.ts';
import { at, created, daily, joined, rated, retracted, withId } from '../../support/session-facts.ts';

const { organizationId, roomName } = daily;
const envelope = { type: 'fact.retracted', organizationId, createdAt: at('12:00') } as const;
const retractedOfRoom = ({ id }: RoomCreated) => ({
  ...{ ...envelope, id: `retraction of ${id}` },
  data: { eventId: id, roomName, roomSessionId: undefined },
});

/** The ports of a worker before whose first call of a name another worker does something. */
function interrupted(store: MemoryInsights, at: string, work: () => Promise<void>) {
  let isDone = false;
  return store.ports(async (name, make) => {
    if (name === at && !isDone) {
      isDone = true;
      await work();
    }
    return make();
  });
}

test('a worker that has read the facts before a retraction was stored does not count the event', async () => {
  const store = new MemoryInsights();
  const rating = rated('ann', '09:00', 4);
  const slow = interrupted(store, 'commit', () => recordSessionEvents(store.ports(), [retracted(rating)]));
  await recordSessionEvents(slow, [rating]);
  expect([...store.sessions.values()]).toMatchObject([{ startedAt: null, usage: { ratings: 0 } }]);
  expect([...store.rooms.values()].filter(({ sessions }) => sessions > 0)).toEqual([]);
});

test('a visitor whom another retraction has uncounted is counted again with the next join', async () => {
  const store = new MemoryInsights();
  const person = { userId: 'one and the same' };
  const [ann, bob] = [joined('ann', '09:00', person), joined('bob', '09:00', person)];
  await recordSessionEvents(store.ports(), [ann, bob]);
  await store.ports().facts.keep(retracted(ann)); // its worker has died
  await recordSessionEvents(store.ports(), [retracted(bob)]);
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
  const retraction = retracted({ id: 'in both' });
  const ofAnyRoom = { ...retraction, data: { ...retraction.data, roomName: undefined } };

  test('changes every room with the session id that has an event with the id, and no other', async () => {
    const store = new MemoryInsights();
    const kept = joined('ann', '09:00', { roomName: '/four' });
    for (const join of [...joins, kept]) await recordSessionEvents(store.ports(), [join]);
    const versionOf = () => [...store.sessions.values()].find((session) => session.roomName === '/four')?.version;
    const version = versionOf();
    await recordSessionEvents(store.ports(), [ofAnyRoom]);
    await recordSessionEvents(store.ports(), [ofAnyRoom]);
    expect([...store.sessions.values()].filter(({ startedAt }) => startedAt !== null)).toMatchObject([
      { roomName: '/four' },
    ]);
    expect(versionOf()).toBe(version);
  });

  test('concerns an event of another room that arrives after its search', async () => {
    const store = new MemoryInsights();
    const [first, late] = joins as [ClientJoined, ClientJoined];
    await recordSessionEvents(store.ports(), [first]);
    let isLate = true;
    const slow = store.ports(async (name, make) => {
      const answer = make();
      if (name === 'query all facts' && isLate) {
        isLate = false;
        await recordSessionEvents(store.ports(), [late]);
      }
      return answer;
    });
    await recordSessionEvents(slow, [ofAnyRoom]);
    expect([...store.sessions.values()]).toMatchObject([{ startedAt: null }, { startedAt: null }]);
  });

  test('changes the other rooms if the session of one of them is closed, and is refused in the end', async () => {
    const store = new MemoryInsights();
    for (const join of joins) await recordSessionEvents(store.ports(), [join]);
    const [closed] = store.sessions.entries();
    if (!closed) throw new Error('There is no session.');
    store.sessions.set(closed[0], { ...closed[1], closesAt: at('09:00') });
    await expect(recordSessionEvents(store.ports(), [ofAnyRoom])).rejects.toThrow(UnreadableMessage);
    expect([...store.sessions.values()].map(({ startedAt }) => startedAt)).toEqual([at('09:00'), null, null]);
  });
});
