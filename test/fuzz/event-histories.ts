import fc from 'fast-check';
import type { AnyEvent } from './event-rules.ts';
import { poolOfIds } from './generated-events.ts';

type Data = Readonly<Record<string, unknown>>;
const dataOf = ({ data }: AnyEvent): Data => (typeof data === 'object' && data !== null ? (data as Data) : {});

/**
 * Makes a history of events: different events have different ids, most retractions name an event of the history, one of five events
 * is sent twice, and all are in another order.
 */
export function historyOf(events: readonly AnyEvent[], seed: number): AnyEvent[] {
  const dice = fc.record({ retracts: fc.nat(9), field: fc.nat(2), target: fc.nat(), repeats: fc.nat(4), at: fc.nat() });
  const named = following(withOwnIds(events), seed);
  const choices = fc.sample(dice, { seed, numRuns: named.length });
  const again = choices.map(({ at }) => at).toReversed();
  const history = choices.flatMap(({ retracts, field, target, repeats, at }, index) => {
    const event = named[index] as AnyEvent;
    const whole = retracts > 0 ? retracting(event, named, target, field) : event;
    return [{ event: whole, at }, ...(repeats === 0 ? [{ event: whole, at: Number(again[index]) }] : [])];
  });
  return history.toSorted((one, other) => one.at - other.at).map(({ event }) => event);
}

/** Two different events with one id can have one identity: which one counts would depend on their order. */
function withOwnIds(events: readonly AnyEvent[]): AnyEvent[] {
  const used = new Set<unknown>();
  return events.map((event, index) => {
    const isTaken = typeof event.id === 'string' && used.has(event.id);
    used.add(event.id);
    return isTaken ? { ...event, id: `evt-own-${index}` } : event;
  });
}

/** Two of three events of a participant are of the one that did something last in their organization, so that they meet. */
function following(events: readonly AnyEvent[], seed: number): AnyEvent[] {
  const last = new Map<unknown, Data>();
  const dice = fc.sample(fc.nat(2), { seed, numRuns: events.length });
  return events.map((event, index) => {
    const isOfClient = /^room\.client\.(joined|left|rated|sampled|spoke)$/.test(String(event.type));
    const { roomName, roomSessionId, participantId } = dataOf(event);
    if (!isOfClient || roomSessionId === undefined || participantId === undefined) return event;
    const before = last.get(event.organizationId);
    if (before && dice[index] !== 0) {
      const { roomName: itsRoom, ...ids } = before;
      return { ...event, data: { ...dataOf(event), ...(roomName !== undefined && { roomName: itsRoom }), ...ids } };
    }
    if (typeof roomName === 'string') last.set(event.organizationId, { roomName, roomSessionId, participantId });
    return event;
  });
}

/** A retraction of another event of its organization. It names the room, the session or both. */
function retracting(event: AnyEvent, all: readonly AnyEvent[], target: number, field: number): AnyEvent {
  if (event.type !== 'fact.retracted' || dataOf(event).eventId === undefined) return event;
  const others = all.filter((each) => {
    const isOfRoom = /^room\.(created|session|client\.(joined|left|rated))/.test(String(each.type));
    return isOfRoom && each.organizationId === event.organizationId;
  });
  const wrong = others[target % others.length];
  if (!wrong) return event;
  const { roomName, roomSessionId } = dataOf(wrong);
  const names = [{ roomName, roomSessionId }, { roomSessionId }, { roomName }][roomSessionId === undefined ? 2 : field];
  const { roomName: _, roomSessionId: __, ...data } = dataOf(event);
  return { ...event, data: { ...data, eventId: wrong.id, ...names } };
}

/** Events beyond limits: the ids of 27 events are equal, 7 rooms use one session id, and recordings have 9 hours of the 8 of a day. */
export function beyondLimits(organizationId: string, now: number): AnyEvent[] {
  const of = (type: string, index: number, data: Data) => ({
    id: type === 'room.client.joined' ? 'one-id' : `room-${index}`,
    ...{ type, organizationId, createdAt: new Date(now - index * 1000).toISOString(), data },
  });
  const client = { participantId: 'p-1', deviceId: 'd', roleName: 'host', displayName: '' };
  const joins = Array.from({ length: 27 }, (_, index) =>
    of('room.client.joined', index, { ...client, roomName: '/ids', roomSessionId: poolOfIds[0] }),
  );
  const rooms = Array.from({ length: 7 }, (_, index) =>
    of('room.session.started', index, { roomName: `/room-${index}`, roomSessionId: poolOfIds[1] }),
  );
  const recordings = Array.from({ length: 3 }, (_, index) =>
    of('recording.finished', index, {
      ...{ roomName: '/recorded', roomSessionId: poolOfIds[0], filename: 'a.wav' },
      recordingId: `00000000-0000-4000-8000-00000000abf${index}`,
      ...{ startDate: new Date(now - 3 * 3_600_000).toISOString(), endDate: new Date(now).toISOString() },
      location: { bucket: 'others', key: `${organizationId}/long-${index}` },
    }),
  );
  return [...joins, ...rooms, ...recordings];
}

/** How many participants, with what else they did in one session of a room, and how many retractions that name an event. */
export function meetingsOf(events: readonly AnyEvent[]) {
  const key = ({ organizationId, data }: AnyEvent) => {
    const { roomName, roomSessionId, participantId } = data as Data;
    return JSON.stringify([organizationId, roomName, String(roomSessionId).toLowerCase(), participantId]);
  };
  const clients = events.filter(({ type }) => /^room\.client\.(joined|left|rated)$/.test(String(type)));
  const stays = [...Map.groupBy(clients, key).values()].map((ofOne) => {
    const count = (type: string) => new Set(ofOne.filter((each) => each.type === type).map(({ id }) => id)).size;
    return {
      joins: count('room.client.joined'),
      leaves: count('room.client.left'),
      ratings: count('room.client.rated'),
    };
  });
  const named = new Set(
    events.filter(({ type }) => type !== 'fact.retracted').map((each) => `${each.organizationId} ${each.id}`),
  );
  return {
    withRatingAfterTwoJoins: stays.filter(({ joins, ratings }) => joins > 1 && ratings > 0).length,
    withTwoJoinsAndALeave: stays.filter(({ joins, leaves }) => joins > 1 && leaves > 0).length,
    retractionsOfEvents: events.filter(
      (each) => each.type === 'fact.retracted' && named.has(`${each.organizationId} ${dataOf(each).eventId}`),
    ).length,
  };
}
