import type { Missing, SessionParticipant } from '#shared/contracts/insights/insights.ts';
import type { ClientEvent, ClientJoined, SessionEvent } from '#shared/contracts/insights/session-events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Presence } from './client-counts.ts';
import { completenessOf, inOrderOfKinds } from './completeness.ts';
import { kindOf, type VisitorKind } from './connection-kind.ts';
import { countedOf, type Exceeded, type ParticipantLimits } from './session/session-limits.ts';
import { withoutReplaced } from './session/session-log.ts';
import { type Connection, compare, type SessionFrame, type Stay, stayOf } from './session/session-projection.ts';
import { measuredTalk, type TalkFact } from './talk-facts.ts';
import { shownTalk, type TalkTime } from './talk-time.ts';
import { noUsage, plus, type Usage } from './usage.ts';

/** A session's id within its organization. Several rooms can use the same one. */
export type SessionId = { readonly organizationId: OrganizationId; readonly roomSessionId: string };

/** A session's identity. The same id in two rooms is two sessions. */
export type SessionKey = SessionId & { readonly roomName: string };

/** A visitor counts once in each session and once in each room, with any number of connections. */
export type Visitor = { readonly kind: VisitorKind; readonly visitorId: string };

/** A participant of a session as its facts describe it: its share of the session's totals, and its element of the participant list. */
export type ParticipantRecord = {
  readonly roomName: string;
  readonly participantId: string;
  readonly usage: Usage;
  /** The element of the participant list; null for a participant who never joined as one. */
  readonly listed: SessionParticipant | null;
  /** The visitors as whom the participant joined. */
  readonly visitors: readonly Visitor[];
  /** The times of the first and the last event that counts; null without any. */
  readonly earliestAt: string | null;
  readonly latestAt: string | null;
  /** The time of the last event, also if it does not count. */
  readonly heardAt: string | null;
  /** For how long the participant spoke; null if nothing tells. */
  readonly talk: TalkTime | null;
  readonly missing: readonly Missing[];
  readonly presence: Presence;
};

/** How the id of a participant begins whose person was erased. It counts, but is not listed. No platform sends such an id. */
export const erasedPrefix = '\0erased-';

const minuteMs = 60_000;

/** All that is stored of a participant. */
export type FactsOfParticipant = { readonly events: readonly ClientEvent[]; readonly talk: readonly TalkFact[] };

/**
 * Derives a participant of each room from all of its events in sessions with one id. The limits apply to the rooms together.
 * `frameOf` returns what the session of a room adds.
 */
export function participantRecords(
  { roomSessionId }: SessionId,
  participantId: string,
  { events, talk: measured }: FactsOfParticipant,
  frameOf: (roomName: string) => SessionFrame,
  most?: ParticipantLimits,
): { readonly records: ParticipantRecord[]; readonly exceeded: readonly Exceeded[] } {
  const ordered = inOrder(withoutReplaced(events));
  const counted = countedOf(participantId, ordered, most);
  const cutAt = counted.exceeded.find(({ limit }) => limit === 'connections')?.lastAt;
  const countedEvents = new Set(counted.events);
  const records = [...Map.groupBy(ordered, ({ data }) => data.roomName)].map(([roomName, all]): ParticipantRecord => {
    const frame = frameOf(roomName);
    const kept = all.filter(({ id }) => !frame.retractedIds.has(id));
    const stay = stayOf(
      all.filter((event) => countedEvents.has(event)),
      frame,
      cutAt,
    );
    const counting = kept.filter((event) => !stay.yielding.has(event));
    const latestAt = timesOf(counting).reduce(latest, null);
    const talk = talkOf(stay) ?? (stay.connections.length > 0 ? measuredTalk(measured, roomName) : null);
    return {
      ...{ roomName, participantId, latestAt, usage: usageOf(stay), talk },
      ...{ missing: missingOf(stay), presence: presenceOf(counting, stay, cutAt === undefined) },
      listed: listedParticipant(roomSessionId, participantId, stay, { latestAt, talk }),
      visitors: distinct(visitorsOf(counting)),
      earliestAt: timesOf(counting).reduce(earliest, null),
      heardAt: timesOf(all).reduce(latest, null),
    };
  });
  return { records, exceeded: counted.exceeded };
}

/** The events in the order in which they count: by time, then by id. */
export function inOrder<Event extends SessionEvent>(events: readonly Event[]): Event[] {
  return events.toSorted((one, other) => compare(one.createdAt, other.createdAt) || compare(one.id, other.id));
}

/** The visitor who came with each join, without those who have no totals. */
export function visitorsOf(events: readonly SessionEvent[]): Visitor[] {
  const joins = events.filter((event) => event.type === 'room.client.joined');
  return joins.flatMap((joined) => visitorOf(joined) ?? []);
}

/** The visitor who came with a join. Null if the join has no totals. */
export function visitorOf(joined: ClientJoined): Visitor | null {
  const kind = kindOf(joined);
  const { userId, deviceId } = joined.data;
  return kind === 'other' ? null : { kind, visitorId: userId ?? deviceId };
}

/** The visitors without repetitions, in the order of their first appearance. */
export function distinct(visitors: readonly Visitor[]): Visitor[] {
  return [...new Map(visitors.map((visitor) => [nameOf(visitor), visitor])).values()];
}

/** A text that only this visitor has. */
export function nameOf({ kind, visitorId }: Visitor): string {
  return `${kind} ${visitorId}`;
}

/** The earlier of two times. Null is no time. */
export function earliest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** The later of two times. Null is no time. */
export function latest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

function timesOf(events: readonly ClientEvent[]): string[] {
  return events.map(({ createdAt }) => createdAt);
}

/** By the platform's own count. Of updates with one id, the latest counts alone: a platform may tell the total of a connection again. */
function talkOf({ updates }: Stay): TalkTime | null {
  const told = new Map(
    updates.flatMap(({ id, data }) => (data.spokenSeconds === undefined ? [] : [[id, data.spokenSeconds]])),
  );
  if (told.size === 0) return null;
  const ms = [...told.values()].reduce((sum, seconds) => sum + Math.round(seconds * 1000), 0);
  return { ms, source: 'platform' };
}

function missingOf({ connections, strayLeaves }: Stay): Missing[] {
  const hasGuessedJoin = connections.some(({ joined }) => joined.inferred);
  return inOrderOfKinds([
    ...(connections.some(({ missesLeave }) => missesLeave) ? ['leave' as const] : []),
    ...(hasGuessedJoin || strayLeaves.length > 0 ? ['participant' as const] : []),
  ]);
}

function presenceOf(counting: readonly ClientEvent[], { connections }: Stay, isWhole: boolean): Presence {
  return {
    isWhole,
    connections: connections.map(({ kind, joined, leftAt }) => ({
      ...{ kind, from: Date.parse(joined.createdAt) },
      to: leftAt === null ? null : Date.parse(leftAt),
    })),
    changes: counting.flatMap((event) => {
      if (event.type !== 'room.client.joined' && event.type !== 'room.client.left') return [];
      return { at: Date.parse(event.createdAt), clients: event.inferred ? undefined : event.data.numClients };
    }),
  };
}

function usageOf({ connections, ratings }: Stay): Usage {
  const ratingThousandths = ratings.reduce((sum, { data }) => sum + Math.round(data.rating * 1000), 0);
  return { ...connections.map(minutesOf).reduce(plus, noUsage), ratingThousandths, ratings: ratings.length };
}

/** The length of a connection, rounded up to whole minutes. An open connection has 0 minutes until it ends. */
function minutesOf({ kind, joined, leftAt }: Connection): Usage {
  if (kind === 'other') return noUsage;
  const lengthMs = leftAt === null ? 0 : Date.parse(leftAt) - Date.parse(joined.createdAt);
  const minutes: keyof Usage = `${kind}Minutes`;
  return { ...noUsage, [minutes]: Math.ceil(lengthMs / minuteMs) };
}

function listedParticipant(
  roomSessionId: string,
  participantId: string,
  stay: Stay,
  { latestAt, talk }: Pick<ParticipantRecord, 'latestAt' | 'talk'>,
): SessionParticipant | null {
  if (participantId.startsWith(erasedPrefix)) return null;
  const { ratings } = stay;
  const stays = stay.connections.filter(({ kind }) => kind === 'participant');
  const [first, last] = [stays[0], stays.at(-1)];
  if (!first || !last) return null;
  const { userId = null, roleName, displayName } = last.joined.data;
  const leftAt = lastLeave(stays);
  const rated = ratings.at(-1)?.data;
  return {
    roomSessionId,
    participantId,
    deviceId: deviceOf(last.joined, stay),
    userId,
    roleName,
    displayName,
    joinedAt: first.joined.createdAt,
    leftAt,
    externalId: stays.findLast(({ joined }) => joined.data.externalId !== undefined)?.joined.data.externalId ?? null,
    rating: rated?.rating ?? null,
    tags: rated?.tags ?? [],
    comment: rated?.comment ?? null,
    ...shownTalk(talk),
    completeness: completenessOf(missingOf(stay)),
    asOf: latest(latestAt, leftAt) ?? first.joined.createdAt,
  };
}

/** The device of the latest join, unless a later event names another one. */
function deviceOf(lastJoin: ClientJoined, { updates }: Stay): string {
  const named = updates.findLast(({ createdAt, data }) => data.deviceId && createdAt >= lastJoin.createdAt);
  return named?.data.deviceId ?? lastJoin.data.deviceId;
}

function lastLeave(stays: readonly Connection[]): string | null {
  const leaves = stays.map(({ leftAt }) => leftAt).toSorted();
  return leaves.includes(null) ? null : (leaves.at(-1) ?? null);
}
