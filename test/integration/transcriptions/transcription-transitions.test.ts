import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { NoticeType } from '#shared/contracts/notices/notice-types.ts';
import type { StoredTranscription, TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { isDeleted } from '#shared/domain/transcriptions/transcription.ts';
import { type TranscriptionEvent, transitions } from '#shared/domain/transcriptions/transcription-states.ts';
import { transcriptionCreation } from '#shared/storage/transcriptions/creation.ts';
import { dueTranscriptions } from '#shared/storage/transcriptions/due.ts';
import { recordingKey, transcriptionKey } from '#shared/storage/transcriptions/keys.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { endpoints } from '../../support/machine.ts';
import { organizationId, tombstone, transcriptionRecord } from '../../support/operations/records.ts';
import { cases } from '../../support/transcriptions/transcription-situations.ts';
import { noticesOf } from '../../support/webhooks/stored-notices.ts';

const settings = { region: endpoints.region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ ...settings, endpoint: endpoints.dynamodbUrl }), {
  marshallOptions: { removeUndefinedValues: true },
});
const tables = {
  transcriptions: String(endpoints.tables.transcriptions),
  recordings: String(endpoints.tables.recordings),
  rateLimits: String(endpoints.tables.rateLimits),
  notices: String(endpoints.tables.notices),
  usageDays: String(endpoints.tables.usageDays),
};
const transcriptions = transcriptionRepository(documents, tables);
const organization = organizationId();
const dueAt = '2026-03-02T10:00:00.000Z';
const failure = { code: 'engine_error', message: 'broken' } as const;

/** The write of each event, and the record that it produces. */
const writes: Record<
  TranscriptionEvent,
  (record: TranscriptionRecord) => { write: () => Promise<unknown>; after: TranscriptionRecord | 'tombstone' }
> = {
  created: (record) => {
    const after = { ...record, recordingId: randomUUID(), state: transitions.created.to, dueAt };
    const Item = recordingKey(organization, after.recordingId);
    const write = async () => {
      await documents.send(new PutCommand({ TableName: tables.recordings, Item }));
      return transcriptionCreation(documents, tables, 240).create(after, {});
    };
    return { after, write };
  },
  liveStarted: (record) => replacing({ ...record, state: transitions.liveStarted.to, dueAt }, transcriptions.beginLive),
  liveFinished: ({ failure: _, ...record }) =>
    replacing({ ...record, state: transitions.liveFinished.to }, transcriptions.endLive),
  liveFailed: (record) => replacing({ ...record, state: transitions.liveFailed.to, failure }, transcriptions.endLive),
  jobStarted: (record) => {
    const dates = { jobStartedAt: '2026-03-01T10:00:01.000Z', dueAt };
    return { after: { ...record, ...dates }, write: () => transcriptions.markJobStarted(record, dates) };
  },
  prepared: (record) => {
    const facts = { partCount: 3, recordedSeconds: 600.5, submittedSeconds: 720, dueAt };
    return { after: { ...record, ...facts }, write: () => transcriptions.markPrepared(record, facts) };
  },
  transcribed: (record) => {
    const facts = { filename: 'a.md', durationInSeconds: 600 };
    const after = { ...record, ...facts, state: transitions.transcribed.to, dueAt: undefined };
    return { after, write: () => transcriptions.markReady(record, facts, 600) };
  },
  failed: (record) => ({
    after: {
      ...{ ...record, failure, state: transitions.failed.to, dueAt: undefined },
      ...{ filename: null, durationInSeconds: 0 },
    },
    write: () => transcriptions.markFailed(record, failure),
  }),
  abandoned: (record) => ({
    after: { ...record, failure, state: transitions.abandoned.to, dueAt, filename: null, durationInSeconds: 0 },
    write: () => transcriptions.abandon(record, failure, dueAt),
  }),
  deleted: (record) => ({
    after: 'tombstone',
    write: () => transcriptions.replaceWithTombstone(record, tombstoneOf(record), 4_000_000_000),
  }),
};

function replacing<Record extends TranscriptionRecord>(record: Record, store: (record: Record) => Promise<unknown>) {
  const after = { ...record, type: 'LIVE_TRANSCRIPTION' } as const;
  return { after, write: () => store(after) };
}

test.each(cases)('$event after $name is stored: $isAllowed', async ({ event, stored, isAllowed }) => {
  const transcriptionId = randomUUID();
  const before = stored && withId(stored, transcriptionId);
  if (before) await documents.send(new PutCommand({ TableName: tables.transcriptions, Item: rowOf(before) }));
  const read = before && !isDeleted(before) ? before : transcriptionRecord({ transcriptionId, dueAt });
  const { write, after } = writes[event](read);

  const outcome = await write();
  const row = await rowUnder(transcriptionId);

  if (!isAllowed) {
    expect(row).toEqual(before && rowOf(before));
    // A repeated delete succeeds: the tombstone is what the caller wants.
    expect(refused(outcome)).toBe(!(event === 'deleted' && before && isDeleted(before)));
    expect(await toldOf(transcriptionId)).toEqual([]);
    return;
  }
  expect(refused(outcome)).toBe(false);
  const type = typesOfNotices[event];
  const revision = type && revisionAfter(before);
  const expected =
    after === 'tombstone'
      ? { ...tombstoneOf(read), expiresAt: 4_000_000_000, revision }
      : toRow({ ...after, ...(revision && { revision }) });
  expect(row).toEqual(JSON.parse(JSON.stringify(expected)));
  expect(await toldOf(transcriptionId)).toEqual(type ? [[type, revision]] : []);
});

/** What is told of each event. Written by hand. */
const typesOfNotices: Partial<Record<TranscriptionEvent, NoticeType>> = {
  created: 'transcription.started',
  liveStarted: 'transcription.started',
  liveFinished: 'transcription.finished',
  liveFailed: 'transcription.failed',
  transcribed: 'transcription.finished',
  failed: 'transcription.failed',
  abandoned: 'transcription.failed',
  deleted: 'transcription.deleted',
};

/** The revision of what is told of a change of a row from before notices. */
function revisionAfter(before: StoredTranscription | undefined): number {
  if (before === undefined || isDeleted(before)) return 1;
  return before.state === 'in_progress' ? 2 : 3;
}

/** The types and revisions of what was told of a transcription. */
async function toldOf(transcriptionId: string) {
  const notices = await noticesOf(tables.notices, organization);
  const own = notices.filter(({ data }) => 'transcriptionId' in data && data.transcriptionId === transcriptionId);
  return own.map(({ type, data }) => [type, data.revision]);
}

test('no transcription is created, and no recording stored, for a recording that is not stored any more', async () => {
  const record = { ...transcriptionRecord({ transcriptionId: randomUUID() }), recordingId: randomUUID() };
  expect(await transcriptionCreation(documents, tables, 240).create(record, {})).toBe('lost-race');
  expect(await rowUnder(record.transcriptionId)).toBeUndefined();
  const Key = recordingKey(organization, record.recordingId);
  expect((await documents.send(new GetCommand({ TableName: tables.recordings, Key }))).Item).toBeUndefined();
});

const givenUp = { ...failure, code: 'end_not_reported' } as const;

test.each([
  ['its state', {}, { state: 'ready' }],
  ['the guess that it failed', { state: 'failed', failure: givenUp }, { state: 'failed', failure }],
  ['its failure', { state: 'failed' }, { state: 'failed', failure }],
] as const)('a transcription is not deleted if %s has changed since it was read', async (_what, before, after) => {
  const asRead = transcriptionRecord({ transcriptionId: randomUUID(), type: 'LIVE_TRANSCRIPTION', ...before });
  const stored = { ...asRead, ...after };
  await documents.send(new PutCommand({ TableName: tables.transcriptions, Item: toRow(stored) }));
  expect(await transcriptions.replaceWithTombstone(asRead, tombstoneOf(asRead), 1)).toBe(false);
  expect(await rowUnder(stored.transcriptionId)).toEqual(toRow(stored));
  expect(await toldOf(stored.transcriptionId)).toEqual([]);
});

test.each([
  [2, 3],
  [undefined, 3],
])('a transcription is not deleted if its revision has become another than %s', async (before, after) => {
  const asRead = { ...transcriptionRecord({ transcriptionId: randomUUID(), state: 'ready' }), revision: before };
  const stored = { ...asRead, revision: after };
  await documents.send(new PutCommand({ TableName: tables.transcriptions, Item: toRow(stored) }));
  expect(await transcriptions.replaceWithTombstone(asRead, tombstoneOf(asRead), 1)).toBe(false);
  expect(await transcriptions.replaceWithTombstone(stored, tombstoneOf(asRead), 4_000_000_000)).toBe(true);
  expect(await rowUnder(stored.transcriptionId)).toMatchObject({ revision: after + 1 });
  expect(await toldOf(stored.transcriptionId)).toEqual([['transcription.deleted', after + 1]]);
});

function tombstoneOf({ transcriptionId }: TranscriptionRecord) {
  return tombstone({ transcriptionId });
}

test('a due date is postponed or settled only if there is one, and it is still the one that was read', async () => {
  const [read, postponed] = ['2099-03-01T10:00:00.000Z', '2099-03-01T11:00:00.000Z'];
  const record = { ...transcriptionRecord({ transcriptionId: randomUUID(), state: 'in_progress' }), dueAt: read };
  const due = dueTranscriptions(documents, tables.transcriptions);
  const dueAtNow = async () => (await rowUnder(record.transcriptionId))?.dueAt;
  await documents.send(new PutCommand({ TableName: tables.transcriptions, Item: rowOf(record) }));
  await due.postpone(record, postponed);
  expect(await dueAtNow()).toBe(postponed);
  await due.postpone(record, '2099-03-01T12:00:00.000Z');
  await due.settle(record);
  await due.postpone({ ...record, dueAt: undefined }, read);
  expect(await dueAtNow()).toBe(postponed);
  await due.settle({ ...record, dueAt: postponed });
  expect(await dueAtNow()).toBeUndefined();
});

function refused(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'applied' in outcome
    ? !outcome.applied
    : !outcome || outcome === 'lost-race';
}

function withId(stored: StoredTranscription, transcriptionId: string): StoredTranscription {
  const isDue = !isDeleted(stored) && stored.state === 'in_progress';
  return { ...stored, transcriptionId, ...(isDue && { dueAt: '2026-03-01T10:02:00.000Z' }) };
}

function rowOf(stored: StoredTranscription): Record<string, unknown> {
  return isDeleted(stored) ? { ...stored } : toRow(stored);
}

async function rowUnder(transcriptionId: string) {
  const Key = transcriptionKey(organization, transcriptionId);
  const { Item } = await documents.send(
    new GetCommand({ TableName: tables.transcriptions, Key, ConsistentRead: true }),
  );
  return Item;
}
