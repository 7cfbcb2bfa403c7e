import { createHash } from 'node:crypto';
import type { SessionParticipant } from '../contracts/insights.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { ClientJoined } from '../contracts/session-events.ts';
import {
  byTime,
  type Connection,
  type ConnectionKind,
  kindOf,
  type ProjectedParticipant,
} from './session-projection.ts';
import { noUsage, plus, type Usage } from './usage.ts';

/** A session's identity. The same id in two rooms is two sessions. */
export type SessionKey = {
  readonly organizationId: OrganizationId;
  readonly roomName: string;
  readonly roomSessionId: string;
};

/** A session in one room, or all sessions with the same id if no room is named. */
export type SessionsWithId = Omit<SessionKey, 'roomName'> & { readonly roomName?: string | undefined };

/** A visitor counts once in each session and once in each room, with any number of connections. */
export type Visitor = { readonly kind: ConnectionKind; readonly visitorId: string };

/** A visitor as whom a participant came. */
export type ParticipantVisitor = Visitor & {
  /** False if every join was taken back. */
  readonly isPresent: boolean;
  /** Joins that were taken back. Another participant's change may have uncounted the visitor since then. */
  readonly retractedJoins: number;
};

/**
 * The visitors of a participant that the session has counted. A participant can have thousands, so the row has their number
 * and a digest instead of their ids. The session's marks have the ids.
 */
export type CountedVisitors = { readonly number: number; readonly digest: string };

/** A participant as it is stored: its share of the session's totals, and its element of the participant list. No part of it grows with the number of connections. */
export type ParticipantRecord = {
  readonly participantId: string;
  readonly usage: Usage;
  readonly counted: CountedVisitors;
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
    counted: countedVisitors(visitorsOf(participant)),
    sessionEnd: connections.some(({ endsWithSession }) => endsWithSession) ? (sessionEndedAt ?? '') : null,
    listed: listedParticipant(roomSessionId, participant),
  };
}

/** The joins of a participant: those that count, and those that were taken back. */
export type Joins = {
  readonly connections: readonly Pick<Connection, 'joined'>[];
  readonly retractedJoins: readonly ClientJoined[];
};

/** The visitors of a participant, in the order of their first join. */
export function visitorsOf({ connections, retractedJoins }: Joins): ParticipantVisitor[] {
  const joins = [
    ...connections.map(({ joined }) => ({ joined, isRetracted: false })),
    ...retractedJoins.map((joined) => ({ joined, isRetracted: true })),
  ].toSorted((one, other) => byTime(one.joined, other.joined));
  const byName = new Map<string, ParticipantVisitor>();
  for (const { joined, isRetracted } of joins) {
    const visitor = visitorOf(joined);
    const { isPresent, retractedJoins } = byName.get(nameOf(visitor)) ?? { isPresent: false, retractedJoins: 0 };
    byName.set(nameOf(visitor), {
      ...visitor,
      isPresent: isPresent || !isRetracted,
      retractedJoins: retractedJoins + (isRetracted ? 1 : 0),
    });
  }
  return [...byName.values()];
}

/** The visitor who came with a join. */
export function visitorOf({ data: { roleName, userId, deviceId } }: ClientJoined): Visitor {
  return { kind: kindOf(roleName), visitorId: userId ?? deviceId };
}

const digestBytes = 32;

/** What the row of a participant keeps of its counted visitors. The order of the visitors does not matter. */
export function countedVisitors(visitors: readonly ParticipantVisitor[]): CountedVisitors {
  const sum = visitors.map(numberOf).reduce((one, other) => BigInt.asUintN(digestBytes * 8, one + other), 0n);
  const bytes = Buffer.from(sum.toString(16).padStart(digestBytes * 2, '0'), 'hex');
  return { number: visitors.length, digest: visitors.length === 0 ? '' : bytes.toString('base64url') };
}

function numberOf({ kind, visitorId, isPresent, retractedJoins }: ParticipantVisitor): bigint {
  const text = JSON.stringify([kind, visitorId, isPresent, retractedJoins]);
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
}

/**
 * The visitors that differ from the counted ones: those that follow them, or those that differ from `before`. All of them if
 * the counted ones are neither the first nor those of before, because an event was lost.
 */
export function uncounted(
  visitors: readonly ParticipantVisitor[],
  counted: CountedVisitors,
  before: readonly ParticipantVisitor[],
): ParticipantVisitor[] {
  const isCounted = (others: readonly ParticipantVisitor[]) => countedVisitors(others).digest === counted.digest;
  if (isCounted(visitors.slice(0, counted.number))) return visitors.slice(counted.number);
  return isCounted(before) ? changedSince(before, visitors) : [...visitors];
}

/** The visitors that are new, or of which a join was taken back. */
export function changedSince(
  before: readonly ParticipantVisitor[],
  visitors: readonly ParticipantVisitor[],
): ParticipantVisitor[] {
  const stateOf = ({ isPresent, retractedJoins }: ParticipantVisitor) => `${isPresent} ${retractedJoins}`;
  const states = new Map(before.map((visitor) => [nameOf(visitor), stateOf(visitor)]));
  return visitors.filter((visitor) => states.get(nameOf(visitor)) !== stateOf(visitor));
}

/** The visitors without repetitions, in the order of their first appearance. */
export function distinct<Each extends Visitor>(visitors: readonly Each[]): Each[] {
  const byName = new Map<string, Each>();
  for (const visitor of visitors) if (!byName.has(nameOf(visitor))) byName.set(nameOf(visitor), visitor);
  return [...byName.values()];
}

/** The visitors that are not among the others. */
export function without<Each extends Visitor>(visitors: readonly Each[], others: readonly Visitor[]): Each[] {
  const names = new Set(others.map(nameOf));
  return visitors.filter((visitor) => !names.has(nameOf(visitor)));
}

/** The visitors that are also among the others. */
export function among<Each extends Visitor>(visitors: readonly Each[], others: readonly Visitor[]): Each[] {
  const names = new Set(others.map(nameOf));
  return visitors.filter((visitor) => names.has(nameOf(visitor)));
}

/** A text that only this visitor has. */
export function nameOf({ kind, visitorId }: Visitor): string {
  return JSON.stringify([kind, visitorId]);
}

/** The length of a connection, rounded up to whole minutes. An open connection has 0 minutes until it ends. */
function minutesOf({ kind, joined, leftAt }: Connection): Usage {
  const lengthMs = leftAt === null ? 0 : Date.parse(leftAt) - Date.parse(joined.createdAt);
  return { ...noUsage, [`${kind}Minutes`]: Math.ceil(lengthMs / minuteMs) };
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
