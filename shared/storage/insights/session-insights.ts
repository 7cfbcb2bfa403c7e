import {
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { maxItemsPerTransaction } from '../../domain/change-size.ts';
import type { RoomKey, RoomRecord } from '../../domain/insight-records.ts';
import type { SessionKey, Visitor } from '../../domain/participant-record.ts';
import type { MarkedVisitors } from '../../domain/session-change.ts';
import type { InsightStore } from '../../use-cases/ports.ts';
import { batchGet } from '../batch-get.ts';
import { organizationRoom } from '../keys.ts';
import { isLostRace } from '../lost-race.ts';
import type { InsightFacts } from './facts.ts';
import {
  organizationSession,
  participantKey,
  roomKey,
  roomVisitorKey,
  sessionKey,
  sessionStarts,
  sessionVisitorKey,
} from './keys.ts';
import { toParticipantRecord, toRoomRecord, toSessionRecord } from './rows.ts';
import { type Tables, type Write, writeOfRoom, writesOf } from './session-writes.ts';

/** Implements `InsightStore` with DynamoDB: one transaction changes the rows of a session, its participants and its room. */
export function sessionInsights(
  documents: DynamoDBDocumentClient,
  tables: Tables,
  facts: Pick<InsightFacts, 'factsOf' | 'allEventsOf' | 'creationsOf' | 'isRetracted'>,
): InsightStore {
  const get = async (TableName: string, Key: Record<string, unknown>) => {
    const { Item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    return Item;
  };

  const readRoom = async (key: RoomKey): Promise<RoomRecord | undefined> => {
    const item = await get(tables.rooms, roomKey(key));
    return item && toRoomRecord(item);
  };

  /** Writes all items or none. If another writer was faster, tells whether the first item caused the failure. */
  const transact = async (TransactItems: Write[]): Promise<'written' | 'first-item-lost' | 'other-item-lost'> => {
    if (TransactItems.length > maxItemsPerTransaction)
      throw new Error(
        `A change has ${TransactItems.length} items, but at most ${maxItemsPerTransaction} are possible.`,
      );
    try {
      await documents.send(new TransactWriteCommand({ TransactItems }));
      return 'written';
    } catch (error) {
      if (!isLostRace(error)) throw error;
      const [{ Code = 'None' } = {}] = error.CancellationReasons ?? [];
      return Code === 'None' ? 'other-item-lost' : 'first-item-lost';
    }
  };

  return {
    readRoom,

    async readSession(key, participantIds) {
      const session = await get(tables.roomSessions, sessionKey(key));
      const [rows, read] = await Promise.all([
        batchGet(documents, {
          tableName: tables.participants,
          keys: participantIds.map((participantId) => participantKey(key, participantId)),
          consistent: true,
        }),
        facts.factsOf(key, participantIds),
      ]);
      return {
        session: session && toSessionRecord(session),
        participants: rows.map(toParticipantRecord),
        ...read,
      };
    },

    readCounted: (key, visitors) => readCounted(documents, tables, key, visitors),

    async readOtherStarts(key) {
      const [first, last] = await Promise.all([
        readOtherStart(documents, tables, key, 'first'),
        readOtherStart(documents, tables, key, 'last'),
      ]);
      return { first, last };
    },

    async *eventsOf({ roomName, ...session }) {
      for await (const event of facts.allEventsOf(session))
        if (roomName === undefined || event.data.roomName === roomName) yield event;
    },

    readCreations: facts.creationsOf,
    isRetracted: facts.isRetracted,

    async listParticipantsToEnd(key, endedAt) {
      const pages = paginateQuery(
        { client: documents },
        {
          TableName: tables.participants,
          KeyConditionExpression: 'organizationSession = :session',
          ExpressionAttributeValues: { ':session': organizationSession(key) },
          ConsistentRead: true,
        },
      );
      const found: string[] = [];
      for await (const { Items = [] } of pages) {
        // The partition key does not contain the room, and sessions of two rooms can have the same id.
        const ofThisRoom = Items.filter(
          (item) => item.participantKey === participantKey(key, String(item.participantId)).participantKey,
        );
        const toEnd = ofThisRoom
          .map(toParticipantRecord)
          .filter(({ sessionEnd }) => sessionEnd !== null && sessionEnd !== (endedAt ?? ''));
        found.push(...toEnd.map(({ participantId }) => participantId));
      }
      return found;
    },

    async commit(change) {
      const outcome = await transact(writesOf(change, tables));
      if (outcome === 'written') return 'committed';
      return outcome === 'first-item-lost' ? 'session-changed' : 'room-changed';
    },

    async commitRoom(room) {
      return (await transact([writeOfRoom(room, tables)])) === 'written';
    },
  };
}

/** Reads which of the visitors the session and the room have marked as counted. */
async function readCounted(
  documents: DynamoDBDocumentClient,
  { insightFacts: tableName }: Tables,
  key: SessionKey,
  visitors: readonly Visitor[],
): Promise<MarkedVisitors> {
  const marks = {
    session: visitors.map((visitor) => ({ visitor, mark: sessionVisitorKey(key, visitor) })),
    room: visitors.map((visitor) => ({ visitor, mark: roomVisitorKey(key, visitor) })),
  };
  const keys = [...marks.session, ...marks.room].map(({ mark }) => mark);
  const items = await batchGet(documents, { tableName, keys, consistent: true });
  const idOf = ({ factOwner, factKey }: Readonly<Record<string, unknown>>) => JSON.stringify([factOwner, factKey]);
  const found = new Map(items.map((item) => [idOf(item), item]));
  const counted = (of: typeof marks.session) =>
    of.flatMap(({ visitor, mark }) => {
      const item = found.get(idOf(mark));
      const { kind, visitorId } = visitor;
      return item ? [{ item, visitor: { kind, visitorId } }] : [];
    });
  return {
    session: counted(marks.session).map(({ visitor }) => visitor),
    room: counted(marks.room).map(({ item, visitor }) => ({
      ...visitor,
      sessions: item.sessions === undefined ? null : Number(item.sessions),
    })),
  };
}

/** Reads the first or last start among the room's other sessions. */
async function readOtherStart(
  documents: DynamoDBDocumentClient,
  { insightFacts: TableName }: Tables,
  { organizationId, roomName, roomSessionId }: SessionKey,
  which: 'first' | 'last',
): Promise<string | null> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'factOwner = :room AND factKey BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':room': organizationRoom(organizationId, roomName),
        ':first': sessionStarts[0],
        ':last': sessionStarts[1],
      },
      ScanIndexForward: which === 'first',
      Limit: 2, // one of them may be this session's own
      ConsistentRead: true,
    }),
  );
  const other = Items.find((item) => item.roomSessionId !== roomSessionId);
  return other ? String(other.startedAt) : null;
}
