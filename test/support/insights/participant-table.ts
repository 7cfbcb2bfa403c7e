import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { expect } from 'vitest';
import type { ParticipantRecord } from '#shared/domain/insights/participant-record.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { participantItems } from '#shared/storage/insights/participant-items.ts';
import { changedItems } from '#shared/storage/insights/participant-writes.ts';
import { compareBytes } from '../media/byte-order.ts';
import { fakeIndex } from '../storage/fake-index.ts';
import { at, daily } from './session-facts.ts';

type Item = Record<string, unknown>;
type Put = { readonly Item: Item; readonly ConditionExpression: string; readonly ExpressionAttributeValues: object };

/** An item as the document client returns it after it was stored. */
export function storedItem(item: Item): Item {
  return unmarshall(marshall(item, { removeUndefinedValues: true }));
}

/** The items of the participants of the default session, as the table stores them. */
export function itemsOf(participants: readonly ParticipantRecord[]): Item[] {
  return [...participantItems(daily, participants).values()].map(({ toItem }) => storedItem(toItem()));
}

const noNewer = 'attribute_not_exists(version) OR version <= :version';

/** A table of participants in memory, with the condition of its puts. */
export function participantTable(participants: readonly ParticipantRecord[] = []) {
  const table = fakeIndex([attributeNames.organizationSession, attributeNames.listKey], itemsOf(participants));
  const puts: Item[] = [];
  /** Stores an item, unless a newer one is stored. Returns whether it did. */
  const put = (item: Item): boolean => {
    const place = table.items.findIndex(({ listKey }) => listKey === item.listKey);
    if (Number(table.items[place]?.version ?? 0) > Number(item.version)) return false;
    puts.push(item);
    table.items.splice(place === -1 ? table.items.length : place, 1, storedItem(item));
    return true;
  };
  const send = async (command: { readonly input: unknown }) => {
    if (command.constructor.name !== 'PutCommand') return table.documents.send(command as never);
    const { Item, ConditionExpression, ExpressionAttributeValues } = command.input as Put;
    expect([ConditionExpression, ExpressionAttributeValues]).toEqual([noNewer, { ':version': Item.version }]);
    if (!put(Item)) throw new ConditionalCheckFailedException({ message: 'newer', $metadata: {} });
    return {};
  };
  const documents = { send } as unknown as Pick<DynamoDBDocumentClient, 'send'>;
  /** Makes the table what it is after the participants have changed. Removed items stay empty. */
  const change = (before: readonly ParticipantRecord[], after: readonly ParticipantRecord[], version = 1) => {
    const lists = { before, after, version };
    for (const item of changedItems(daily, lists, new Date(at('10:00')))) put(item);
  };
  /** The items that list someone, without what only protects them, in the order of their keys. */
  const listed = () =>
    inKeyOrder(table.items.filter((item) => item.participants || item.listed)).map(({ version: _, ...item }) => item);
  return { ...table, documents, puts, put, change, listed };
}

/** The items in the order of their keys. */
export function inKeyOrder(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => compareBytes(String(one.listKey), String(other.listKey)));
}
