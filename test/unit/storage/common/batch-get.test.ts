import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { batchGet } from '#shared/storage/common/batch-get.ts';
import { type Answer, answering } from '../../../support/client/fake-client.ts';
import { skipPauses } from '../../../support/client/no-pauses.ts';

const pausesMs = skipPauses();

const keysOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
const documents = (answer: Answer) =>
  answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })), answer);
type Request = { readonly rooms: { readonly Keys: readonly { readonly id: number }[] } };
const requested = (input: Readonly<Record<string, unknown>>) => (input.RequestItems as Request).rooms.Keys;

/** Returns at most `atOnce` keys per request and leaves the rest unprocessed. Even ids have no item. */
const slowly =
  (atOnce: number): Answer =>
  ({ input }) => {
    const keys = requested(input);
    const left = keys.slice(atOnce);
    return {
      Responses: { rooms: keys.slice(0, atOnce).filter(({ id }) => id % 2 === 1) },
      UnprocessedKeys: left.length > 0 ? { rooms: { Keys: left } } : {},
    };
  };
const odd = (count: number) => keysOf(count).filter(({ id }) => id % 2 === 1);

test('batchGet reads all items in one call and omits keys without an item', async () => {
  const { client, calls } = documents(slowly(100));
  expect(await batchGet(client, { tableName: 'rooms', keys: keysOf(100) })).toEqual(odd(100));
  expect(calls).toEqual([
    { name: 'BatchGetCommand', input: { RequestItems: { rooms: { Keys: keysOf(100), ConsistentRead: false } } } },
  ]);
  expect(pausesMs).toEqual([]);
});

test('batchGet retries only unprocessed keys, after a pause', async () => {
  const { client, calls } = documents(slowly(25));
  const found = await batchGet(client, { tableName: 'rooms', keys: keysOf(100), consistent: true });
  expect(found).toEqual(odd(100));
  expect(calls.map(({ input }) => requested(input).length)).toEqual([100, 75, 50, 25]);
  for (const { input } of calls) expect(input).toMatchObject({ RequestItems: { rooms: { ConsistentRead: true } } });
  expect(pausesMs).toHaveLength(3);
});

test('batchGet throws if keys stay unprocessed after the last attempt', async () => {
  const { client, calls } = documents(slowly(0));
  await expect(batchGet(client, { tableName: 'rooms', keys: keysOf(3) })).rejects.toThrow(ServiceUnavailable);
  expect(calls.length).toBeGreaterThan(2);
  expect(calls.length).toBeLessThan(10);
  expect(Math.max(...pausesMs)).toBeLessThanOrEqual(250);
});

test('batchGet returns items that arrive with the last attempt', async () => {
  const { client } = documents((call, index) => slowly(index < 4 ? 0 : 100)(call, index));
  expect(await batchGet(client, { tableName: 'rooms', keys: keysOf(3) })).toEqual(odd(3));
});

test('batchGet makes no call without keys', async () => {
  const { client, calls } = documents(slowly(100));
  expect(await batchGet(client, { tableName: 'rooms', keys: [] })).toEqual([]);
  expect(calls).toEqual([]);
});

test('batchGet reads more keys than DynamoDB accepts with several calls, and retries each alone', async () => {
  const { client, calls } = documents(slowly(60));
  expect(await batchGet(client, { tableName: 'rooms', keys: keysOf(1001) })).toEqual(odd(1001));
  const sizes = calls.map(({ input }) => requested(input).length);
  expect(sizes.toSorted((one, other) => other - one)).toEqual([...Array(10).fill(100), ...Array(10).fill(40), 1]);
});

test('batchGet rethrows an error from DynamoDB', async () => {
  const { client } = documents(() => {
    throw new Error('throttled');
  });
  await expect(batchGet(client, { tableName: 'rooms', keys: keysOf(1) })).rejects.toThrow('throttled');
});
