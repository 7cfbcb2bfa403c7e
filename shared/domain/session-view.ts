import { isDeepStrictEqual } from 'node:util';
import {
  type ClientEvent,
  isClientEvent,
  isSessionEvent,
  type SessionEvent,
  type SessionFact,
  type SessionRetraction,
} from '../contracts/session-events.ts';
import { type ConnectionEvents, eventsOfConnections } from './connection-events.ts';
import {
  earliest,
  inOrder,
  nameOf,
  type ParticipantRecord,
  participantRecords,
  type SessionId,
  type Visitor,
} from './participant-record.ts';
import { countedOf, type Exceeded, type ParticipantLimits } from './session-limits.ts';
import type { SessionBlock } from './session-log.ts';
import { byTime, type SessionFrame, stayOf } from './session-projection.ts';
import { noUsage, plus, type Usage } from './usage.ts';

/** The session of one room as the facts describe it. */
export type RoomSession = {
  /** Null if every event was taken back. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly usage: Usage;
  /** Everyone who joined, each once. */
  readonly visitors: ReadonlyMap<string, Visitor>;
};

/** One participant: all events, in any room, and what they amount to. */
type Member = { readonly events: readonly ClientEvent[]; readonly records: readonly ParticipantRecord[] };

type OwnFact = Exclude<SessionEvent, ClientEvent> | SessionRetraction;

/** What the facts of all sessions with one id describe, after a number of blocks. */
export type SessionView = {
  readonly session: SessionId;
  readonly version: number;
  readonly own: readonly OwnFact[];
  readonly members: ReadonlyMap<string, Member>;
  /** All participants of all rooms. */
  readonly participants: readonly ParticipantRecord[];
  /** Of the participants of the last block, those with more events than count. */
  readonly exceeded: readonly Exceeded[];
  readonly rooms: ReadonlyMap<string, RoomSession>;
};

/** A session before its first fact. */
export function emptyView(session: SessionId): SessionView {
  return { session, version: 0, own: [], members: new Map(), participants: [], exceeded: [], rooms: new Map() };
}

/**
 * The view after further blocks of a log. Records that do not change remain the same objects, so that a comparison of two views is
 * cheap. The order of the facts does not matter.
 */
export function withBlocks(view: SessionView, blocks: readonly SessionBlock[], most?: ParticipantLimits): SessionView {
  const fresh = blocks.flatMap(({ facts }) => facts);
  const own = [...view.own, ...fresh.filter(isOwn)];
  const events = Map.groupBy(fresh.filter(isSessionEvent).filter(isClientEvent), ({ data }) => data.participantId);
  // An end or a retraction can change every participant, and any other fact only the participant that it names.
  const isWide = fresh.some(({ type }) => type === 'room.session.ended' || type === 'fact.retracted');
  const frameOf = framesOf(own);
  const members = new Map(view.members);
  const exceeded: Exceeded[] = [];
  for (const participantId of isWide ? new Set([...members.keys(), ...events.keys()]) : events.keys()) {
    const { events: stored = [], records: before = [] } = members.get(participantId) ?? {};
    const all = [...stored, ...(events.get(participantId) ?? [])];
    const after = participantRecords(view.session, participantId, all, frameOf, most);
    if (events.has(participantId)) exceeded.push(...after.exceeded);
    const records = after.records.map((record) => before.find((old) => isDeepStrictEqual(old, record)) ?? record);
    members.set(participantId, { events: all, records });
  }
  const participants = [...members.values()].flatMap(({ records }) => records);
  return {
    ...{ session: view.session, own, members, participants, exceeded },
    version: blocks.at(-1)?.number ?? view.version,
    rooms: roomsOf(own, participants, frameOf),
  };
}

function isOwn(fact: SessionFact): fact is OwnFact {
  return !isSessionEvent(fact) || !isClientEvent(fact);
}

/** Returns the function that tells a room's end and what was taken back in it. */
function framesOf(own: readonly OwnFact[]): (roomName: string) => SessionFrame {
  const frames = new Map<string, SessionFrame>();
  const retractions = own.filter((fact) => fact.type === 'fact.retracted');
  return (roomName) => {
    const known = frames.get(roomName);
    if (known) return known;
    const ofRoom = retractions.filter(({ data }) => (data.roomName ?? roomName) === roomName);
    const retractedIds = new Set(ofRoom.map(({ data }) => data.eventId));
    const ends = own.filter((fact) => fact.type === 'room.session.ended' && fact.data.roomName === roomName);
    const times = ends.filter(({ id }) => !retractedIds.has(id)).map(({ createdAt }) => createdAt);
    const frame = { retractedIds, endedAt: times.toSorted().at(-1) ?? null };
    frames.set(roomName, frame);
    return frame;
  };
}

function roomsOf(
  own: readonly OwnFact[],
  participants: readonly ParticipantRecord[],
  frameOf: (roomName: string) => SessionFrame,
): Map<string, RoomSession> {
  const records = Map.groupBy(participants, ({ roomName }) => roomName);
  const events = own.filter((fact) => fact.type !== 'fact.retracted');
  const names = new Set([...events.map(({ data }) => data.roomName), ...records.keys()]);
  return new Map(
    [...names].map((roomName): [string, RoomSession] => {
      const ofRoom = records.get(roomName) ?? [];
      const { endedAt, retractedIds } = frameOf(roomName);
      const kept = events.filter(({ id, data }) => data.roomName === roomName && !retractedIds.has(id));
      const startedAt = kept.filter(({ type }) => type === 'room.session.started').map(({ createdAt }) => createdAt);
      const all = [...kept.map(({ createdAt }) => createdAt), ...ofRoom.map(({ earliestAt }) => earliestAt)];
      const visitors = new Map(
        ofRoom.flatMap((record) => record.visitors.map((visitor) => [nameOf(visitor), visitor])),
      );
      return [
        roomName,
        {
          startedAt: startedAt.toSorted()[0] ?? all.reduce(earliest, null),
          endedAt,
          usage: ofRoom.map(({ usage }) => usage).reduce(plus, noUsage),
          visitors,
        },
      ];
    }),
  );
}

/** The views of a log. */
export type SessionTimeline = { readonly at: (version: number) => SessionView };

/**
 * Returns the view after any number of blocks of a log. It keeps the last view and the one that it was computed from, so versions that
 * grow are cheap, and so is one step back.
 */
export function sessionTimeline(
  session: SessionId,
  log: { readonly blocks: readonly SessionBlock[] },
): SessionTimeline {
  const empty = emptyView(session);
  let kept = [empty];
  return {
    at(version) {
      const base = kept.findLast((view) => view.version <= version) ?? empty;
      if (base.version === version) return base;
      const view = withBlocks(base, log.blocks.slice(base.version, version));
      kept = [empty, base, view];
      return view;
    },
  };
}

/**
 * The connections of a participant in any room, in the order of joining, with the events that count. Needs the facts of the
 * participant and all retractions: where a connection without a leave ends does not matter.
 */
export function connectionsThatCount(
  { participantId }: { readonly participantId: string },
  { blocks }: { readonly blocks: readonly SessionBlock[] },
): ConnectionEvents[] {
  const facts = blocks.flatMap((block) => block.facts);
  const frameOf = framesOf(facts.filter(isOwn));
  const events = facts
    .filter(isSessionEvent)
    .filter(isClientEvent)
    .filter(({ data }) => data.participantId === participantId);
  const counted = countedOf(participantId, inOrder(events)).events;
  return [...Map.groupBy(counted, ({ data }) => data.roomName)]
    .flatMap(([roomName, ofRoom]) => eventsOfConnections(stayOf(ofRoom, frameOf(roomName), undefined)))
    .toSorted((one, other) => byTime(one.joined, other.joined));
}
