import { randomUUID } from 'node:crypto';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { failure } from '#shared/domain/transcriptions/failures.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { countCorrection } from '#shared/storage/transcriptions/count-correction.ts';
import { transcriptionCreation } from '#shared/storage/transcriptions/creation.ts';
import { recordingKey } from '#shared/storage/transcriptions/keys.ts';
import { transcriptionRefusal } from '#shared/storage/transcriptions/refusal.ts';
import { uncountedTranscriptions } from '#shared/storage/transcriptions/uncounted.ts';
import { dynamodb, endpoints, organization } from '../../support/machine.ts';
import { transcriptionRecord } from '../../support/operations/records.ts';

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
const { transcriptions = '', recordings = '', rateLimits = '', notices = '' } = endpoints.tables;
const tables = { transcriptions, recordings, rateLimits, notices };
const { create } = transcriptionCreation(documents, tables, 2);
const store = uncountedTranscriptions(documents, tables);
const { correct } = countCorrection(documents, tables, 2);
const { abandonAndGiveBack } = transcriptionRefusal(documents, tables, store);
const createdAt = '2026-03-01T23:59:59.999Z';
const resetsAt = Date.parse('2026-03-02T00:00:00Z') / 1000;
const newOrganization = () => OrganizationId.parse(organization());

/** A record of a recording that is stored and lasts so many seconds. */
async function newRecord(organizationId: OrganizationId, seconds: number, at = createdAt) {
  const recordingId = randomUUID();
  await documents.send(new PutCommand({ TableName: recordings, Item: recordingKey(organizationId, recordingId) }));
  const ids = { organizationId, recordingId, transcriptionId: randomUUID() };
  const startDate = '2026-02-01T10:00:00.000Z';
  const endDate = new Date(Date.parse(startDate) + seconds * 1000).toISOString();
  return { ...transcriptionRecord({ ...ids, startDate, endDate, createdAt: at, dueAt: at }), recordingId };
}

const createNew = async (...args: Parameters<typeof newRecord>) => create(await newRecord(...args), {});

async function countOf(organizationId: OrganizationId) {
  const Key = { organizationId, minute: 'recognition#2026-03-01T00:00:00.000Z' };
  return (await documents.send(new GetCommand({ TableName: rateLimits, Key }))).Item;
}

async function removeCount(organizationId: OrganizationId) {
  const Key = { organizationId, minute: 'recognition#2026-03-01T00:00:00.000Z' };
  await documents.send(new DeleteCommand({ TableName: rateLimits, Key }));
}

/** The record as it is stored. */
async function stored({ organizationId, transcriptionId }: TranscriptionRecord) {
  return (await store.find(organizationId, transcriptionId)) as TranscriptionRecord;
}

test('recordings are accepted on a day of UTC until one is longer than what is left, which creates nothing', async () => {
  const id = newOrganization();
  expect(await createNew(id, 121), 'the first one of the day').toEqual({
    exceeded: { isExceeded: true, limit: 120, remaining: 120, resetsAt },
  });
  expect(await countOf(id)).toBeUndefined();
  expect(await createNew(id, 100)).toBe('created');
  const refused = await newRecord(id, 21);
  expect(await create(refused, {})).toEqual({
    exceeded: { isExceeded: true, limit: 120, remaining: 20, resetsAt },
  });
  expect(await store.find(id, refused.transcriptionId)).toBeUndefined();
  expect(await createNew(id, 20, '2026-03-01T00:00:00.000Z')).toBe('created');
  expect(await createNew(id, 86_401)).toMatchObject({ exceeded: { remaining: 0 } }); // counts a day at most, which is more
  expect(await createNew(id, 120, '2026-03-02T00:00:00.000Z')).toBe('created');
  expect(await createNew(newOrganization(), 120)).toBe('created');
  expect(await countOf(id)).toMatchObject({ points: 120, expiresAt: resetsAt + 3600 });
});

test('a refusal gives nothing back while another run has corrected what it read', async () => {
  const id = newOrganization();
  const record = await newRecord(id, 100);
  await create(record, {});
  expect(await correct(record, 40)).toBe('corrected');
  const refused = await abandonAndGiveBack(record, failure('no_audio'), createdAt, 100);
  expect(refused).toMatchObject({ applied: false, stored: { state: 'in_progress', countedSeconds: 40 } });
  expect(await countOf(id)).toMatchObject({ points: 40 });
  expect(await abandonAndGiveBack(await stored(record), failure('no_audio'), createdAt, 40)).toEqual({ applied: true });
  expect(await countOf(id)).toMatchObject({ points: 0 });
});

test('a creation that loses the race for its recording counts nothing, also if too little is left', async () => {
  const id = newOrganization();
  const record = await newRecord(id, 100);
  expect(await create(record, { latestTranscriptionId: randomUUID() })).toBe('lost-race');
  expect(await countOf(id)).toBeUndefined();
  expect(await create(record, {})).toBe('created');
  expect(await create({ ...record, transcriptionId: randomUUID() }, {})).toBe('lost-race');
});

test('simultaneous creations never exceed the ceiling', async () => {
  const id = newOrganization();
  const answers = await Promise.all(Array.from({ length: 30 }, () => createNew(id, 15)));
  expect(answers.filter((answer) => answer === 'created').length).toBeLessThanOrEqual(8);
  const { points } = (await countOf(id)) ?? {};
  expect(points).toBe(15 * answers.filter((answer) => answer === 'created').length);
});

test('a transcription that is refused gives its seconds back once', async () => {
  const id = newOrganization();
  const [one, other] = [await newRecord(id, 60), await newRecord(id, 30)];
  await Promise.all([create(one, {}), create(other, {})]);
  const refuse = () => abandonAndGiveBack(one, failure('recording_missing'), createdAt, 60);
  expect(await refuse()).toEqual({ applied: true });
  expect(await refuse()).toMatchObject({ applied: false, stored: { state: 'failed' } });
  expect(await countOf(id)).toMatchObject({ points: 30 });
});

test('a count that an erasure has removed does not come back', async () => {
  const id = newOrganization();
  const record = await newRecord(id, 60);
  await create(record, {});
  await removeCount(id);
  expect(await abandonAndGiveBack(record, failure('recording_missing'), createdAt, 60)).toEqual({ applied: true });
  expect(await store.find(id, record.transcriptionId)).toMatchObject({ state: 'failed' });
  expect(await countOf(id)).toBeUndefined();
});

describe('a count is corrected', () => {
  test.each([
    ['up', 100],
    ['down', 20],
    ['to nothing', 0],
  ])('%s, once, from the dates and from an earlier correction', async (_what, seconds) => {
    const id = newOrganization();
    const record = await newRecord(id, 60);
    await create(record, {});
    expect([await correct(record, 50), await correct(await stored(record), seconds)]).toEqual([
      'corrected',
      'corrected',
    ]);
    expect(await stored(record)).toMatchObject({ countedSeconds: seconds });
    expect(await correct(await stored(record), seconds)).toBe('corrected');
    expect(await countOf(id)).toMatchObject({ points: seconds });
  });

  test('by one of two runs to the same seconds, and to other ones only as read', async () => {
    const id = newOrganization();
    const record = await newRecord(id, 60);
    await create(record, {});
    await correct(record, 90);
    expect([await correct(record, 90), await correct(record, 91)]).toEqual(['corrected', 'lost-race']);
    expect(await countOf(id)).toMatchObject({ points: 90 });
  });

  test('up to the ceiling of the day, and not beyond', async () => {
    const id = newOrganization();
    const record = await newRecord(id, 60);
    await Promise.all([create(record, {}), createNew(id, 20)]);
    expect(await correct(record, 101)).toBe('exceeded');
    expect([await countOf(id), await stored(record)]).toMatchObject([{ points: 80 }, { state: 'in_progress' }]);
    expect(await stored(record)).not.toHaveProperty('countedSeconds');
    expect(await correct(record, 100)).toBe('corrected');
  });

  test('only while the transcription is in progress', async () => {
    const id = newOrganization();
    const record = await newRecord(id, 60);
    await create(record, {});
    await store.abandon(record, failure('engine_error'), createdAt);
    expect(await correct(record, 100)).toBe('ended');
    expect(await countOf(id)).toMatchObject({ points: 60 });
  });

  test('also if an erasure has removed the count, which does not come back', async () => {
    const id = newOrganization();
    const record = await newRecord(id, 60);
    await create(record, {});
    await removeCount(id);
    expect(await correct(record, 30)).toBe('corrected');
    expect([await countOf(id), await stored(record)]).toMatchObject([undefined, { countedSeconds: 30 }]);
  });
});
