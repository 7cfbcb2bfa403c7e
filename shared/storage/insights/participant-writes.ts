import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { chunk } from '../../chunk.ts';
import type { SessionId } from '../../domain/participant-record.ts';
import { attributeNames } from '../../names.ts';
import { type AssertTimeLeft, noTimeLimit } from '../../time-left.ts';
import type { ListsOfParticipants } from '../../use-cases/ports.ts';
import { batchGet } from '../batch-get.ts';
import type { Item } from '../sorted-query.ts';
import { participantItems } from './participant-items.ts';

const parallelWrites = 25;
const daySeconds = 24 * 60 * 60;

/**
 * What remains of a removed item. It stays for a day without participants: a slow worker with an earlier version could
 * otherwise store it again.
 */
export function emptyItem(key: Item, version: number, now: Date): Item {
  return { ...key, version, [attributeNames.expiresAt]: Math.floor(now.getTime() / 1000) + daySeconds };
}

/** The items that differ between the lists before and after a version, as they are afterwards. */
export function changedItems(session: SessionId, { before, after, version }: ListsOfParticipants, now: Date): Item[] {
  const [old, current] = [participantItems(session, before), participantItems(session, after)];
  const changed = [...current].filter(([name, { participants }]) => !isSame(participants, old.get(name)?.participants));
  const removed = [...old].filter(([name]) => !current.has(name));
  return [
    ...changed.map(([, { toItem }]) => ({ ...toItem(), version })),
    ...removed.map(([, { key }]) => emptyItem(key, version, now)),
  ];
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
  const putAll = async (items: readonly Item[], assertTimeLeft: AssertTimeLeft) => {
    for (const [index, some] of chunk(items, parallelWrites).entries()) {
      if (index > 0) assertTimeLeft();
      await Promise.all(some.map(put));
    }
  };

  return {
    writeParticipants: (session: SessionId, lists: ListsOfParticipants, assertTimeLeft: AssertTimeLeft = noTimeLimit) =>
      putAll(changedItems(session, lists, now()), assertTimeLeft),

    async completeParticipants(
      session: SessionId,
      lists: ListsOfParticipants,
      assertTimeLeft: AssertTimeLeft = noTimeLimit,
    ) {
      const items = changedItems(session, lists, now());
      const keyOf = (item: Item) => ({
        [attributeNames.organizationSession]: item[attributeNames.organizationSession],
        [attributeNames.listKey]: item[attributeNames.listKey],
      });
      const stored = await batchGet(documents, { tableName, keys: items.map(keyOf), consistent: true });
      const byKey = new Map(stored.map((item) => [String(item[attributeNames.listKey]), item]));
      const missing = items.filter((item) => !isStored(item, byKey.get(String(item[attributeNames.listKey]))));
      await putAll(missing, assertTimeLeft);
    },
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
