import { type DynamoDBDocumentClient, GetCommand, paginateQuery, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { RoomKey, RoomRecord } from '../domain/insight-records.ts';
import type { ParticipantRecord, SessionKey } from '../domain/participant-record.ts';
import type { InsightStore } from '../domain/record-session-events.ts';
import type { SessionChange } from '../domain/session-change.ts';
import { batchGet } from './batch-get.ts';
import { lostRace } from './conditional.ts';
import type { InsightFacts } from './insight-facts.ts';
import {
  organizationSession,
  participantKey,
  roomKey,
  roomVisitorKey,
  sessionKey,
  sessionStartKey,
  sessionStarts,
  sessionVisitorKey,
} from './insight-keys.ts';
import {
  toParticipantRecord,
  toParticipantRow,
  toRoomRecord,
  toRoomRow,
  toSessionRecord,
  toSessionRow,
} from './insight-rows.ts';
import { organizationRoom } from './keys.ts';

type Tables = {
  readonly rooms: string;
  readonly roomSessions: string;
  readonly participants: string;
  readonly insightFacts: string;
};

type Write = NonNullable<TransactWriteCommand['input']['TransactItems']>[number];

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

  /** Under the version that was read; a first write is under none. */
  const putUnderVersion = (TableName: string, { version }: { readonly version: number }, Item: object): Write => ({
    Put: {
      TableName,
      Item: { ...Item, version: version + 1 },
      ConditionExpression: version === 0 ? 'attribute_not_exists(version)' : 'version = :version',
      ...(version > 0 && { ExpressionAttributeValues: { ':version': version } }),
    },
  });

  /** Undefined where all of it was written, or else the place of the first write that lost to another writer. */
  const transact = async (TransactItems: Write[]): Promise<number | undefined> => {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems }));
      return undefined;
    } catch (error) {
      if (lostRace(error)) return error.CancellationReasons?.findIndex(({ Code = 'None' }) => Code !== 'None');
      throw error;
    }
  };

  const firstStarts = async (session: SessionKey, ScanIndexForward: boolean): Promise<string | null> => {
    const { organizationId, roomName, roomSessionId } = session;
    const pages = paginateQuery(
      { client: documents, pageSize: 2 }, // one more than needed: one of them may be the session's own
      {
        TableName: tables.insightFacts,
        KeyConditionExpression: 'factOwner = :room AND factKey BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':room': organizationRoom(organizationId, roomName),
          ':first': sessionStarts[0],
          ':last': sessionStarts[1],
        },
        ScanIndexForward,
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) {
      const other = Items.find((item) => item.roomSessionId !== roomSessionId);
      if (other || Items.length < 2) return other ? String(other.startedAt) : null;
    }
    return null;
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
      const [first, last] = await Promise.all([firstStarts(key, true), firstStarts(key, false)]);
      return { first, last };
    },

    async listEndingWithSession(key) {
      const pages = paginateQuery(
        { client: documents },
        {
          TableName: tables.participants,
          KeyConditionExpression: 'organizationSession = :session',
          ExpressionAttributeValues: { ':session': organizationSession(key) },
          ConsistentRead: true,
        },
      );
      const affected: ParticipantRecord[] = [];
      for await (const { Items = [] } of pages) {
        const ofThisRoom = Items.filter(
          (item) => item.participantKey === participantKey(key, String(item.participantId)).participantKey,
        );
        affected.push(...ofThisRoom.map(toParticipantRecord));
      }
      return affected.filter(({ endsWithSession }) => endsWithSession);
    },

    async commit(change) {
      const lost = await transact(writesOf(change, tables, putUnderVersion));
      if (lost === undefined) return 'committed';
      return lost === 0 ? 'session-changed' : 'room-changed';
    },

    async commitRoom(room) {
      return (await transact([putUnderVersion(tables.rooms, room, toRoomRow(room))])) === undefined;
    },
  };
}

/** The session's own write is the first. */
function writesOf(
  { session, room, participants, sessionVisitors, roomVisitors, movedStart }: SessionChange,
  tables: Tables,
  putUnderVersion: (tableName: string, record: { readonly version: number }, item: object) => Write,
): Write[] {
  const put = (TableName: string, Item: Record<string, unknown>): Write => ({ Put: { TableName, Item } });
  const { from = null, to } = movedStart ?? {};
  return [
    putUnderVersion(tables.roomSessions, session, toSessionRow(session)),
    ...(room ? [putUnderVersion(tables.rooms, room, toRoomRow(room))] : []),
    ...participants.map((record) => put(tables.participants, toParticipantRow(session, record))),
    ...sessionVisitors.map((visitor) => put(tables.insightFacts, sessionVisitorKey(session, visitor))),
    ...roomVisitors.map((visitor) => put(tables.insightFacts, roomVisitorKey(session, visitor))),
    ...(from === null ? [] : [{ Delete: { TableName: tables.insightFacts, Key: sessionStartKey(session, from) } }]),
    ...(to === undefined
      ? []
      : [
          put(tables.insightFacts, {
            ...sessionStartKey(session, to),
            startedAt: to,
            roomSessionId: session.roomSessionId,
          }),
        ]),
  ];
}
