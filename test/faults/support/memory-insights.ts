import type {
  ClientEvent,
  ClientJoined,
  RoomCreated,
  RoomRetraction,
  SessionEvent,
  SessionFact,
} from '#shared/contracts/session-events.ts';
import {
  isRoomShown,
  type RoomKey,
  type RoomRecord,
  type SessionRecord,
  toRoomInsight,
  toRoomSessionInsight,
} from '#shared/domain/insight-records.ts';
import { participantDetails } from '#shared/domain/network-series.ts';
import type { ParticipantRecord, SessionKey, SessionsWithId, Visitor } from '#shared/domain/participant-record.ts';
import type { SessionChange } from '#shared/domain/session-change.ts';
import { countedOf, limits, type ParticipantLimits } from '#shared/domain/session-limits.ts';
import type { RoomFact } from '#shared/domain/session-projection.ts';
import type { RecordSessionDependencies } from '#shared/use-cases/record-session-events.ts';
import { type Insights, insightsOf, type Questions } from './insight-model.ts';

/** Makes one call to the store, now or later. It can also drop the call or its answer. */
export type Caller = <Answer>(name: string, make: () => Answer) => Promise<Answer>;

/** Makes every call immediately. */
export const callAtOnce: Caller = async (_, make) => make();

/** How many facts of a participant count, and how many are read in a group. */
type Options = { readonly limits: ParticipantLimits; readonly factsInGroup: number };

const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);
const roomOf = ({ organizationId, roomName }: RoomKey) => keyOf(organizationId, roomName);
const sessionOf = ({ organizationId, roomName, roomSessionId }: SessionKey) =>
  keyOf(organizationId, roomName, roomSessionId);
const visitorOf = ({ kind, visitorId }: Visitor) => keyOf(kind, visitorId);

/**
 * Rooms, sessions and their facts in memory, with the same conditions as the tables' transactions. A port's call makes
 * as many calls here as it makes to DynamoDB, and each of them is atomic.
 */
export class MemoryInsights {
  readonly rooms = new Map<string, RoomRecord>();
  readonly sessions = new Map<string, SessionRecord>();
  readonly participants = new Map<string, Map<string, ParticipantRecord>>();
  readonly #facts = new Map<string, Map<string, SessionFact>>();
  readonly #ofRooms = new Map<string, Map<string, RoomCreated | RoomRetraction>>();
  readonly #counted = new Map<string, Map<string, number>>();
  readonly #starts = new Map<string, Set<string>>();
  readonly #options: Options;

  constructor(options: Partial<Options> = {}) {
    this.#options = { limits, factsInGroup: 250, ...options };
  }

  /** The ports of one worker, which make their calls through `call`. */
  ports(call: Caller = callAtOnce): RecordSessionDependencies {
    const counted = (owner: string, visitors: readonly Visitor[]) =>
      call('get marks', () =>
        visitors.flatMap(({ kind, visitorId }) => {
          const sessions = this.#counted.get(owner)?.get(visitorOf({ kind, visitorId }));
          return sessions === undefined ? [] : [{ kind, visitorId, sessions }];
        }),
      );
    return {
      pause: async () => {},
      facts: {
        keep: (fact) => call('put fact', () => this.#keep(fact)),
        countRetractions: (key, retractions) =>
          call('count retractions', () => this.#countRetractions(key, retractions)),
        keepOfRoom: (event) => call('put fact of room', () => this.#keepOfRoom(event)),
      },
      insights: {
        readRoom: (key) => call('get room', () => this.rooms.get(roomOf(key))),
        readSession: async (key, participantIds) => {
          const session = await call('get session', () => this.sessions.get(sessionOf(key)));
          const [participants, own, ...counted] = await Promise.all([
            call('get participants', () => this.#participantsOf(key, participantIds)),
            call('query facts', () => this.#factsOf(key)),
            ...participantIds.map((id) => call('query facts', () => this.#countedOf(key, id))),
          ]);
          const isLarge = ({ events }: (typeof counted)[number]) =>
            participantIds.length > 1 && events.length > this.#options.factsInGroup;
          const read = counted.filter((each) => !isLarge(each));
          return {
            ...{ session, participants, facts: [...own, ...read.flatMap(({ events }) => events)].map(asRead) },
            large: participantIds.filter((_, index) => counted.filter(isLarge).includes(counted[index] as never)),
            exceeded: read.flatMap(({ exceeded }) => exceeded),
          };
        },
        readCounted: async (key, visitors) => {
          const owners = [sessionOf(key), roomOf(key)];
          const [session = [], itsRoom = []] = await Promise.all(owners.map((owner) => counted(owner, visitors)));
          return { session: session.map(({ sessions: _, ...visitor }) => visitor), room: itsRoom };
        },
        eventsOf: (key) => this.#eventsOf(key, call),
        readCreations: async (key) => {
          const retracted = await call('query retractions', () => this.#ofRoom(key, 'fact.retracted'));
          const creations = await call('query creations', () => this.#ofRoom(key, 'room.created'));
          const ids = retracted.flatMap(({ data }) => ('eventId' in data ? data.eventId : []));
          return creations.filter((event) => event.type === 'room.created').filter(({ id }) => !ids.includes(id));
        },
        isRetracted: ({ id, organizationId, data }) =>
          call('get retraction', () =>
            this.#ofRoom({ organizationId, roomName: data.roomName }, 'fact.retracted').some(
              (event) => event.type === 'fact.retracted' && event.data.eventId === id,
            ),
          ),
        readOtherStarts: async (key) => {
          const [first, last] = await Promise.all([
            call('query first start', () => this.#otherStarts(key)[0] ?? null),
            call('query last start', () => this.#otherStarts(key).at(-1) ?? null),
          ]);
          return { first, last };
        },
        listParticipantsToEnd: (key, endedAt) =>
          call('query participants', () =>
            [...(this.participants.get(sessionOf(key))?.values() ?? [])]
              .filter(({ sessionEnd }) => sessionEnd !== null && sessionEnd !== (endedAt ?? ''))
              .map(({ participantId }) => participantId),
          ),
        commit: (change) => call('commit', () => this.#commit(change)),
        commitRoom: (record) => call('commit room', () => this.#isCurrent(record) && this.#putRoom(record)),
      },
    };
  }

  /** The answers that the endpoints would give to an organization, without network samples. */
  insightsFor(organizationId: string, questions: Questions): Promise<Insights> {
    const own = <Row extends RoomKey>(rows: Iterable<Row>) =>
      [...rows].filter((row) => row.organizationId === organizationId);
    const sessions = own(this.sessions.values()).filter(({ startedAt }) => startedAt !== null);
    const listed = sessions
      .flatMap((session) => [...(this.participants.get(sessionOf(session))?.values() ?? [])])
      .flatMap((record) => record.listed ?? []);
    return insightsOf(questions, {
      rooms: async () => own(this.rooms.values()).filter(isRoomShown).map(toRoomInsight),
      sessions: async (roomName) =>
        sessions.filter((session) => session.roomName === roomName).map(toRoomSessionInsight),
      participants: async (id) => listed.filter(({ roomSessionId }) => roomSessionId === id.toLowerCase()),
      externalIds: async (id) => listed.filter(({ externalId }) => externalId === id),
      details: async (roomSessionId, participantId) =>
        participantDetails(this.#joinsOf(keyOf(organizationId, roomSessionId.toLowerCase(), participantId)), [], {}),
    });
  }

  #joinsOf(owner: string): ClientJoined[] {
    const [organizationId, roomSessionId] = JSON.parse(owner) as [string, string];
    const retracted = [...(this.#facts.get(keyOf(organizationId, roomSessionId))?.values() ?? [])]
      .filter((fact) => fact.type === 'fact.retracted')
      .map(({ data }) => keyOf(data.roomName ?? '', data.eventId));
    const all = [...(this.#facts.get(owner)?.values() ?? [])].toSorted(byKey) as ClientEvent[];
    return countedOf('', all, this.#options.limits)
      .events.filter((event) => event.type === 'room.client.joined')
      .filter(({ id, data }) => ![data.roomName, ''].some((room) => retracted.includes(keyOf(room, id))));
  }

  #keep(fact: SessionFact): SessionFact {
    const participantId = 'participantId' in fact.data ? [fact.data.participantId] : [];
    const owner = keyOf(fact.organizationId, fact.data.roomSessionId, ...participantId);
    const facts = this.#facts.get(owner) ?? new Map<string, SessionFact>();
    const stored = facts.get(factKey(fact)) ?? fact;
    this.#facts.set(owner, facts.set(factKey(fact), stored));
    return stored;
  }

  #keepOfRoom(event: RoomCreated | RoomRetraction): void {
    const owner = keyOf(event.organizationId, event.data.roomName);
    const events = this.#ofRooms.get(owner) ?? new Map<string, RoomCreated | RoomRetraction>();
    const key = 'eventId' in event.data ? keyOf('retracted', event.data.eventId) : keyOf(event.createdAt, event.id);
    if (!events.has(key)) events.set(key, event);
    this.#ofRooms.set(owner, events);
  }

  #ofRoom({ organizationId, roomName }: RoomKey, type: 'room.created' | 'fact.retracted') {
    return [...(this.#ofRooms.get(keyOf(organizationId, roomName))?.values() ?? [])].filter(
      (event) => event.type === type,
    );
  }

  /** The facts of a session or of one of its participants, without those of another room. */
  #factsOf({ organizationId, roomName, roomSessionId }: SessionsWithId, participantId?: string): SessionFact[] {
    const owner = keyOf(organizationId, roomSessionId, ...(participantId === undefined ? [] : [participantId]));
    return [...(this.#facts.get(owner)?.values() ?? [])].filter(isOf(roomName));
  }

  async *#eventsOf(key: SessionsWithId, call: Caller): AsyncGenerator<SessionEvent> {
    for (const type of ['room.session.ended', 'room.session.started'])
      yield* (await call('query facts', () =>
        this.#factsOf(key).filter((fact) => fact.type === type),
      )) as SessionEvent[];
    yield* (await call('query all facts', () => this.#factsOfClients(key))) as SessionEvent[];
  }

  /** The facts of a participant that count, in the order of their keys, without those of another room. */
  #countedOf({ organizationId, roomName, roomSessionId }: SessionKey, participantId: string) {
    const all = [...(this.#facts.get(keyOf(organizationId, roomSessionId, participantId))?.values() ?? [])];
    const counted = countedOf(participantId, all.toSorted(byKey) as ClientEvent[], this.#options.limits);
    return { ...counted, events: counted.events.filter(({ data }) => data.roomName === roomName) };
  }

  #countRetractions({ organizationId, roomSessionId }: SessionsWithId, these: readonly SessionFact[]) {
    const all = [...(this.#facts.get(keyOf(organizationId, roomSessionId))?.values() ?? [])];
    const stored = new Set(all.filter(({ type }) => type === 'fact.retracted').map(factKey));
    const missing = new Set(these.map(factKey).filter((key) => !stored.has(key)));
    return { stored: stored.size, missing: missing.size };
  }

  #factsOfClients({ organizationId, roomName, roomSessionId }: SessionsWithId): SessionFact[] {
    const owners = [...this.#facts.keys()].filter((owner) => {
      const [organization, session, participantId] = JSON.parse(owner) as string[];
      return organization === organizationId && session === roomSessionId && participantId !== undefined;
    });
    return owners.flatMap((owner) => [...(this.#facts.get(owner)?.values() ?? [])]).filter(isOf(roomName));
  }

  #participantsOf(key: SessionKey, participantIds: readonly string[]): ParticipantRecord[] {
    const records = this.participants.get(sessionOf(key));
    return participantIds.map((id) => records?.get(id)).filter((record) => record !== undefined);
  }

  #otherStarts(key: SessionKey): string[] {
    const starts = [...(this.#starts.get(roomOf(key)) ?? [])].map((start) => JSON.parse(start) as [string, string]);
    return starts
      .filter(([, id]) => id !== key.roomSessionId)
      .map(([startedAt]) => startedAt)
      .toSorted();
  }

  #isCurrent(record: RoomRecord | SessionRecord): boolean {
    const stored = 'roomSessionId' in record ? this.sessions.get(sessionOf(record)) : this.rooms.get(roomOf(record));
    return (stored?.version ?? 0) === record.version;
  }

  #putRoom(record: RoomRecord): true {
    this.rooms.set(roomOf(record), { ...record, version: record.version + 1 });
    return true;
  }

  #commit(change: SessionChange): 'committed' | 'session-changed' | 'room-changed' {
    const { session, room, participants, goneParticipants, sessionVisitors, goneVisitors, roomMarks, movedStart } =
      change;
    if (!this.#isCurrent(session)) return 'session-changed';
    if (room && !this.#isCurrent(room)) return 'room-changed';
    const marksOfRoom = this.#marks(roomOf(session));
    if (roomMarks.some(({ visitor, from }) => (marksOfRoom.get(visitorOf(visitor)) ?? 0) !== from))
      return 'room-changed';
    this.sessions.set(sessionOf(session), { ...session, version: session.version + 1 });
    if (room) this.#putRoom(room);
    const records = this.participants.get(sessionOf(session)) ?? new Map<string, ParticipantRecord>();
    for (const record of participants) records.set(record.participantId, record);
    this.participants.set(sessionOf(session), records);
    for (const participantId of goneParticipants) records.delete(participantId);
    const marks = this.#marks(sessionOf(session));
    for (const visitor of sessionVisitors) marks.set(visitorOf(visitor), 1);
    for (const visitor of goneVisitors) marks.delete(visitorOf(visitor));
    for (const { visitor, to } of roomMarks) {
      if (to === 0) marksOfRoom.delete(visitorOf(visitor));
      else marksOfRoom.set(visitorOf(visitor), to);
    }
    const starts = this.#starts.get(roomOf(session)) ?? new Set<string>();
    if (movedStart?.from) starts.delete(keyOf(movedStart.from, session.roomSessionId));
    if (movedStart?.to) starts.add(keyOf(movedStart.to, session.roomSessionId));
    this.#starts.set(roomOf(session), starts);
    return 'committed';
  }

  /** How many sessions have counted each visitor of a room; 1 for each visitor of a session. */
  #marks(owner: string): Map<string, number> {
    const marks = this.#counted.get(owner) ?? new Map<string, number>();
    this.#counted.set(owner, marks);
    return marks;
  }
}

/** A fact as the tables return it: without the browser, and of a retraction only what it takes back. */
function asRead(fact: SessionFact): RoomFact {
  if (fact.type === 'fact.retracted') return { type: fact.type, data: { eventId: fact.data.eventId } };
  return fact.type === 'room.client.joined' ? { ...fact, data: { ...fact.data, userAgent: undefined } } : fact;
}

/** True for the facts of the room, and for those of every room. */
function isOf(roomName: string | undefined) {
  return ({ data }: SessionFact) => roomName === undefined || (data.roomName ?? roomName) === roomName;
}

function factKey(fact: SessionFact): string {
  if (fact.type === 'fact.retracted') return `retracted\0${fact.data.eventId}\0${fact.data.roomName ?? ''}`;
  const kind = fact.type === 'room.client.joined' || fact.type === 'room.client.left' ? '' : fact.type;
  return `${kind}${fact.createdAt}\0${fact.id}`;
}

function byKey(one: SessionFact, other: SessionFact): number {
  return factKey(one) < factKey(other) ? -1 : 1;
}
