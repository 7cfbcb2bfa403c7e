import { isDeepStrictEqual } from 'node:util';
import type { Missing, SpokenSourceOfSession } from '#shared/contracts/insights/insights.ts';
import {
  type ClientEvent,
  isClientEvent,
  isSessionEvent,
  type SessionEvent,
  type SessionRetraction,
} from '#shared/contracts/insights/session-events.ts';
import { missingByCounts } from '../client-counts.ts';
import { inOrderOfKinds } from '../completeness.ts';
import {
  earliest,
  type FactsOfParticipant,
  latest,
  nameOf,
  type ParticipantRecord,
  participantRecords,
  type SessionId,
  type Visitor,
} from '../participant-record.ts';
import { isTalkFact, type StoredFact } from '../talk-facts.ts';
import { sumOfTalk, type TalkTime } from '../talk-time.ts';
import { noUsage, plus, type Usage } from '../usage.ts';
import type { Exceeded, ParticipantLimits } from './session-limits.ts';
import { type SessionBlock, withoutReplaced } from './session-log.ts';
import { clockToleranceMs, type SessionFrame } from './session-projection.ts';

/** The session of one room as the facts describe it. */
export type RoomSession = {
  /** Null if every event was taken back. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly usage: Usage;
  /** Everyone who joined, each once. */
  readonly visitors: ReadonlyMap<string, Visitor>;
  /** For how long all participants spoke; null if nothing tells. */
  readonly talk: TalkTime<SpokenSourceOfSession> | null;
  /** What the platform did not tell of the session and of its participants. */
  readonly missing: readonly Missing[];
  /** The time of the latest event that counts. */
  readonly asOf: string | null;
  /** The time of the latest event, also of one that was taken back. It never goes back, so a room's can follow it without other sessions. */
  readonly heardAt: string | null;
};

/** One participant: all facts, in any room, and what they amount to. */
type Member = FactsOfParticipant & { readonly records: readonly ParticipantRecord[] };

const noMember: Member = { events: [], talk: [], records: [] };

type OwnEvent = Exclude<SessionEvent, ClientEvent>;
type OwnFact = OwnEvent | SessionRetraction;

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
  const sessionEvents = fresh.filter(isSessionEvent);
  const events = Map.groupBy(sessionEvents.filter(isClientEvent), ({ data }) => data.participantId);
  const talk = Map.groupBy(fresh.filter(isTalkFact), ({ data }) => data.participantId);
  const told = new Set([...events.keys(), ...talk.keys()]);
  // An end or a retraction can change every participant, and any other fact only the participant that it names.
  const isWide = fresh.some(({ type }) => type === 'room.session.ended' || type === 'fact.retracted');
  const clientEvents = function* () {
    for (const member of view.members.values()) yield* member.events;
    for (const some of events.values()) yield* some;
  };
  const frameOf = framesOf(own, clientEvents);
  // An inferred end can cease to count, because of an event of anybody.
  const endsMoved = [...view.rooms].some(([roomName, { endedAt }]) => frameOf(roomName).endedAt !== endedAt);
  const members = new Map(view.members);
  const exceeded: Exceeded[] = [];
  for (const participantId of isWide || endsMoved ? new Set([...members.keys(), ...told]) : told) {
    const { records: before, ...stored } = members.get(participantId) ?? noMember;
    const all = {
      events: [...stored.events, ...(events.get(participantId) ?? [])],
      talk: [...stored.talk, ...(talk.get(participantId) ?? [])],
    };
    const after = participantRecords(view.session, participantId, all, frameOf, most);
    if (events.has(participantId)) exceeded.push(...after.exceeded);
    const records = after.records.map((record) => before.find((old) => isDeepStrictEqual(old, record)) ?? record);
    members.set(participantId, { ...all, records });
  }
  const participants = [...members.values()].flatMap(({ records }) => records);
  // Every room with an event, also if none counts: an observed event in another room can replace the inferred one of this room.
  const roomNames = new Set([...view.rooms.keys(), ...sessionEvents.map(({ data }) => data.roomName)]);
  return {
    ...{ session: view.session, own, members, participants, exceeded },
    version: blocks.at(-1)?.number ?? view.version,
    rooms: roomsOf(roomNames, { own, participants }, frameOf),
  };
}

/** True for a fact of the session itself: its start, its end, or a retraction. */
export function isOwn(fact: StoredFact): fact is OwnFact {
  return !isTalkFact(fact) && (!isSessionEvent(fact) || !isClientEvent(fact));
}

/** The end of a room's session, and what was taken back in it. */
type RoomFrame = SessionFrame & { readonly isEndInferred: boolean };
type ClientEvents = () => Iterable<ClientEvent>;

/** Returns the function that tells a room's end and what was taken back in it, by the session's own facts. */
export function framesOf(own: readonly OwnFact[], clientEvents: ClientEvents): (roomName: string) => RoomFrame {
  const frames = new Map<string, RoomFrame>();
  const retractions = own.filter((fact) => fact.type === 'fact.retracted');
  return (roomName) => {
    const known = frames.get(roomName);
    if (known) return known;
    const ofRoom = retractions.filter(({ data }) => (data.roomName ?? roomName) === roomName);
    const retractedIds = new Set(ofRoom.map(({ data }) => data.eventId));
    const isKept = ({ id, data }: SessionEvent) => data.roomName === roomName && !retractedIds.has(id);
    const frame = { retractedIds, ...endOf(own.filter(isOwnEvent).filter(isKept), clientEvents, isKept) };
    frames.set(roomName, frame);
    return frame;
  };
}

/**
 * The latest observed end, or else the latest inferred one. The latter does not count if somebody came or went after it: then the
 * session was not over. A rating or an update after it changes nothing, because both often come when everybody has left.
 */
function endOf(own: readonly OwnEvent[], clientEvents: ClientEvents, isKept: (event: ClientEvent) => boolean) {
  const ends = own.filter(({ type }) => type === 'room.session.ended');
  const latestOf = (events: readonly OwnEvent[]) => events.map(({ createdAt }) => createdAt).reduce(latest, null);
  const observed = latestOf(ends.filter(({ inferred }) => !inferred));
  const inferred = observed === null ? latestOf(ends) : null;
  if (inferred === null) return { endedAt: observed, isEndInferred: false };
  const goesOn = ({ type, createdAt }: SessionEvent) => lifeSigns.has(type) && createdAt > inferred;
  let isOver = !own.some(goesOn);
  for (const event of isOver ? clientEvents() : []) if (goesOn(event) && isKept(event)) isOver = false;
  return { endedAt: isOver ? inferred : null, isEndInferred: isOver };
}

/** The events after which a session is not over. */
const lifeSigns: ReadonlySet<string> = new Set<SessionEvent['type']>([
  'room.session.started',
  'room.client.joined',
  'room.client.left',
]);

function isOwnEvent(fact: OwnFact): fact is OwnEvent {
  return fact.type !== 'fact.retracted';
}

function roomsOf(
  names: ReadonlySet<string>,
  { own, participants }: Pick<SessionView, 'own' | 'participants'>,
  frameOf: (roomName: string) => RoomFrame,
): Map<string, RoomSession> {
  const records = Map.groupBy(participants, ({ roomName }) => roomName);
  const events = Map.groupBy(withoutReplaced(own.filter(isOwnEvent)), ({ data }) => data.roomName);
  return new Map(
    [...names].map((roomName) => [
      roomName,
      roomSessionOf(events.get(roomName) ?? [], records.get(roomName) ?? [], frameOf(roomName)),
    ]),
  );
}

function roomSessionOf(
  own: readonly OwnEvent[],
  records: readonly ParticipantRecord[],
  { endedAt, isEndInferred, retractedIds }: RoomFrame,
): RoomSession {
  const kept = own.filter(({ id }) => !retractedIds.has(id));
  const isCounted = ({ type, inferred }: OwnEvent) => type !== 'room.session.ended' || !inferred || isEndInferred;
  const counted = timesOf(kept.filter(isCounted));
  const observedStarts = kept.filter(({ type, inferred }) => type === 'room.session.started' && !inferred);
  const observedStart = timesOf(observedStarts).reduce(earliest, null);
  const earliestAt = [...counted, ...records.map((record) => record.earliestAt)].reduce(earliest, null);
  const isShown = earliestAt !== null;
  return {
    startedAt: observedStart ?? earliestAt,
    endedAt,
    usage: records.map(({ usage }) => usage).reduce(plus, noUsage),
    visitors: new Map(records.flatMap((record) => record.visitors.map((visitor) => [nameOf(visitor), visitor]))),
    talk: sumOfTalk(records.map(({ talk }) => talk)),
    missing: inOrderOfKinds([
      ...(isShown && observedStart === null ? ['start' as const] : []),
      ...(isEndInferred || goesOnAfter(endedAt, observedStarts, records) ? ['end' as const] : []),
      ...records.flatMap(({ missing }) => missing),
      ...missingByCounts(records.map(({ presence }) => presence)),
    ]),
    asOf: [...counted, ...records.map(({ latestAt }) => latestAt)].reduce(latest, null),
    heardAt: [...timesOf(own), ...records.map(({ heardAt }) => heardAt)].reduce(latest, null),
  };
}

/** True if somebody came or went after the observed end, or the session began after it: then it was not the end. */
function goesOnAfter(
  endedAt: string | null,
  starts: readonly OwnEvent[],
  records: readonly ParticipantRecord[],
): boolean {
  if (endedAt === null) return false;
  const overMs = Date.parse(endedAt) + clockToleranceMs;
  if (starts.some(({ createdAt }) => Date.parse(createdAt) > overMs)) return true;
  return records.some(({ presence }) => presence.changes.some(({ at }) => at > overMs));
}

function timesOf(events: readonly SessionEvent[]): string[] {
  return events.map(({ createdAt }) => createdAt);
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
