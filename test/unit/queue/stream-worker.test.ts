import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { streamWorker } from '#shared/queue/stream-worker.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';

const Item = z.object({ id: z.string() });
type Item = z.infer<typeof Item>;

let handled: Item[][];
let failing: (item: Item) => boolean;
let lines: () => readonly LogLine[];

beforeEach(() => {
  lines = captureLogLines().lines;
  handled = [];
  failing = () => false;
});

const handler = streamWorker({ name: 'test', read: (item) => Item.parse(item) }, async (items) => {
  handled.push([...items]);
  if (items.some(({ id }) => id === 'throws')) throw new Error('no');
  return new Set(items.filter(failing));
});

function record(id: string | number, changes: Partial<DynamoDBRecord> = {}): DynamoDBRecord {
  const dynamodb = { NewImage: marshall({ id }), SequenceNumber: `s-${id}` };
  return { eventID: `e-${id}`, eventName: 'INSERT', dynamodb, ...changes } as DynamoDBRecord;
}

const failedOf = async (...Records: DynamoDBRecord[]) =>
  (await handler({ Records })).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

test('passes the new items of a batch on together', async () => {
  expect(await failedOf(record('a'), record('b'))).toEqual([]);
  expect(handled).toEqual([[{ id: 'a' }, { id: 'b' }]]);
});

test('reports the records of the items that failed', async () => {
  failing = ({ id }) => id === 'b';
  expect(await failedOf(record('a'), record('b'), record('c'))).toEqual(['s-b']);
});

test('reports all records if handling throws', async () => {
  expect(await failedOf(record('a'), record('throws'))).toEqual(['s-a', 's-throws']);
});

test('leaves out changed and removed items, and those that cannot be read', async () => {
  const others = [record('c', { eventName: 'MODIFY' }), record('d', { eventName: 'REMOVE' }), record(5)];
  expect(await failedOf(...others, record('a'), record('e', { dynamodb: {} }))).toEqual([]);
  expect(handled).toEqual([[{ id: 'a' }]]);
});

test('handles nothing if no record is left', async () => {
  expect(await failedOf(record(5))).toEqual([]);
  expect(handled).toEqual([]);
  const facts = { message: 'stream record not readable', eventId: 'e-5' };
  expect(lines().map((line) => line.facts)).toContainEqual(expect.objectContaining(facts));
});
