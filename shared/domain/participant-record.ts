import type { SessionParticipant } from '../contracts/insights.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { ClientEvent, ClientJoined, SessionEvent } from '../contracts/session-events.ts';
import { kindOf, type VisitorKind } from './connection-kind.ts';
import { countedOf, type Exceeded, type ParticipantLimits } from './session-limits.ts';
import { type Connection, compare, type SessionFrame, type Stay, stayOf } from './session-projection.ts';
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
  /** The time of the first event that was not taken back; null without any. */
  readonly earliestAt: string | null;
};

/** How the id of a participant begins whose person was erased. It counts, but is not listed. No platform sends such an id. */
export const erasedPrefix = '\0erased-';

const minuteMs = 60_000;

/**
 * Derives a participant of each room from all of its events in sessions with one id. The limits apply to the rooms together.
 * `frameOf` returns what the session of a room adds.
 */
export function participantRecords(
  { roomSessionId }: SessionId,
  participantId: string,
  events: readonly ClientEvent[],
  frameOf: (roomName: string) => SessionFrame,
  most?: ParticipantLimits,
): { readonly records: ParticipantRecord[]; readonly exceeded: readonly Exceeded[] } {
  const ordered = inOrder(events);
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
    return {
      ...{
        roomName,
        participantId,
        usage: usageOf(stay),
        listed: listedParticipant(roomSessionId, participantId, stay),
      },
      visitors: distinct(visitorsOf(kept)),
      earliestAt: kept.map(({ createdAt }) => createdAt).reduce(earliest, null),
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
  { connections, ratings }: Stay,
): SessionParticipant | null {
  if (participantId.startsWith(erasedPrefix)) return null;
  const stays = connections.filter(({ kind }) => kind === 'participant');
  const [first, last] = [stays[0], stays.at(-1)];
  if (!first || !last) return null;
  const { deviceId, userId = null, roleName, displayName } = last.joined.data;
  const rated = ratings.at(-1)?.data;
  return {
    roomSessionId,
    participantId,
    deviceId,
    userId,
    roleName,
    displayName,
    joinedAt: first.joined.createdAt,
    leftAt: lastLeave(stays),
    externalId: stays.findLast(({ joined }) => joined.data.externalId !== undefined)?.joined.data.externalId ?? null,
    rating: rated?.rating ?? null,
    tags: rated?.tags ?? [],
    comment: rated?.comment ?? null,
  };
}

function lastLeave(stays: readonly Connection[]): string | null {
  const leaves = stays.map(({ leftAt }) => leftAt).toSorted();
  return leaves.includes(null) ? null : (leaves.at(-1) ?? null);
}
