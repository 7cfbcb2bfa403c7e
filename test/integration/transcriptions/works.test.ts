import { randomUUID } from 'node:crypto';
import {
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { TranscriptionPart, WorkKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { endpoints, sameSignature } from '../../support/machine.ts';
import { organizationId } from '../../support/operations/records.ts';

const settings = { region: endpoints.region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
const newClient = () =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...settings, endpoint: endpoints.dynamodbUrl, signer: sameSignature }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
const documents = newClient();
const tableName = String(endpoints.tables.transcriptionParts);
const works = workRepository(documents, tableName);
const startedAt = '2026-03-01T10:00:00.000Z';

function newWork(): WorkKey {
  return { organizationId: organizationId(), workId: randomUUID() };
}

function partOf(key: WorkKey, part: number, facts: Partial<TranscriptionPart> = {}): TranscriptionPart {
  const file = { bucket: 'transcripts', key: `work/${part}.ogg` };
  const span = { participantId: 'ann', from: 0.5, to: 60.25, submittedSeconds: 59.75 };
  return { ...key, part, state: 'waiting', file, container: 'ogg', ...span, ...facts };
}

function headOf(key: WorkKey, partCount = 3, hash = 'a') {
  return { ...key, planKey: `work/plan-${hash}.json`, partCount };
}

async function rowsOf({ organizationId, workId }: WorkKey) {
  const query = new QueryCommand({
    TableName: tableName,
    ConsistentRead: true,
    KeyConditionExpression: 'organizationId = :organizationId AND begins_with(partKey, :workId)',
    ExpressionAttributeValues: { ':organizationId': organizationId, ':workId': workId },
  });
  return (await documents.send(query)).Items ?? [];
}

test('the first head of a work counts, and every run gets it', async () => {
  const key = newWork();
  expect(await works.find(key)).toBeUndefined();
  const first = await works.begin(headOf(key));
  expect(first).toEqual({ ...headOf(key), endedParts: 0 });
  expect(await works.begin(headOf(key, 5, 'b'))).toEqual(first);
  expect(await works.find(key)).toEqual(first);
});

test('parts are listed in the order of their numbers, without those of other works, and expire', async () => {
  const [key, other] = [newWork(), newWork()];
  await works.begin(headOf(key));
  for (const part of [10, 2, 1]) await works.addPart(partOf(key, part));
  await works.addPart(partOf(other, 3));
  expect((await works.listParts(key)).map(({ part }) => part)).toEqual([1, 2, 10]);
  expect(await works.findPart({ ...key, part: 10 })).toEqual(partOf(key, 10));
  expect(await works.findPart({ ...key, part: 3 })).toBeUndefined();
  const inDays = (await rowsOf(key)).map(({ expiresAt }) => Math.round((expiresAt - Date.now() / 1000) / 86_400));
  expect(inDays).toEqual([30, 30, 30, 30]);
});

test('a part that is stored stays as it is when it is added again', async () => {
  const key = newWork();
  await works.begin(headOf(key));
  await works.addPart(partOf(key, 1));
  await works.markPartRunning({ ...key, part: 1 }, startedAt);
  await works.addPart(partOf(key, 1));
  await works.addPart(partOf(key, 1, { state: 'done' }));
  expect(await works.findPart({ ...key, part: 1 })).toMatchObject({ state: 'running', jobStartedAt: startedAt });
  expect(await works.find(key)).toMatchObject({ endedParts: 0 });
});

test('a part that has ended when it is added counts once', async () => {
  const key = newWork();
  await works.begin(headOf(key));
  const silent = partOf(key, 1, { state: 'done', file: undefined, container: undefined, submittedSeconds: 0 });
  const failed = partOf(key, 2, { state: 'failed', failureCode: 'media_unreadable' });
  for (const part of [silent, failed, silent, failed]) await works.addPart(part);
  expect(await works.find(key)).toMatchObject({ endedParts: 2 });
  expect(await works.listParts(key)).toEqual([silent, failed]);
});

test('only a waiting part starts to run, and the same start is confirmed', async () => {
  const key = { ...newWork(), part: 1 };
  expect(await works.markPartRunning(key, startedAt)).toBe(false);
  await works.begin(headOf(key));
  await works.addPart(partOf(key, 1));
  expect(await works.markPartRunning(key, startedAt)).toBe(true);
  expect(await works.markPartRunning(key, startedAt)).toBe(true); // as if the answer to the first was lost
  expect(await works.markPartRunning(key, '2026-03-01T10:00:01.000Z')).toBe(false);
  expect(await works.findPart(key)).toMatchObject({ state: 'running', jobStartedAt: startedAt });
  await works.endPart(key, { state: 'done' });
  expect(await works.markPartRunning(key, startedAt)).toBe(false);
});

test('the end of a part counts once, and its first end stays', async () => {
  const key = newWork();
  await works.begin(headOf(key));
  for (const part of [1, 2]) await works.addPart(partOf(key, part));
  expect(await works.endPart({ ...key, part: 1 }, { state: 'failed', failureCode: 'no_speech' })).toBe(true);
  expect(await works.endPart({ ...key, part: 1 }, { state: 'done' })).toBe(false);
  expect(await works.endPart({ ...key, part: 2 }, { state: 'done' })).toBe(true);
  expect(await works.endPart({ ...key, part: 3 }, { state: 'done' })).toBe(false);
  expect(await works.listParts(key)).toMatchObject([{ state: 'failed', failureCode: 'no_speech' }, { state: 'done' }]);
  expect(await works.find(key)).toMatchObject({ endedParts: 2 });
});

test('of two runs that take a turn at once, one gets it, and its turn goes with the work', async () => {
  const key = newWork();
  const turn = (turnId: string, until = startedAt) => ({ turnId, until, storedParts: 0, attempts: 1 });
  const taken = await Promise.all(['a', 'b'].map((id) => works.storeTurn(key, turn(id), undefined)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  const id = taken[0] ? 'a' : 'b';
  expect(await works.findTurn(key)).toEqual(turn(id));
  expect(await works.storeTurn(key, turn(id), undefined)).toBe(true); // as if the answer to the first was lost
  expect(await works.storeTurn(key, turn('c'), 'other')).toBe(false);
  expect(await works.storeTurn(key, turn('c'), id)).toBe(true);
  await works.remove(key);
  expect(await works.storeTurn(key, turn('c', '2026-03-01T10:01:00.000Z'), 'c')).toBe(false);
  expect(await rowsOf(key)).toEqual([]);
});

test('25 parts that end at once are all counted', async () => {
  const key = newWork();
  await works.begin(headOf(key, 25));
  const parts = Array.from({ length: 25 }, (_, index) => partOf(key, index + 1));
  await Promise.all(parts.map((part) => works.addPart(part)));
  const ends = await Promise.all(parts.map((part) => works.endPart(part, { state: 'done' })));
  expect(ends).toEqual(parts.map(() => true));
  expect(await works.find(key)).toMatchObject({ endedParts: 25 });
});

test('a removed work has no rows, and nothing is counted in it', async () => {
  const [key, other] = [newWork(), newWork()];
  for (const work of [key, other]) {
    await works.begin(headOf(work));
    for (const part of [1, 2]) await works.addPart(partOf(work, part));
  }
  await works.remove(key);
  await works.remove(key);
  expect(await works.endPart({ ...key, part: 1 }, { state: 'done' })).toBe(false);
  for (const state of ['waiting', 'done'] as const) expect(await works.addPart(partOf(key, 1, { state }))).toBe(false);
  expect(await rowsOf(key)).toEqual([]);
  expect(await rowsOf(other)).toHaveLength(3);
});

test('a part that a run stores while its work is removed goes, too', async () => {
  const key = newWork();
  await works.begin(headOf(key));
  await works.addPart(partOf(key, 1));
  const client = newClient();
  const send = client.send.bind(client);
  let isStored: boolean | undefined;
  const meddling = async (command: Parameters<typeof send>[0]) => {
    if (command instanceof DeleteCommand && isStored === undefined) isStored = await works.addPart(partOf(key, 2));
    return send(command);
  };
  await workRepository(Object.assign(client, { send: meddling }), tableName).remove(key);
  expect(isStored).toBe(true);
  expect(await rowsOf(key)).toEqual([]);
});

function failingWith(...errors: readonly Error[]) {
  const left = [...errors];
  const send = async () => {
    const error = left.shift();
    if (error) throw error;
  };
  const client = Object.assign(DynamoDBDocumentClient.from(new DynamoDBClient(settings)), { send });
  return { store: workRepository(client, tableName, { pause: async () => undefined }), left };
}

test('the end of a part is tried again after a conflict with other ends, but not after another error', async () => {
  const conflict = new TransactionCanceledException({
    message: 'conflict',
    $metadata: {},
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  });
  const throttled = new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} });
  const [busy, broken] = [failingWith(conflict, conflict), failingWith(throttled, conflict)];
  expect(await busy.store.endPart({ ...newWork(), part: 1 }, { state: 'done' })).toBe(true);
  await expect(broken.store.endPart({ ...newWork(), part: 1 }, { state: 'done' })).rejects.toBe(throttled);
  expect(broken.left).toEqual([conflict]);
});
