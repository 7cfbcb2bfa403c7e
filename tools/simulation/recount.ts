import type {
  ParticipantSessionDetail,
  RoomInsight,
  RoomSessionInsight,
  SessionParticipant,
} from '#shared/contracts/insights/insights.ts';
import type { SessionMinute } from '#shared/contracts/insights/session-network.ts';
import { byTime, type PlatformEvent, timeOf } from './events.ts';
import { completenessOf, endOf, isBefore, type Missing, missingByNumbers, missingOf } from './recount-basis.ts';
import { believable, type Connection, type ConnectionKind, connectionsOf, kindOf } from './recount-connections.ts';
import {
  type ClientEvent,
  type CreatedEvent,
  countedEvents,
  cutsOf,
  defaultLimits,
  distinctEvents,
  isOfSession,
  type JoinedEvent,
  type RatedEvent,
  type SessionEvent,
  sessionIdOf,
  textOf,
  type UpdatedEvent,
} from './recount-events.ts';
import { networkOf } from './recount-network.ts';
import { detailsOf } from './recount-samples.ts';

/** The expected answers of the five endpoints. Unknown values are empty, as in the API. */
export type Recount = {
  /** Sorted by name. */
  readonly rooms: readonly RoomInsight[];
  /** The sessions by room name, each list sorted by id. */
  readonly sessionsOf: (roomName: string) => readonly RoomSessionInsight[];
  /** The participants by session, each list sorted by id. */
  readonly participantsOf: (roomSessionId: string) => readonly SessionParticipant[];
  /** Everyone who joined the session in any role, by id. The API has details of them. */
  readonly clientsOf: (roomSessionId: string) => readonly string[];
  /** The detail of each connection of one client, in order of joining. */
  readonly detailsOf: (roomSessionId: string, participantId: string) => ParticipantSessionDetail[];
  /** The network of a session in each minute with samples. */
  readonly networkOf: (roomSessionId: string) => SessionMinute[];
};

type SpokeEvent = Extract<PlatformEvent, { type: 'room.client.spoke' }>;
type Spoken = Pick<SessionParticipant, 'spokenSeconds' | 'spokenSource'>;

type Session = {
  readonly roomName: string;
  readonly roomSessionId: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** By participant id, for everyone who joined. */
  readonly connections: ReadonlyMap<string, readonly Connection[]>;
  /** All joins, also those that begin no counted connection. */
  readonly joins: readonly JoinedEvent[];
  readonly ratings: readonly RatedEvent[];
  readonly updates: readonly UpdatedEvent[];
  /** When anybody was heard in a session with this id. */
  readonly heard: readonly SpokeEvent[];
  /** What each participant misses, and the session with them. */
  readonly missingOfClients: ReadonlyMap<string, readonly Missing[]>;
  readonly missing: readonly Missing[];
  /** All events that count. */
  readonly events: readonly SessionEvent[];
};

/**
 * Computes the expected insights of one organization from events in any order. Implements the rules of docs/insights.md
 * and shares no code with the service, with which it is compared. The service adds the activity of participants minutes later.
 */
export function recount(
  organizationId: string,
  events: readonly PlatformEvent[],
  limits = defaultLimits,
  { withActivity = false } = {},
): Recount {
  const all = events.filter((event) => event.organizationId === organizationId);
  const retracted = new Set(
    all.filter((event) => event.type === 'fact.retracted').map(({ data }) => retractionOf(data, data.eventId)),
  );
  const isKept = ({ id, data }: SessionEvent | CreatedEvent) =>
    ![data.roomName, null].some((roomName) => retracted.has(retractionOf({ ...data, roomName }, id)));
  const created = distinctEvents(all.filter((event) => event.type === 'room.created')).filter(isKept);
  const spoken = withActivity ? all.filter((event) => event.type === 'room.client.spoke') : [];
  const heardIn = Map.groupBy(spoken, ({ data }) => sessionIdOf(data));
  const sessions = sessionsFrom(distinctEvents(all.filter(isOfSession)), isKept, limits).map(
    (session): Session => ({ ...session, heard: heardIn.get(session.roomSessionId) ?? [] }),
  );
  const heard = Map.groupBy(all.filter(isOfSession), ({ data }) => data.roomName);
  const sampled = all.filter((event) => event.type === 'room.client.sampled');
  const createdByRoom = Map.groupBy(created, ({ data }) => data.roomName);
  const sessionsByRoom = Map.groupBy(sessions, ({ roomName }) => roomName);
  const sessionsById = Map.groupBy(sessions, ({ roomSessionId }) => roomSessionId);
  const sampledByClient = Map.groupBy(sampled, ({ data }) => textOf(sessionIdOf(data), data.participantId));
  const sampledBySession = Map.groupBy(sampled, ({ data }) => sessionIdOf(data));
  const rooms = [...new Set([...createdByRoom.keys(), ...sessionsByRoom.keys()])].toSorted();
  const sessionsWithId = (id: string) => sessionsById.get(id.toLowerCase()) ?? [];
  const roomOf = (name: string) => {
    const room = roomInsight(name, createdByRoom.get(name) ?? [], sessionsByRoom.get(name) ?? []);
    const times = [...(heard.get(name) ?? []), ...(createdByRoom.get(name) ?? [])].map(timeOf);
    return { ...room, asOf: iso(Number(latest(times))) };
  };
  return {
    rooms: rooms.map(roomOf),
    sessionsOf: (roomName) =>
      (sessionsByRoom.get(roomName) ?? [])
        .map((session) => sessionInsight(session, roomOf(roomName)))
        .toSorted(by(({ roomSessionId }) => roomSessionId)),
    participantsOf: (roomSessionId) =>
      sessionsWithId(roomSessionId)
        .flatMap(sessionParticipants)
        .toSorted(by(({ participantId }) => participantId)),
    clientsOf: (roomSessionId) =>
      [...new Set(sessionsWithId(roomSessionId).flatMap((session) => [...session.connections.keys()]))].toSorted(),
    detailsOf: (roomSessionId, participantId) =>
      detailsOf(
        sessionsWithId(roomSessionId).map(({ connections, ratings }) => ({
          connections: connections.get(participantId) ?? [],
          ratings: ratings.filter(({ data }) => data.participantId === participantId),
        })),
        sampledByClient.get(textOf(roomSessionId.toLowerCase(), participantId)) ?? [],
      ),
    networkOf: (roomSessionId) => networkOf(sampledBySession.get(roomSessionId.toLowerCase()) ?? []),
  };
}

/** What a retraction names: a room, a session or both, and the id of an event. */
function retractionOf(
  {
    roomName,
    roomSessionId,
  }: { readonly roomName?: string | null | undefined; readonly roomSessionId?: string | null | undefined },
  eventId: string,
): string {
  return textOf(roomName ?? null, roomSessionId?.toLowerCase() ?? null, eventId);
}

function sessionsFrom(
  events: readonly SessionEvent[],
  isKept: (event: SessionEvent) => boolean,
  limits: typeof defaultLimits,
): Session[] {
  const bySession = Map.groupBy(events, ({ data }) => textOf(data.roomName, sessionIdOf(data)));
  return [...bySession.values()].flatMap((ofSession) => {
    const kept = ofSession.filter(isKept);
    if (kept.length === 0) return [];
    const session = sessionFrom(kept, countedEvents(ofSession, limits).filter(isKept), cutsOf(ofSession, limits));
    return session.events.length > 0 ? session : []; // guesses that do not count make no session
  });
}

function sessionFrom(
  events: readonly SessionEvent[],
  counted: readonly ClientEvent[],
  cuts: ReadonlyMap<string, number>,
): Session {
  const [{ data }] = events as [SessionEvent]; // a group has at least one event
  const { endedAt, isGuess } = endOf(events);
  const comings = counted.filter((event) => event.type === 'room.client.joined' || event.type === 'room.client.left');
  const byClient = Map.groupBy(comings, (event) => event.data.participantId);
  const trusted = new Map([...byClient].map(([participantId, itsEvents]) => [participantId, believable(itsEvents)]));
  const connections = new Map(
    [...trusted].flatMap(([participantId, itsComings]) => {
      const itsConnections = connectionsOf(itsComings, cuts.get(participantId) ?? endedAt);
      return itsConnections.length > 0 ? [[participantId, itsConnections]] : [];
    }),
  );
  const believed = new Set<SessionEvent>([...trusted.values()].flatMap((each) => each.events));
  const doubted = new Set<SessionEvent>(comings.filter((event) => !believed.has(event)));
  const counting = events.filter(
    (event) => !doubted.has(event) && (event.type !== 'room.session.ended' || !event.inferred || isGuess),
  );
  const observedStarts = events.filter(({ type, inferred }) => type === 'room.session.started' && !inferred);
  const starts = observedStarts.map(timeOf);
  const missingOfClients = new Map(
    [...trusted].map(([id, { strayLeaves }]) => [id, missingOf(connections.get(id) ?? [], strayLeaves.length)]),
  );
  const isCut = [...cuts.keys()].some((id) => byClient.has(id));
  const allConnected = [...connections.values()].flat();
  const comingsThatCount = counting.filter(({ type }) => /^room\.client\.(joined|left)$/.test(type));
  return {
    ...{ roomName: data.roomName, roomSessionId: sessionIdOf(data), endedAt, connections, events: counting, heard: [] },
    startedAt: earliest(starts) ?? Number(earliest(counting.map(timeOf))),
    joins: counting.filter((event) => event.type === 'room.client.joined'),
    ratings: counted.filter((event) => event.type === 'room.client.rated'),
    updates: counted.filter((event) => event.type === 'room.client.updated'),
    missingOfClients,
    missing: [
      ...(starts.length === 0 ? (['start'] as const) : []),
      ...(isGuess || isBefore(endedAt, [...comingsThatCount, ...observedStarts]) ? (['end'] as const) : []),
      ...[...missingOfClients.values()].flat(),
      ...(isCut ? [] : missingByNumbers(comingsThatCount, allConnected)),
    ],
  };
}

function roomInsight(roomName: string, created: readonly CreatedEvent[], sessions: readonly Session[]) {
  const starts = sessions.map(({ startedAt }) => startedAt);
  const firstSessionStartedAt = isoOrNull(earliest(starts));
  const endAt = created.toSorted(byTime).at(-1)?.data.endAt;
  const createdAt = earliest(created.map(timeOf)) ?? Number(earliest(starts));
  return {
    roomName,
    createdAt: iso(createdAt),
    endAt: endAt ? iso(Date.parse(endAt)) : null,
    firstSessionStartedAt,
    lastSessionStartedAt: isoOrNull(latest(starts)),
    ...minutesOfAll(sessions.flatMap(allConnections)),
    ...peopleOf(sessions.flatMap(({ joins }) => joins)),
    totalSessions: sessions.length,
    ...ratingOf(sessions.flatMap(({ ratings }) => ratings)),
    completeness: completenessOf(sessions.flatMap(({ missing }) => missing)),
  };
}

function sessionInsight(session: Session, room: RoomInsight): RoomSessionInsight {
  return {
    roomSessionId: session.roomSessionId,
    roomName: session.roomName,
    createdAt: room.createdAt,
    endAt: room.endAt,
    startedAt: iso(session.startedAt),
    endedAt: isoOrNull(session.endedAt),
    ...minutesOfAll(allConnections(session)),
    ...peopleOf(session.joins),
    ...ratingOf(session.ratings),
    ...sumOfSpoken(
      [...new Set([...session.connections.keys(), ...session.updates.map(({ data }) => data.participantId)])].map(
        (id) => spokenOf(session, id),
      ),
    ),
    completeness: completenessOf(session.missing),
    asOf: iso(Number(latest(session.events.map(timeOf)))),
  };
}

function sessionParticipants(session: Session): SessionParticipant[] {
  const { roomSessionId, connections, ratings } = session;
  return [...connections].flatMap(([participantId, all]) => {
    const stays = all.filter((connection) => kindOf(connection) === 'participant');
    const [first, last] = [stays[0], stays.at(-1)];
    if (!first || !last) return [];
    const { deviceId, userId, roleName, displayName } = last.join.data;
    const told = session.updates.filter(({ data }) => data.participantId === participantId).toSorted(byTime);
    const renamed = told.findLast((event) => event.data.deviceId && timeOf(event) >= timeOf(last.join));
    const own = session.events.filter(({ data }) => 'participantId' in data && data.participantId === participantId);
    const ends = stays.map(({ endedAt }) => endedAt);
    const rated = ratings.filter(({ data }) => data.participantId === participantId).toSorted(byTime);
    const { rating, tags, comment } = rated.at(-1)?.data ?? {};
    return {
      roomSessionId,
      participantId,
      deviceId: renamed?.data.deviceId ?? deviceId,
      userId: userId ?? null,
      roleName,
      displayName,
      joinedAt: iso(timeOf(first.join)),
      leftAt: ends.includes(null) ? null : isoOrNull(latest(ends.map(Number))),
      externalId: stays.findLast(({ join }) => join.data.externalId)?.join.data.externalId ?? null,
      rating: rating ?? null,
      tags: tags ?? [],
      comment: comment ?? null,
      ...spokenOf(session, participantId),
      completeness: completenessOf(session.missingOfClients.get(participantId) ?? []),
      asOf: iso(Number(latest([...own.map(timeOf), ...(ends.includes(null) ? [] : ends.map(Number))]))),
    };
  });
}

function minutesOfAll(connections: readonly Connection[]) {
  const minutes = (kind: ConnectionKind) =>
    connections
      .filter((connection) => kindOf(connection) === kind)
      .reduce((sum, connection) => sum + minutesOf(connection), 0);
  return {
    totalParticipantMinutes: minutes('participant'),
    totalRecorderMinutes: minutes('recorder'),
    totalStreamerMinutes: minutes('streamer'),
  };
}

function peopleOf(joins: readonly JoinedEvent[]) {
  const unique = (kind: ConnectionKind) =>
    new Set(joins.filter((join) => kindOf({ join }) === kind).map(personOf)).size;
  return {
    totalUniqueParticipants: unique('participant'),
    totalUniqueRecorders: unique('recorder'),
    totalUniqueStreamers: unique('streamer'),
  };
}

function minutesOf({ join, endedAt }: Connection): number {
  return endedAt === null ? 0 : Math.ceil((endedAt - timeOf(join)) / 60_000);
}

function personOf({ data }: JoinedEvent): string {
  return data.userId ?? data.deviceId;
}

function ratingOf(ratings: readonly RatedEvent[]) {
  const thousandths = ratings.reduce((sum, { data }) => sum + Math.round(data.rating * 1000), 0);
  return { rating: ratings.length > 0 ? thousandths / 1000 / ratings.length : null, totalRatings: ratings.length };
}

/**
 * The seconds of a participant's updates together. The latest one replaces earlier ones with its id. Without one, those for which somebody
 * who joined was heard, unless that is no time at all.
 */
function spokenOf({ updates, heard, connections }: Session, participantId: string): Spoken {
  const telling = updates.filter(
    ({ data }) => data.participantId === participantId && typeof data.spokenSeconds === 'number',
  );
  const ms = [...Map.groupBy(telling, ({ id }) => id).values()].map((all) => {
    const last = all.toSorted(byTime).at(-1);
    return Math.round(Number(last?.data.spokenSeconds) * 1000);
  });
  if (ms.length > 0) return { spokenSeconds: ms.reduce((sum, each) => sum + each, 0) / 1000, spokenSource: 'platform' };
  const own = heardMs(heard.filter(({ data }) => data.participantId === participantId));
  if (own === 0 || !connections.has(participantId)) return { spokenSeconds: null, spokenSource: null };
  return { spokenSeconds: own / 1000, spokenSource: 'activity' };
}

/** The milliseconds of all intervals, where each counts from the latest end before it. */
function heardMs(events: readonly SpokeEvent[]): number {
  const intervals = events.flatMap(({ data }) =>
    data.intervals.map(({ from, to }) => [Date.parse(from), Date.parse(to)] as const),
  );
  let [ms, until] = [0, Number.NEGATIVE_INFINITY];
  for (const [from, to] of intervals.toSorted(([one], [other]) => one - other)) {
    ms += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return ms;
}

function sumOfSpoken(all: readonly Spoken[]): Pick<RoomSessionInsight, 'spokenSeconds' | 'spokenSource'> {
  const known = all.filter(({ spokenSeconds }) => spokenSeconds !== null);
  const [source = null, ...others] = new Set(known.map(({ spokenSource }) => spokenSource));
  const ms = known.reduce((sum, { spokenSeconds }) => sum + Math.round(Number(spokenSeconds) * 1000), 0);
  return { spokenSeconds: source && ms / 1000, spokenSource: others.length > 0 ? 'mixed' : source };
}

function allConnections({ connections }: Session): Connection[] {
  return [...connections.values()].flat();
}

function earliest(times: readonly number[]): number | null {
  return times.length > 0 ? times.reduce((one, other) => Math.min(one, other)) : null;
}

function latest(times: readonly number[]): number | null {
  return times.length > 0 ? times.reduce((one, other) => Math.max(one, other)) : null;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time);
}

function by<Item>(keyOf: (item: Item) => string) {
  return (one: Item, other: Item) => (keyOf(one) < keyOf(other) ? -1 : 1);
}
