import {
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import type { RoomKey, RoomRecord } from '../domain/insight-records.ts';
import type { ParticipantRecord, SessionKey } from '../domain/participant-record.ts';
import type { InsightStore } from '../domain/record-session-events.ts';
import { batchGet } from './batch-get.ts';
import { lostRace } from './conditional.ts';
import type { InsightFacts } from './insight-facts.ts';
import {
  organizationSession,
  participantKey,
  roomKey,
  roomVisitorKey,
  sessionKey,
  sessionStarts,
  sessionVisitorKey,
} from './insight-keys.ts';
import { toParticipantRecord, toRoomRecord, toSessionRecord } from './insight-rows.ts';
import { organizationRoom } from './keys.ts';
import { type Tables, type Write, writeOfRoom, writesOf } from './session-writes.ts';

/** What is stored of sessions, their participants and their rooms, and the transactions that change all of it together. */
export function sessionInsights(
  documents: DynamoDBDocumentClient,
  tables: Tables,
  facts: Pick<InsightFacts, 'eventsOf'>,
): InsightStore {
  const get = async (TableName: string, Key: Record<string, unknown>) => {
    const { Item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    return Item;
  };

  const readRoom = async (key: RoomKey): Promise<RoomRecord | undefined> => {
    const item = await get(tables.rooms, roomKey(key));
    return item && toRoomRecord(item);
  };

  /** All of it or, where another writer was before the first write or before another one, nothing. */
  const transact = async (TransactItems: Write[]): Promise<'written' | 'first-lost' | 'other-lost'> => {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems }));
      return 'written';
    } catch (error) {
      if (!lostRace(error)) throw error;
      const [{ Code = 'None' } = {}] = error.CancellationReasons ?? [];
      return Code === 'None' ? 'other-lost' : 'first-lost';
    }
  };

  /** Of the room's sessions but this one. */
  const readOtherStart = async (key: SessionKey, which: 'first' | 'last'): Promise<string | null> => {
    const { Items = [] } = await documents.send(
      new QueryCommand({
        TableName: tables.insightFacts,
        KeyConditionExpression: 'factOwner = :room AND factKey BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':room': organizationRoom(key.organizationId, key.roomName),
          ':first': sessionStarts[0],
          ':last': sessionStarts[1],
        },
        ScanIndexForward: which === 'first',
        Limit: 2, // one of them may be the session's own
        ConsistentRead: true,
      }),
    );
    const other = Items.find(({ roomSessionId }) => roomSessionId !== key.roomSessionId);
    return other ? String(other.startedAt) : null;
  };

  return {
    readRoom,

    async readSession(key, participantIds) {
      const session = await get(tables.roomSessions, sessionKey(key));
      const [rows, events] = await Promise.all([
        batchGet(documents, {
          tableName: tables.participants,
          keys: participantIds.map((participantId) => participantKey(key, participantId)),
          consistent: true,
        }),
        facts.eventsOf(key, participantIds),
      ]);
      return {
        session: session && toSessionRecord(session),
        participants: rows.map(toParticipantRecord),
        facts: events.filter(({ data }) => data.roomName === key.roomName),
      };
    },

    async readCounted(key, visitors) {
      const ofSession = visitors.map((visitor) => ({ visitor, mark: sessionVisitorKey(key, visitor) }));
      const ofRoom = visitors.map((visitor) => ({ visitor, mark: roomVisitorKey(key, visitor) }));
      const keys = [...ofSession, ...ofRoom].map(({ mark }) => mark);
      const items = await batchGet(documents, { tableName: tables.insightFacts, keys, consistent: true });
      const found = new Set(items.map(({ factOwner, factKey }) => JSON.stringify([factOwner, factKey])));
      const counted = (marks: typeof ofSession) =>
        marks
          .filter(({ mark: { factOwner, factKey } }) => found.has(JSON.stringify([factOwner, factKey])))
          .map(({ visitor }) => visitor);
      return { session: counted(ofSession), room: counted(ofRoom) };
    },

    async readOtherStarts(key) {
      const [first, last] = await Promise.all([readOtherStart(key, 'first'), readOtherStart(key, 'last')]);
      return { first, last };
    },

    async listNotEndedBy(key, endedAt) {
      const pages = paginateQuery(
        { client: documents },
        {
          TableName: tables.participants,
          KeyConditionExpression: 'organizationSession = :session',
          ExpressionAttributeValues: { ':session': organizationSession(key) },
          ConsistentRead: true,
        },
      );
      const found: ParticipantRecord[] = [];
      for await (const { Items = [] } of pages) {
        const ofThisRoom = Items.filter(
          (item) => item.participantKey === participantKey(key, String(item.participantId)).participantKey,
        );
        found.push(...ofThisRoom.map(toParticipantRecord));
      }
      return found.filter(({ sessionEnd }) => sessionEnd !== null && sessionEnd < endedAt);
    },

    async commit(change) {
      const outcome = await transact(writesOf(change, tables));
      if (outcome === 'written') return 'committed';
      return outcome === 'first-lost' ? 'session-changed' : 'room-changed';
    },

    async commitRoom(room) {
      return (await transact([writeOfRoom(room, tables)])) === 'written';
    },
  };
}
