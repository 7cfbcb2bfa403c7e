import fc from 'fast-check';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { canaries, scriptStart } from './insights/session-script.ts';

const minutes = (count: number) => count * 60;
const day = 86_400;
/** Times that are equal or just different, around full minutes and the clock tolerance. */
const seconds = [0, 1, 3, 5, 6, 30, 59, 60, 61, 64, 66, 120, minutes(60), minutes(60) + 1, day, -1, -5, -60, -day];
const types = [
  ...(['room.created', 'room.session.started', 'room.session.ended', 'room.client.rated'] as const),
  ...(['room.client.joined', 'room.client.joined', 'room.client.joined', 'room.client.left'] as const),
  ...(['room.client.left', 'room.client.left', 'room.client.updated', 'fact.retracted'] as const),
];
/** Session ids. The last one is in both rooms. */
const sessions = ['own', 'own too', 'both'] as const;

/** The rooms, sessions and participants of events. The fewer they are, the more the events affect each other. */
const everywhere = {
  rooms: ['/standup', '/retro'],
  sessions: [...sessions] as (typeof sessions)[number][],
  participants: ['ada', 'bob', 'eve', 'mia'],
};

/** One event of a session or room in a form that shrinks. It uses few values, so that events affect each other. */
export const eventDraft = ({ rooms, sessions, participants } = everywhere) =>
  fc.record({
    type: fc.constantFrom(...types),
    room: fc.constantFrom(...rooms),
    session: fc.constantFrom(...sessions),
    participant: fc.constantFrom(...participants),
    second: fc.constantFrom(...seconds),
    rank: fc.nat(9),
    target: fc.nat(1_000),
    role: fc.constantFrom('guest', 'guest', 'recorder', 'streamer', 'captioner'),
    user: fc.constantFrom(null, 'user one', 'user two', 'device one'),
    device: fc.constantFrom('device one', 'device two'),
    externalId: fc.constantFrom(undefined, 'one', 'two'),
    thousandths: fc.integer({ min: 1000, max: 5000 }),
    isSpeltOtherwise: fc.boolean(),
    isOfAnyRoom: fc.boolean(),
    isInferred: fc.constantFrom(false, false, true),
    clients: fc.constantFrom(null, null, 0, 1, 2, 3),
    connection: fc.constantFrom(null, null, 'one', 'two'),
    isExclusive: fc.constantFrom(null, false, true),
  });
/** One event of a session or room. */
export type EventDraft = ReturnType<typeof eventDraft> extends fc.Arbitrary<infer Value> ? Value : never;

/** Histories of the given number of random events of two rooms, five sessions and four people. */
export function anyHistory(
  maxEvents: number,
  minEvents = 1,
): fc.Arbitrary<(organizationId: string) => PlatformEvent[]> {
  return fc.array(eventDraft(), { minLength: minEvents, maxLength: maxEvents, size: 'max' }).map((drafts) =>
    Object.assign((organizationId: string) => drafts.map(eventOf(organizationId)), {
      toString: () => JSON.stringify(drafts),
    }),
  );
}

/** Turns drafts into events of an organization. Ids do not depend on the order of the events. */
export function eventOf(organizationId: string) {
  return (made: EventDraft, index: number, drafts: readonly EventDraft[]): PlatformEvent =>
    ({
      id: idOf(made, index),
      type: made.type,
      organizationId,
      createdAt: timeOf(made),
      ...(made.isInferred && made.type !== 'fact.retracted' && { inferred: true, reason: 'test' }),
      data: made.type === 'fact.retracted' ? retractionOf(made, drafts) : dataOf(made),
    }) as PlatformEvent;
}

function idOf({ rank }: EventDraft, index: number): string {
  return `${rank}-${index}`;
}

/** Takes back one of the events, which may be a retraction. Some retractions name the session of another event, or no room. */
function retractionOf(
  { target, rank, isSpeltOtherwise, isOfAnyRoom }: EventDraft,
  drafts: readonly EventDraft[],
): object {
  const index = target % drafts.length;
  const retracted = drafts[index] as EventDraft;
  const named = rank === 0 ? (drafts[0] as EventDraft) : retracted;
  const eventId = idOf(retracted, index);
  if (retracted.type === 'room.created') return { eventId, roomName: named.room };
  const roomSessionId = sessionIdOf({ ...named, isSpeltOtherwise });
  return { eventId, roomName: isOfAnyRoom ? null : named.room, roomSessionId };
}

function timeOf({ second, isSpeltOtherwise }: EventDraft): string {
  const time = scriptStart + second * 1000;
  if (!isSpeltOtherwise) return new Date(time).toISOString();
  return new Date(time + 2 * 3_600_000).toISOString().replace('.000Z', '+02:00');
}

function sessionIdOf({ room, session, isSpeltOtherwise }: EventDraft): string {
  const place = session === 'both' ? 'b' : room === '/retro' ? 'e' : 'd';
  const id = `${place.repeat(8)}-0000-4000-8000-00000000000${sessions.indexOf(session)}`;
  return isSpeltOtherwise ? id.toUpperCase() : id;
}

function dataOf(made: EventDraft): object {
  const { type, room: roomName, participant: participantId } = made;
  const endAt = made.user === null ? null : timeOf(made);
  if (type === 'room.created') return { roomName, endAt };
  const session = { roomName, roomSessionId: sessionIdOf(made) };
  if (type === 'room.session.started' || type === 'room.session.ended') return session;
  const client = { ...session, participantId };
  const { clients: numClients, connection: connectionId, isExclusive: exclusive } = made;
  if (type === 'room.client.left') return { ...client, numClients, connectionId };
  if (type === 'room.client.updated') {
    const deviceId = made.rank > 4 ? made.device : null;
    return { ...client, deviceId, spokenSeconds: deviceId && made.clients === null ? null : made.thousandths / 1000 };
  }
  if (type === 'room.client.rated') {
    const tags = made.rank > 4 ? ['echo', participantId] : null;
    return { ...client, rating: made.thousandths / 1000, tags, comment: made.externalId && canaries.comment };
  }
  return {
    ...client,
    deviceId: made.device,
    userId: made.user,
    roleName: made.role,
    displayName: `${canaries.displayName} ${made.rank}`,
    externalId: made.externalId,
    userAgent: made.rank > 4 ? canaries.userAgent : null,
    numClients,
    connectionId,
    exclusive,
  };
}
