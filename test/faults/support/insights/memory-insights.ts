import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { RoomSessionInsight, SessionParticipant } from '#shared/contracts/insights/insights.ts';
import { usualSampleRateMs } from '#shared/contracts/insights/network-samples.ts';
import type { RoomCreated, RoomRetraction } from '#shared/contracts/insights/session-events.ts';
import { maxItemsPerTransaction } from '#shared/domain/insights/change-size.ts';
import {
  isRoomShown,
  type RoomKey,
  type RoomRecord,
  type SessionRecord,
  toRoomInsight,
  toRoomSessionInsight,
} from '#shared/domain/insights/insight-records.ts';
import { participantDetails } from '#shared/domain/insights/network-series.ts';
import type { SessionId, SessionKey } from '#shared/domain/insights/participant-record.ts';
import type { VisitorSegment } from '#shared/domain/insights/room-visitors.ts';
import { itemsOf, type SessionChange } from '#shared/domain/insights/session/session-change.ts';
import { bytesOf, type SessionBlock, sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { connectionsThatCount } from '#shared/domain/insights/session/session-stays.ts';
import type { StoredFact } from '#shared/domain/insights/talk-facts.ts';
import type { UsageChange } from '#shared/domain/insights/usage-day.ts';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import type { Told } from '#shared/domain/notices/told.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { organizationSession, participantPages } from '#shared/storage/insights/keys.ts';
import { participantOfItem, participantsOfPage } from '#shared/storage/insights/participant-items.ts';
import { participantWrites } from '#shared/storage/insights/participant-writes.ts';
import type { FactStore, InsightStore, SessionStore, SettlingStore } from '#shared/use-cases/insights/ports.ts';
import type { RecordSessionDependencies } from '#shared/use-cases/insights/session-update.ts';
import type { StoredSession } from '../log-invariants.ts';
import { type Insights, insightsOf, type Questions } from './insight-model.ts';

/** Makes one call to the store, now or later. It can also drop the call or its answer. */
export type Caller = <Answer>(name: string, make: () => Answer) => Promise<Answer>;

/** Makes every call immediately. */
export const callAtOnce: Caller = async (_, make) => make();

/** An item of the lists of participants. */
export type ListItem = Readonly<Record<string, unknown>>;

const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);
const roomOf = ({ organizationId, roomName }: RoomKey) => keyOf(organizationId, roomName);
const sessionOf = ({ organizationId, roomName, roomSessionId }: SessionKey) =>
  keyOf(organizationId, roomName, roomSessionId);

const nameOfSegment = ({ shard, number }: VisitorSegment) => `${shard} ${number}`;

/** Returns the map with this name, and stores an empty one if there is none. */
function mapOf<Value>(maps: Map<string, Map<string, Value>>, name: string): Map<string, Value> {
  const map = maps.get(name) ?? new Map<string, Value>();
  maps.set(name, map);
  return map;
}

/**
 * Rooms, sessions, their logs and the lists of participants in memory, with the same conditions as the tables. A port's call makes
 * as many calls here as it makes to DynamoDB, or more where DynamoDB's call is not atomic. Each of them is atomic.
 */
export class MemoryInsights {
  readonly rooms = new Map<string, RoomRecord>();
  readonly sessions = new Map<string, SessionRecord>();
  /** The blocks of each session id. */
  readonly logs = new Map<string, SessionBlock[]>();
  /** All notices, in the order in which they were stored. */
  readonly notices: OrganizationNotice[] = [];
  /** What is counted, by organization, day and room. */
  readonly usage = new Map<string, Readonly<Record<string, number>>>();
  /** The items that list the participants of each session id, by their keys. */
  readonly lists = new Map<string, Map<string, ListItem>>();
  readonly #ofRooms = new Map<string, Map<string, RoomCreated | RoomRetraction>>();
  readonly #visitors = new Map<string, Map<string, VisitorSegment>>();
  readonly #starts = new Map<string, Map<string, string>>();

  /** The ports of one worker, which make their calls through `call`. It does not pause. */
  ports(call: Caller = callAtOnce): RecordSessionDependencies {
    const [facts, insights] = [this.#facts(call), this.#insights(call)];
    return { pause: async () => {}, facts, insights, sessionSettleSeconds: 60 };
  }

  /** The sessions whose ends are to be told, as settle-sessions sees them. */
  settling(): { readonly settling: SettlingStore; readonly sessions: SessionStore } {
    const sessions = this.sessions;
    const settle: SettlingStore['settle'] = async (session, { told, notice, usage }) => {
      if (!this.#isCurrent(session) || !this.#isToldAsRead(session, session.told)) return false;
      const { settling: _, ...row } = session;
      sessions.set(sessionOf(session), { ...row, told });
      if (notice) this.notices.push(notice);
      for (const change of usage) this.#count(change);
      return true;
    };
    async function* listDue(now: Date) {
      for (const session of [...sessions.values()])
        if (session.settling && session.settling.at <= now.toISOString()) yield session;
    }
    return { settling: { listDue, settle }, sessions: { find: async (key) => sessions.get(sessionOf(key)) } };
  }

  #facts(call: Caller): FactStore {
    return {
      readBlocks: (session, after) => call('query blocks', () => this.blocksOf(session).slice(after)),
      append: (session, number, facts) => call('put block', () => this.#append(session, number, facts)),
      keepOfRoom: (event) => call('put fact of room', () => this.#keepOfRoom(event)),
    };
  }

  #insights(call: Caller): InsightStore {
    return {
      ...participantWrites(this.#documents(call), 'participants'),
      readRoom: (key) => call('get room', () => this.rooms.get(roomOf(key))),
      readSessions: async (session, roomNames) => {
        const keys = roomNames.map((roomName) => sessionOf({ ...session, roomName }));
        const found = await Promise.all(keys.map((key) => call('get session', () => this.sessions.get(key))));
        return found.filter((each) => each !== undefined);
      },
      readVisitors: async (key, shards) => {
        const found = shards.map((wanted) =>
          call('query visitors', () =>
            [...mapOf(this.#visitors, roomOf(key)).values()].filter(({ shard }) => shard === wanted),
          ),
        );
        return (await Promise.all(found)).flat();
      },
      readOtherStarts: async (key) => {
        const [first, last] = await Promise.all([
          call('query first start', () => this.#otherStarts(key)[0] ?? null),
          call('query last start', () => this.#otherStarts(key).at(-1) ?? null),
        ]);
        return { first, last };
      },
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
      commit: (change) => call('commit', () => this.#commit(change)),
      commitRoom: (record) => call('commit room', () => this.#isCurrent(record) && this.#putRoom(record)),
    };
  }

  /** The answers that the endpoints would give to an organization, without network samples. */
  insightsFor(organizationId: string, questions: Questions): Promise<Insights> {
    const own = <Row extends RoomKey>(rows: Iterable<Row>) =>
      [...rows].filter((row) => row.organizationId === organizationId);
    const sessions = own(this.sessions.values()).filter(({ startedAt }) => startedAt !== null);
    const idOf = (roomSessionId: string) =>
      ({ organizationId, roomSessionId: roomSessionId.toLowerCase() }) as SessionId;
    return insightsOf(questions, {
      rooms: async () => own(this.rooms.values()).filter(isRoomShown).map(toRoomInsight),
      sessions: async (roomName) =>
        sessions.filter((session) => session.roomName === roomName).map((session) => this.sessionInsight(session)),
      participants: async (id) => this.participantsOf(idOf(id)),
      externalIds: async (externalId) =>
        [...this.lists]
          .filter(([owner]) =>
            owner.startsWith(organizationSession({ organizationId, roomSessionId: '' } as SessionId)),
          )
          .flatMap(([, items]) => [...items.values()].map(participantOfItem))
          .filter((listed) => listed !== undefined)
          .filter((listed) => listed.externalId === externalId),
      details: async (id, participantId) => {
        const log = sessionLog();
        for (const block of this.blocksOf(idOf(id))) log.append(block);
        return participantDetails(connectionsThatCount({ participantId }, log), [], {}, usualSampleRateMs);
      },
      networks: async () => [],
    });
  }

  /** A session as the API shows it. */
  sessionInsight(session: SessionRecord): RoomSessionInsight {
    const room = this.rooms.get(roomOf(session));
    if (!room) throw new Error('A session is stored together with its room.');
    return toRoomSessionInsight(session, room);
  }

  /** The participants of a session id, in the order of a list, as its pages contain them. */
  participantsOf(session: SessionId, field: 'joinedAt' | 'leftAt' = 'joinedAt'): SessionParticipant[] {
    const [first, last] = participantPages(field);
    return [...mapOf(this.lists, organizationSession(session))]
      .filter(([key]) => key >= first && key <= last)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, item]) => participantsOfPage(item).map(({ listed }) => listed));
  }

  /** Everything that is stored, by session ids. */
  storedSessions(): StoredSession[] {
    return [...this.logs].map(([owner, blocks]) => {
      const [organizationId = '', roomSessionId = ''] = owner.split('#');
      const session = { organizationId, roomSessionId } as SessionId;
      const rows = [...this.sessions.values()].filter((row) => organizationSession(row) === owner);
      return { session, blocks, rows, items: [...mapOf(this.lists, owner).values()] };
    });
  }

  /** The blocks of a session's log. */
  blocksOf(session: SessionId): SessionBlock[] {
    return this.logs.get(organizationSession(session)) ?? [];
  }

  #append(session: SessionId, number: number, facts: readonly StoredFact[]): SessionBlock | undefined {
    const blocks = this.blocksOf(session);
    if (number !== blocks.length + 1) return undefined;
    const block = { number, facts, bytes: bytesOf(facts) };
    this.logs.set(organizationSession(session), [...blocks, block]);
    return block;
  }

  #keepOfRoom(event: RoomCreated | RoomRetraction): void {
    const key = 'eventId' in event.data ? keyOf('retracted', event.data.eventId) : keyOf(event.createdAt, event.id);
    const events = mapOf(this.#ofRooms, keyOf(event.organizationId, event.data.roomName));
    if (!events.has(key)) events.set(key, event);
  }

  #ofRoom(key: RoomKey, type: 'room.created' | 'fact.retracted') {
    return [...mapOf(this.#ofRooms, roomOf(key)).values()].filter((event) => event.type === type);
  }

  #otherStarts(key: SessionKey): string[] {
    const starts = [...mapOf(this.#starts, roomOf(key))].filter(([id]) => id !== key.roomSessionId);
    return starts.map(([, startedAt]) => startedAt).toSorted();
  }

  #count({ organizationId, roomName, day, add }: UsageChange): void {
    const key = keyOf(organizationId, day, roomName);
    const counts = { ...this.usage.get(key) };
    for (const [name, count] of Object.entries(add)) counts[name] = (counts[name] ?? 0) + count;
    this.usage.set(key, counts);
  }

  #isToldAsRead(session: SessionRecord, told: Told | undefined): boolean {
    return isDeepStrictEqual(this.sessions.get(sessionOf(session))?.told, told);
  }

  #isCurrent(record: RoomRecord | SessionRecord): boolean {
    const stored = 'roomSessionId' in record ? this.sessions.get(sessionOf(record)) : this.rooms.get(roomOf(record));
    return (stored?.version ?? 0) === record.version;
  }

  #putRoom(record: RoomRecord): true {
    this.rooms.set(roomOf(record), { ...record, version: record.version + 1 });
    return true;
  }

  #commit({ to, rooms }: SessionChange): boolean {
    if (itemsOf({ rooms }) > maxItemsPerTransaction) throw new Error('The transaction has too many items.');
    for (const { session, room, segments, toldBefore } of rooms) {
      const visitors = mapOf(this.#visitors, roomOf(session));
      if (!this.#isCurrent(session) || !this.#isToldAsRead(session, toldBefore)) return false;
      if (room && !this.#isCurrent(room)) return false;
      if (segments.some((segment) => (visitors.get(nameOfSegment(segment))?.version ?? 0) !== segment.version))
        return false;
    }
    for (const { session, room, segments, movedStart, notice } of rooms) {
      this.sessions.set(sessionOf(session), { ...session, version: to });
      if (room) this.#putRoom(room);
      if (notice) this.notices.push(notice);
      const visitors = mapOf(this.#visitors, roomOf(session));
      for (const segment of segments)
        visitors.set(nameOfSegment(segment), { ...segment, version: segment.version + 1 });
      const starts = mapOf(this.#starts, roomOf(session));
      if (movedStart) starts.delete(session.roomSessionId);
      if (movedStart?.to) starts.set(session.roomSessionId, movedStart.to);
    }
    return true;
  }

  /** The table of participants, for the two commands by which the lists are written. */
  #documents(call: Caller): Pick<DynamoDBDocumentClient, 'send'> {
    const itemsOfSession = (item: ListItem) => mapOf(this.lists, String(item[attributeNames.organizationSession]));
    const nameOfItem = (item: ListItem) => String(item[attributeNames.listKey]);
    const put = ({ Item = {}, ConditionExpression }: PutCommand['input']) => {
      const stored = itemsOfSession(Item).get(nameOfItem(Item));
      if (ConditionExpression && Number(stored?.version ?? 0) > Number(Item.version)) return false;
      itemsOfSession(Item).set(nameOfItem(Item), Item);
      return true;
    };
    const send = async (command: unknown) => {
      if (command instanceof PutCommand) {
        if (await call('put list item', () => put(command.input))) return {};
        throw new ConditionalCheckFailedException({ message: 'The stored item is newer.', $metadata: {} });
      }
      if (!(command instanceof BatchGetCommand)) throw new Error('Nothing else is sent.');
      const keys = command.input.RequestItems?.participants?.Keys ?? [];
      const items = await call('get list items', () =>
        keys.flatMap((key) => itemsOfSession(key).get(nameOfItem(key)) ?? []),
      );
      return { Responses: { participants: items } };
    };
    return { send: send as DynamoDBDocumentClient['send'] };
  }
}
