import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import getPort from 'get-port';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { recordFilter } from '#tools/local/lambda/event-sources.ts';
import { StreamMapping, type StreamMappingOptions } from '#tools/local/lambda/stream-mapping.ts';
import { openPositions } from '#tools/local/lambda/stream-positions.ts';
import { type DynamoDbProcess, startDynamoDb } from '#tools/local/services/dynamodb/dynamodb-process.ts';
import { createTables } from '#tools/local/services/dynamodb/tables.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { makeDataFolder } from '../../support/data-folder.ts';
import { eventually } from '../../support/eventually.ts';

let folder: string;
let database: DynamoDbProcess;
let dynamodb: DynamoDBClient;
let streams: DynamoDBStreamsClient;

const startDatabase = async () => {
  database = await startDynamoDb(folder, await getPort());
  dynamodb = new DynamoDBClient(clientSettings(database.url));
  streams = new DynamoDBStreamsClient(clientSettings(database.url));
};
const stopDatabase = async () => {
  dynamodb.destroy();
  streams.destroy();
  await database.stop();
};
beforeAll(async () => {
  folder = await makeDataFolder('roomscribe-streams-');
  await startDatabase();
});
afterAll(async () => {
  await stopDatabase();
  await rm(folder, { recursive: true });
});

/** A table of the stack that may have a stream. */
function table(name: string, streamed = true) {
  return {
    logicalId: name,
    name,
    properties: {
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
      GlobalSecondaryIndexes: [],
      ...(streamed && { StreamSpecification: { StreamViewType: 'NEW_IMAGE' as const } }),
    },
  };
}

/** A table with a stream, and a function that its new items invoke. */
async function feed(
  { onTestFinished }: TestContext,
  handle: (ids: string[]) => Promise<unknown>,
  options: Partial<StreamMappingOptions> = {},
) {
  const tableName = `table-${randomUUID()}`;
  const eventSourceArn = `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}/stream/local`;
  await createTables(database.url, [table(tableName)], { fresh: false });
  const [batches, events, logged]: [string[][], DynamoDBStreamEvent[], unknown[]] = [[], [], []];
  const start = async () => {
    const mapping = new StreamMapping({
      ...{ streams, tableName, eventSourceArn, functionName: 'reader', batchSize: 3, batchingWindowSeconds: 0 },
      ...{ reportsBatchItemFailures: true, bisectsOnError: true, maxRetries: 1, maxAgeSeconds: 3600 },
      positions: await openPositions(path.join(folder, `${tableName}.json`)),
      isWanted: recordFilter([{ Pattern: '{"eventName":["INSERT"]}' }], 'reader'),
      invoke: async (event) => {
        const sent = JSON.parse(JSON.stringify(event)) as DynamoDBStreamEvent;
        const ids = sent.Records.map(({ dynamodb: change }) => change?.Keys?.id?.S ?? '');
        events.push(sent);
        batches.push(ids);
        try {
          return { ok: true, payload: JSON.stringify((await handle(ids)) ?? null) };
        } catch {
          return { ok: false, fault: { errorType: 'Error', errorMessage: 'failed', trace: [] } };
        }
      },
      onFailure: (event) => logged.push(event),
      ...options,
    });
    onTestFinished(() => mapping.stop(1000));
    return mapping;
  };
  const put = async (...ids: string[]) => {
    for (const id of ids)
      await dynamodb.send(new PutItemCommand({ TableName: tableName, Item: { id: { S: id }, n: { N: '1' } } }));
  };
  const remove = (id: string) => dynamodb.send(new DeleteItemCommand({ TableName: tableName, Key: { id: { S: id } } }));
  return { tableName, eventSourceArn, start, put, remove, batches, events, logged };
}

test('sends the new items of a table in the format of Lambda, in their order and in batches', async (context) => {
  const { eventSourceArn, start, put, remove, batches, events, logged } = await feed(context, async () => null);
  await put('a', 'b');
  await remove('a');
  await put('b', 'c', 'd'); // b is not new
  await start();

  await eventually(() => expect(batches.flat()).toEqual(['a', 'b', 'c', 'd']));

  expect(batches[0]).toEqual(['a', 'b', 'c']);
  expect(events[0]?.Records[0]).toEqual({
    ...{ eventID: expect.any(String), eventName: 'INSERT', eventVersion: '1.1', eventSource: 'aws:dynamodb' },
    awsRegion: 'us-east-1',
    dynamodb: {
      ApproximateCreationDateTime: expect.any(Number),
      Keys: { id: { S: 'a' } },
      NewImage: { id: { S: 'a' }, n: { N: '1' } },
      SequenceNumber: expect.stringMatching(/^\d+$/),
      SizeBytes: expect.any(Number),
      StreamViewType: 'NEW_IMAGE',
    },
    eventSourceARN: eventSourceArn,
  });
  const seconds = events[0]?.Records[0]?.dynamodb?.ApproximateCreationDateTime ?? 0;
  expect(Math.abs(Date.now() / 1000 - seconds)).toBeLessThan(60);
  expect(logged).toEqual([]);
});

test('repeats what failed, gives the record up that always fails, and goes on', async (context) => {
  const { start, put, batches, logged } = await feed(context, async (ids) => {
    if (ids.includes('bad')) throw new Error('no');
  });
  await put('a', 'bad', 'b', 'c');
  await start();

  await eventually(() => expect(batches.at(-1)).toEqual(['c']));

  expect(batches).toEqual([['a', 'bad', 'b'], ['a', 'bad'], ['a'], ['bad'], ['bad'], ['b'], ['c']]);
  expect(logged).toEqual([expect.objectContaining({ event: 'stream_records_discarded', count: 1, reason: 'retries' })]);
});

test('repeats from the first record that the function names', async (context) => {
  let isFirst = true;
  const { start, put, batches, events } = await feed(context, async () => {
    if (!isFirst) return null;
    isFirst = false;
    const itemIdentifier = events[0]?.Records[1]?.dynamodb?.SequenceNumber;
    return { batchItemFailures: [{ itemIdentifier }] };
  });
  await put('a', 'b', 'c');
  await start();

  await eventually(() =>
    expect(batches).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]),
  );
});

test('goes on where it stopped after a restart, also of the database, and repeats nothing that is done', async (context) => {
  const { start, put, remove, batches } = await feed(context, async () => null);
  await put('a', 'b');
  const first = await start();
  await eventually(() => expect(batches.flat()).toEqual(['a', 'b']));
  await first.stop(1000);
  await put('c');
  await remove('c');
  await stopDatabase();
  await startDatabase();
  await put('d');
  const second = await start();
  await eventually(() => expect(batches.flat()).toEqual(['a', 'b', 'c', 'd']));
  await second.stop(1000);
  await start();
  await put('e');

  await eventually(() => expect(batches.flat()).toEqual(['a', 'b', 'c', 'd', 'e']));
});

test('a table without its stream, and one with a stream too many, need --fresh', async () => {
  const [plain, streamed] = [`table-${randomUUID()}`, `table-${randomUUID()}`];
  const create = (name: string, isStreamed: boolean, fresh = false) =>
    createTables(database.url, [table(name, isStreamed)], { fresh });
  await create(plain, false);
  await create(streamed, true);

  await expect(create(plain, true)).rejects.toThrow(/stream of the local table .*--fresh/);
  await expect(create(streamed, false)).rejects.toThrow(/stream of the local table .*--fresh/);
  await create(plain, false);
  await create(streamed, true);
  await create(plain, true, true);
  await create(plain, true);
});
