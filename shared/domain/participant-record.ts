import type { SessionParticipant } from '../contracts/insights.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { Connection, ConnectionKind, ProjectedParticipant } from './session-projection.ts';
import { noUsage, plus, type Usage } from './usage.ts';

/** A session's identity. The same id in two rooms is two sessions. */
export type SessionKey = {
  readonly organizationId: OrganizationId;
  readonly roomName: string;
  readonly roomSessionId: string;
};

/** A visitor counts once in each session and once in each room, with any number of connections. */
export type Visitor = { readonly kind: ConnectionKind; readonly visitorId: string };

/** A participant as it is stored: its share of the session's totals, and its element of the participant list. */
export type ParticipantRecord = {
  readonly participantId: string;
  readonly usage: Usage;
  /** The visitors that the session has counted for this participant. */
  readonly visitors: readonly Visitor[];
  /**
   * The session's end that the connections reflect, or '' if a connection without a leave waits for the end. Null if every
   * connection has a leave, so that the session's end changes nothing.
   */
  readonly sessionEnd: string | null;
  /** The element of the participant list; null for a participant who never joined or was only a recorder or streamer. */
  readonly listed: SessionParticipant | null;
};

const minuteMs = 60_000;

/** The record of a participant with all of its visitors counted. */
export function participantRecord(
  { roomSessionId }: SessionKey,
  participant: ProjectedParticipant,
  sessionEndedAt: string | null,
): ParticipantRecord {
  const { participantId, connections, ratings } = participant;
  const ratingThousandths = ratings.reduce((sum, { data }) => sum + Math.round(data.rating * 1000), 0);
  return {
    participantId,
    usage: { ...connections.map(minutesOf).reduce(plus, noUsage), ratingThousandths, ratings: ratings.length },
    visitors: distinct(connections.map(visitorOf)),
    sessionEnd: connections.some(({ endsWithSession }) => endsWithSession) ? (sessionEndedAt ?? '') : null,
    listed: listedParticipant(roomSessionId, participant),
  };
}

/** True if both are the same visitor. */
export function isSameVisitor(one: Visitor, other: Visitor): boolean {
  return one.kind === other.kind && one.visitorId === other.visitorId;
}

/** The visitors without repetitions, in the order of their first appearance. */
export function distinct(visitors: readonly Visitor[]): Visitor[] {
  return visitors.filter(
    (visitor, index) => visitors.findIndex((earlier) => isSameVisitor(earlier, visitor)) === index,
  );
}

/** The length of a connection, rounded up to whole minutes. An open connection has 0 minutes until it ends. */
function minutesOf({ kind, joined, leftAt }: Connection): Usage {
  const lengthMs = leftAt === null ? 0 : Date.parse(leftAt) - Date.parse(joined.createdAt);
  return { ...noUsage, [`${kind}Minutes`]: Math.ceil(lengthMs / minuteMs) };
}

function visitorOf({ kind, joined: { data } }: Connection): Visitor {
  return { kind, visitorId: data.userId ?? data.deviceId };
}

function listedParticipant(
  roomSessionId: string,
  { participantId, connections, ratings }: ProjectedParticipant,
): SessionParticipant | null {
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
