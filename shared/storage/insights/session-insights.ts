import { type DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { maxItemsPerTransaction } from '#shared/domain/insights/change-size.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import type { InsightStore } from '#shared/use-cases/insights/ports.ts';
import { batchGet } from '../common/batch-get.ts';
import { organizationRoom } from '../common/keys.ts';
import { isLostRace } from '../common/lost-race.ts';
import type { InsightFacts } from './facts.ts';
import { roomKey, sessionKey, sessionStarts } from './keys.ts';
import { participantWrites } from './participant-writes.ts';
import { toRoomRecord, toSessionRecord } from './rows.ts';
import { type Tables, type Write, writeOfRoom, writesOf } from './session-writes.ts';

/** Implements `InsightStore` with DynamoDB: one transaction changes the rows of the sessions with one id and of their rooms. */
export function sessionInsights(
  documents: DynamoDBDocumentClient,
  tables: Tables,
  facts: Pick<InsightFacts, 'creationsOf' | 'isRetracted' | 'segmentsOf'>,
): InsightStore {
  const transact = async (TransactItems: Write[]): Promise<boolean> => {
    if (TransactItems.length > maxItemsPerTransaction)
      throw new Error(
        `A change has ${TransactItems.length} items, but at most ${maxItemsPerTransaction} are possible.`,
      );
    try {
      await documents.send(new TransactWriteCommand({ TransactItems }));
      return true;
    } catch (error) {
      if (!isLostRace(error)) throw error;
      return false;
    }
  };

  return {
    ...participantWrites(documents, tables.participants),

    async readRoom(key) {
      const { Item } = await documents.send(
        new GetCommand({ TableName: tables.rooms, Key: roomKey(key), ConsistentRead: true }),
      );
      return Item && toRoomRecord(Item);
    },

    async readSessions(session, roomNames) {
      const keys = roomNames.map((roomName) => sessionKey({ ...session, roomName }));
      const items = await batchGet(documents, { tableName: tables.roomSessions, keys, consistent: true });
      return items.map(toSessionRecord);
    },

    async readVisitors(room, shards) {
      const found = await Promise.all(shards.map((shard) => facts.segmentsOf(room, shard)));
      return found.flat();
    },

    async readOtherStarts(key) {
      const [first, last] = await Promise.all([
        readOtherStart(documents, tables, key, 'first'),
        readOtherStart(documents, tables, key, 'last'),
      ]);
      return { first, last };
    },

    readCreations: facts.creationsOf,
    isRetracted: facts.isRetracted,
    commit: (change) => transact(writesOf(change, tables)),
    commitRoom: (room) => transact([writeOfRoom(room, tables)]),
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
