import { byTime, type EventOf, type PlatformEvent, timeOf } from './events.ts';

const otherTypes = ['room.created', 'room.client.sampled', 'room.client.spoke', 'fact.retracted'] as const;

/** An event that belongs to a session. */
export type SessionEvent = Exclude<PlatformEvent, EventOf<(typeof otherTypes)[number]>>;
/** The creation of a room. */
export type CreatedEvent = EventOf<'room.created'>;
/** A join. */
export type JoinedEvent = EventOf<'room.client.joined'>;
/** A rating. */
export type RatedEvent = EventOf<'room.client.rated'>;
/** An event of a participant. */
export type ClientEvent = JoinedEvent | RatedEvent | UpdatedEvent | EventOf<'room.client.left'>;
/** What a platform tells of a participant later. */
export type UpdatedEvent = EventOf<'room.client.updated'>;

/** How many events of a participant count in a session. Declared here and not imported, so that a wrong constant is found. */
export const defaultLimits = { joinsAndLeaves: 5000, ratings: 100, updates: 5000 };

/** True for an event of a session, other than a retraction, samples or speech. */
export function isOfSession(event: PlatformEvent): event is SessionEvent {
  return !otherTypes.some((type) => type === event.type);
}

/** Removes duplicates. Events are equal if session (or room, without a session), participant, kind, time and id are. */
export function distinctEvents<Event extends SessionEvent | CreatedEvent>(events: readonly Event[]): Event[] {
  const byIdentity = new Map<string, Event>();
  for (const event of events) {
    const { id, data } = event;
    const owner = 'roomSessionId' in data ? sessionIdOf(data) : data.roomName;
    const participantId = 'participantId' in data ? data.participantId : null;
    const identity = textOf(owner, participantId, kindOfEvent(event), timeOf(event), id);
    const known = byIdentity.get(identity);
    if (!known || (known.inferred && !event.inferred)) byIdentity.set(identity, event);
  }
  return [...byIdentity.values()];
}

/** The first joins and leaves, and the first ratings, of each participant. Those that were taken back are among them. */
export function countedEvents(events: readonly SessionEvent[], limits: typeof defaultLimits): ClientEvent[] {
  const ofClients = events.filter((event) => 'participantId' in event.data) as ClientEvent[];
  const groups = Map.groupBy(ofClients, (event) => textOf(event.data.participantId, kindOfEvent(event)));
  return [...groups.values()].flatMap((group) => {
    const counts: Readonly<Record<string, number>> = {
      'room.client.rated': limits.ratings,
      'room.client.updated': limits.updates,
    };
    const count = counts[String(group[0]?.type)] ?? limits.joinsAndLeaves;
    return group.toSorted(byTime).slice(0, count);
  });
}

/** By participant with more joins and leaves than count, the time of the last one that counts. */
export function cutsOf(events: readonly SessionEvent[], { joinsAndLeaves }: typeof defaultLimits): Map<string, number> {
  const comings = events.filter((event) => event.type === 'room.client.joined' || event.type === 'room.client.left');
  const byClient = Map.groupBy(comings, ({ data }) => data.participantId);
  return new Map(
    [...byClient].flatMap(([participantId, group]) => {
      const last = group.length > joinsAndLeaves && group.toSorted(byTime)[joinsAndLeaves - 1];
      return last ? [[participantId, timeOf(last)]] : [];
    }),
  );
}

function kindOfEvent({ type }: SessionEvent | CreatedEvent): string {
  return type === 'room.client.joined' || type === 'room.client.left' ? 'joins and leaves' : type;
}

/** A unique text for a list of values. */
export function textOf(...values: readonly unknown[]): string {
  return JSON.stringify(values);
}

/** The id of an event's session. An id can be spelt in two ways. */
export function sessionIdOf({ roomSessionId }: { readonly roomSessionId: string }): string {
  return roomSessionId.toLowerCase();
}
