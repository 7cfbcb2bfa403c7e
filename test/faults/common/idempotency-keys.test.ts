import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { dynamodb, organization } from '../../support/machine.ts';
import {
  type FaultPlan,
  failing,
  killAt,
  meanwhileAt,
  noFaults,
  pointsOfDeath,
  serviceError,
} from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

const { world, rest } = await useWorld();
const documents = DynamoDBDocumentClient.from(dynamodb);
const TableName = world.resources.tables.idempotencyKeys;

type Recording = { readonly organizationId: string; readonly recordingId: string };

const post = ({ organizationId, recordingId }: Recording, idempotencyKey: string, plan: FaultPlan = noFaults) =>
  world.api('createTranscription', { organizationId, idempotencyKey, body: { recordingId } }, plan);

async function created(recording: Recording, key: string): Promise<string> {
  const outcome = await post(recording, key);
  if (outcome === 'killed' || outcome.status !== 201) throw new Error(`Not created: ${JSON.stringify(outcome)}`);
  return String(outcome.location);
}

async function keysOf(organizationId: string) {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'organizationId = :id',
      ExpressionAttributeValues: { ':id': organizationId },
    }),
  );
  return Items;
}

/** Moves the time in `attribute` of all keys of an organization to the past. */
async function expireKeys(organizationId: string, attribute: 'in_progress_expiration' | 'expiresAt'): Promise<void> {
  for (const { operationKey } of await keysOf(organizationId)) {
    await documents.send(
      new UpdateCommand({
        TableName,
        Key: { organizationId, operationKey },
        UpdateExpression: 'SET #time = :past',
        ConditionExpression: 'attribute_exists(#time)',
        ExpressionAttributeNames: { '#time': attribute },
        ExpressionAttributeValues: { ':past': 1 },
      }),
    );
  }
}

describe('an idempotency key', () => {
  test('returns the first answer again, even if the transcription has changed since', async () => {
    const recording = await world.recording();
    const key = randomUUID();
    const location = await created(recording, key);
    expect(await created(recording, key)).toBe(location);
    await rest();
    expect(await created(recording, key)).toBe(location);
    await world.delete(recording.organizationId, String(location.split('/').at(-1)));
    expect(await created(recording, key)).toBe(location);
    expect(world.transcribe.running()).toEqual([]);
    expect(await created(recording, randomUUID())).not.toBe(location);
  });

  test('with a different body is refused and changes nothing', async () => {
    const recording = await world.recording();
    const key = randomUUID();
    await created(recording, key);
    const other = await world.recording(recording.organizationId);
    expect(await post(other, key)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    await rest();
    const { organizationId } = recording;
    const list = await world.api('listTranscriptions', { organizationId });
    expect(list).toMatchObject({ body: { results: [{ state: 'ready' }] } });
  });

  test('accepts the same body in a different spelling', async () => {
    const recording = await world.recording();
    const key = randomUUID();
    const location = await created(recording, key);
    expect(await created({ ...recording, recordingId: recording.recordingId.toUpperCase() }, key)).toBe(location);
  });

  test('belongs to one organization and one operation', async () => {
    const [one, other] = [await world.recording(), await world.recording()];
    const key = randomUUID();
    const locations = [await created(one, key), await created(other, key)];
    expect(new Set(locations).size).toBe(2);
    const call = {
      organizationId: one.organizationId,
      idempotencyKey: key,
      body: { transcriptionIds: [randomUUID()] },
    };
    expect(await world.api('bulkDeleteTranscriptions', call)).toMatchObject({ status: 204 });
  });

  test('of a refused request can be used again', async () => {
    const recording = await world.recording();
    const key = randomUUID();
    const unknown = { ...recording, recordingId: randomUUID() };
    expect(await post(unknown, key)).toMatchObject({ status: 404 });
    expect(await keysOf(recording.organizationId)).toEqual([]);
    await created(recording, key);
  });

  test('expires after a day and can then be used again', async () => {
    const recording = await world.recording();
    const key = randomUUID();
    const location = await created(recording, key);
    const [kept] = await keysOf(recording.organizationId);
    const seconds = Number(kept?.expiresAt) - Date.now() / 1000;
    expect(Math.abs(seconds - 24 * 3600)).toBeLessThan(60);
    await rest();
    await expireKeys(recording.organizationId, 'expiresAt');
    expect(await created(recording, key)).not.toBe(location);
  });
});

describe('while a request with an idempotency key runs,', () => {
  test('its key is refused with 409, and afterwards returns its answer', async () => {
    const recording = await world.recording();
    const key = randomUUID();
    const meanwhile: unknown[] = [];
    const plan = meanwhileAt(4, async () => meanwhile.push(await post(recording, key)));
    const first = await post(recording, key, plan);
    expect(first).toMatchObject({ status: 201 });
    expect(meanwhile).toMatchObject([{ status: 409, body: { code: 'idempotency_key_in_use' }, retryAfter: '1' }]);
    expect(await post(recording, key)).toEqual(first);
  });

  test('20 requests with its key create one transcription', async () => {
    const recording = await world.recording();
    const key = randomUUID();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => post(recording, key)));
    const location = await created(recording, key);
    for (const outcome of outcomes) {
      if (outcome === 'killed') throw new Error('Nobody should have died here.');
      expect([201, 409]).toContain(outcome.status);
      if (outcome.status === 201) expect(outcome.location).toBe(location);
    }
  });

  test('and its process dies at any call, its key is refused until its time limit, and then the request is done once', async () => {
    await created(await world.recording(), randomUUID());
    const calls = world.lastCalls;
    expect(calls).toEqual([
      'UpdateItemCommand',
      'PutItemCommand',
      'GetItemCommand',
      'GetItemCommand',
      'TransactWriteItemsCommand',
      'SendMessageBatchCommand',
      'UpdateItemCommand',
    ]);
    const done = [];
    for (const { call, when } of pointsOfDeath(calls.length)) {
      const recording = await world.recording();
      const key = randomUUID();
      expect(await post(recording, key, killAt(call, when))).toBe('killed');
      const isHeld = (await keysOf(recording.organizationId)).some(({ status }) => status === 'INPROGRESS');
      if (isHeld) {
        expect(await post(recording, key)).toMatchObject({ status: 409 });
        await expireKeys(recording.organizationId, 'in_progress_expiration');
      }
      done.push({ recording, key, location: await created(recording, key) });
    }
    await rest();
    for (const { recording, key, location } of done) {
      expect(await created(recording, key)).toBe(location);
      expect(await world.state(recording.organizationId, String(location.split('/').at(-1)))).toBe('ready');
    }
  });
});

describe('a request with an idempotency key', () => {
  test.each(['PutItemCommand', 'UpdateItemCommand'])(
    'returns 503 and starts no second job if %s of the key fails',
    async (command) => {
      const recording = await world.recording();
      const key = randomUUID();
      const isOfKeys = (input: unknown) => (input as { readonly TableName?: string }).TableName === TableName;
      const down = serviceError('InternalServerError', 500);
      const plan: FaultPlan = (call) =>
        call.command === command && isOfKeys(call.input) ? { error: down, when: 'before' } : undefined;
      expect(await post(recording, key, plan)).toMatchObject({ status: 503, retryAfter: '1' });
      if ((await keysOf(recording.organizationId)).length > 0)
        await expireKeys(recording.organizationId, 'in_progress_expiration');
      await created(recording, key);
      await rest();
    },
  );

  test('uses the table of keys, unlike a request without a key', async () => {
    const recording = await world.recording();
    await world.create(recording);
    expect(world.lastCalls).toEqual([
      'UpdateItemCommand',
      'GetItemCommand',
      'GetItemCommand',
      'TransactWriteItemsCommand',
      'SendMessageBatchCommand',
    ]);
    expect(await keysOf(recording.organizationId)).toEqual([]);
  });
});

test('a bulk delete with an idempotency key is sent once', async () => {
  const recording = await world.recording();
  const { organizationId } = recording;
  const transcriptionIds = [await world.create(recording)];
  const call = { organizationId, idempotencyKey: randomUUID(), body: { transcriptionIds } };
  const lost = failing('SendMessageBatchCommand', serviceError('ServiceUnavailable', 503), 'before', 99);
  expect(await world.api('bulkDeleteTranscriptions', call, lost)).toMatchObject({ status: 503 });
  for (let time = 0; time < 3; time++)
    expect(await world.api('bulkDeleteTranscriptions', call)).toMatchObject({ status: 204 });
  expect((await world.deliver('bulkDelete')).delivered).toBe(1);
  expect(await idsCountedFor(organizationId)).toEqual([1]);
  await rest();
  expect(await world.state(organizationId, transcriptionIds[0] ?? '')).toBe(404);
});

test('a bulk delete beyond the ceiling is refused before anything is sent, and an accepted one can be repeated', async () => {
  const organizationId = organization();
  const call = (idempotencyKey: string) => ({ organizationId, idempotencyKey, body: { transcriptionIds } });
  const ids = Array.from({ length: 15 }, () => randomUUID());
  const transcriptionIds = [...ids, ...ids.slice(0, 3)]; // an id counts once
  const [first, second] = [randomUUID(), randomUUID()];
  expect(await world.api('bulkDeleteTranscriptions', call(first))).toMatchObject({ status: 204 });
  expect(await world.api('bulkDeleteTranscriptions', call(second))).toMatchObject({
    status: 429,
    body: { code: 'too_many_deletions', message: expect.stringContaining('5 of its 20 ids') },
  });
  expect(world.lastCalls).not.toContain('SendMessageBatchCommand');
  expect(await world.api('bulkDeleteTranscriptions', call(first))).toMatchObject({ status: 204 });
  expect(await idsCountedFor(organizationId)).toEqual([15]);
  await rest();
});

/** The ids of bulk deletes that are counted for the organization, by hour. */
async function idsCountedFor(organizationId: string) {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: world.resources.tables.rateLimits,
      KeyConditionExpression: 'organizationId = :id AND begins_with(#window, :window)',
      ExpressionAttributeNames: { '#window': 'minute' },
      ExpressionAttributeValues: { ':id': organizationId, ':window': 'bulk-delete#' },
      ConsistentRead: true,
    }),
  );
  return Items.map(({ points }) => points);
}
