import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { inChunks } from '#shared/runtime/chunk.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { type AssertTimeLeft, noTimeLimit } from '#shared/runtime/time-left.ts';
import type { ListsOfParticipants } from '#shared/use-cases/insights/ports.ts';
import { batchGet } from '../common/batch-get.ts';
import type { Item } from '../common/sorted-query.ts';
import { participantItems } from './participant-items.ts';

const parallelWrites = 25;
/** How many items are read before those that are missing are written. */
const readTogether = 800;
const daySeconds = 24 * 60 * 60;

/**
 * What remains of a removed item. It stays for a day without participants: a slow worker with an earlier version could
 * otherwise store it again.
 */
export function emptyItem(key: Item, version: number, now: Date): Item {
  return { ...key, version, [attributeNames.expiresAt]: Math.floor(now.getTime() / 1000) + daySeconds };
}

/**
 * The items that differ between the lists before and after a version, as they are afterwards. Each is made when it is taken, because all
 * items of a large session would take gigabytes.
 */
export function* changedItems(
  session: SessionId,
  { before, after, version }: ListsOfParticipants,
  now: Date,
): Generator<Item> {
  const [old, current] = [participantItems(session, before), participantItems(session, after)];
  for (const [name, { participants, toItem }] of current)
    if (!isSame(participants, old.get(name)?.participants)) yield { ...toItem(), version };
  for (const [name, { key }] of old) if (!current.has(name)) yield emptyItem(key, version, now);
}

/** Records that do not change are the same objects in both views. */
function isSame(one: readonly object[], other: readonly object[] | undefined): boolean {
  return one.length === other?.length && one.every((record, index) => record === other[index]);
}

/** The put of an item that has a version. It requires that no newer one is stored. */
export function putOfItem(TableName: string, Item: Item) {
  return {
    ...{ TableName, Item },
    ConditionExpression: 'attribute_not_exists(version) OR version <= :version',
    ExpressionAttributeValues: { ':version': Item.version },
  };
}

/** Writes the lists of participants. A newer item stays as it is, so that workers can overtake each other. */
export function participantWrites(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
  now: () => Date = () => new Date(),
) {
  const put = async (item: Item) => {
    try {
      await documents.send(new PutCommand(putOfItem(tableName, item)));
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  };
  /** Stops between two calls if too little time is left. The next worker completes the lists. */
  const putAll = async (items: Iterable<Item>, assertTimeLeft: AssertTimeLeft) => {
    let isFirst = true;
    for await (const some of inChunks(items, parallelWrites)) {
      if (!isFirst) assertTimeLeft();
      isFirst = false;
      await Promise.all(some.map(put));
    }
  };
  /** The items of which the table does not have this content. */
  const missingOf = async (items: readonly Item[]): Promise<Item[]> => {
    const stored = await batchGet(documents, { tableName, keys: items.map(keyOf), consistent: true });
    const byKey = new Map(stored.map((item) => [String(item[attributeNames.listKey]), item]));
    return items.filter((item) => !isStored(item, byKey.get(String(item[attributeNames.listKey]))));
  };

  return {
    writeParticipants: (session: SessionId, lists: ListsOfParticipants, assertTimeLeft: AssertTimeLeft = noTimeLimit) =>
      putAll(changedItems(session, lists, now()), assertTimeLeft),

    async completeParticipants(
      session: SessionId,
      lists: ListsOfParticipants,
      assertTimeLeft: AssertTimeLeft = noTimeLimit,
    ) {
      for await (const items of inChunks(changedItems(session, lists, now()), readTogether)) {
        await putAll(await missingOf(items), assertTimeLeft);
      }
    },
  };
}

function keyOf(item: Item): Item {
  return {
    [attributeNames.organizationSession]: item[attributeNames.organizationSession],
    [attributeNames.listKey]: item[attributeNames.listKey],
  };
}

/** True if the stored item has the same participants. Versions and expiries may differ. */
function isStored(item: Item, stored: Item = {}): boolean {
  const contentOf = ({ participants, listed }: Item) => ({
    participants: participants && Buffer.from(participants as Uint8Array),
    listed,
  });
  return isDeepStrictEqual(contentOf(item), contentOf(stored));
}
