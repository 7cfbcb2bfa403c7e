import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspect } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import type { AttributeValue, ScanOutput } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { CreateSecretCommand, paginateListSecrets } from '@aws-sdk/client-secrets-manager';
import { paginateListTranscriptionJobs } from '@aws-sdk/client-transcribe';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { InitializeMiddleware } from '@smithy/types';
import { inject } from 'vitest';
import { stackName } from '#infra/settings/stages.ts';
import { newConnectionId } from '#operations/connections/new-connection-id.ts';
import { organizationTag } from '#operations/connections/secrets.ts';
import { openStores, type Stores } from '#operations/erasure/deployment.ts';
import { runOrganization } from '#operations/organization/run.ts';
import { hookFiles } from '#shared/adapters/platforms/hook-files.ts';
import type { FileLocation } from '#shared/contracts/events.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { StoredHook } from '#shared/contracts/platforms/connection.ts';
import { noticeOf } from '#shared/domain/notices/notice.ts';
import { bucketNames, connectionSecretPrefix, type TableName, tableNames } from '#shared/runtime/names.ts';
import { noticeKeyOf, noticePut } from '#shared/storage/notices/notice-put.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { platformSessions } from '#shared/storage/platforms/platform-sessions.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { deliveryKey, webhookKey } from '#shared/storage/webhooks/rows.ts';
import { eventually } from '../eventually.ts';
import { clientOf } from '../http/checked-api.ts';
import { send, sessionOf, untilCounted } from '../insights/insights.ts';
import { deliver, keepTranscript, known, liveSession, sendToRoomEvents } from '../insights/live-sessions.ts';
import { endpoints, s3, secretsManager, transcribe } from '../machine.ts';
import {
  createTranscription,
  ended,
  finishRecording,
  type RecordingFacts,
  recordingEvent,
} from '../media/recordings.ts';
import { moveApart } from '../transcriptions/speakers-apart.ts';
import { fakeCloudFormation, fakeCognito } from './fake-cognito.ts';

/** The local DynamoDB requires a signature and does not verify it. */
const unchecked = {
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=test/20260101/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};

const dataDir = await mkdtemp(path.join(inject('machine').temporaryFolder, 'erasure-'));
await writeFile(path.join(dataDir, 'endpoints.json'), JSON.stringify(endpoints));

/** Runs `npm run organization -- erase …` on the shared local runner, and returns everything that it prints. */
export async function eraseInRunner(args: readonly string[], stores: Stores = openStores(endpoints)): Promise<string> {
  const printed: string[] = [];
  const { cognito } = fakeCognito();
  const report = await runOrganization(['erase', ...args, '--data-dir', dataDir], {
    cloudFormation: fakeCloudFormation('Roomscribe-prod', {}),
    cognito,
    openStores: () => stores,
    terminal: { show: () => {}, end: () => {}, print: (line) => printed.push(line) },
    askSecret: async () => undefined,
  });
  return [...printed, report].join('\n');
}

/**
 * Returns everything in the local runner that contains a text: rows of all tables, keys of all objects, names of all
 * jobs, and names and tags of all secrets.
 */
export async function findEverywhere(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of tableNames) {
    for await (const item of itemsNear(text, String(endpoints.tables[table]))) {
      if (JSON.stringify(item).includes(text)) found.push(`${table} ${asText(item)}`);
    }
  }
  for (const bucket of bucketNames) {
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client: s3 },
      { Bucket: endpoints.buckets[bucket] },
    )) {
      found.push(...Contents.map(({ Key }) => `${bucket} ${Key}`));
    }
  }
  for await (const { SecretList = [] } of paginateListSecrets({ client: secretsManager }, {}))
    found.push(...SecretList.map(({ Name, Tags = [] }) => `secret ${Name} ${JSON.stringify(Tags)}`));
  for await (const { TranscriptionJobSummaries = [] } of paginateListTranscriptionJobs({ client: transcribe }, {})) {
    found.push(...TranscriptionJobSummaries.map((job) => `job ${job.TranscriptionJobName}`));
  }
  return found.filter((each) => each.includes(text)).sort();
}

/**
 * Yields the items of every page of a table that contains a text. It calls DynamoDB without the SDK: parsing the rows of all
 * other tests with the SDK takes longer than everything else in the tests of the erasure.
 */
async function* itemsNear(text: string, TableName: string): AsyncGenerator<Record<string, AttributeValue>> {
  let ExclusiveStartKey: unknown;
  do {
    const response = await fetch(endpoints.dynamodbUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.Scan', ...unchecked },
      body: JSON.stringify({ TableName, ExclusiveStartKey }),
    });
    if (!response.ok) throw new Error(`The scan of ${TableName} failed: ${await response.text()}`);
    const json = await response.text();
    const page = JSON.parse(json) as ScanOutput;
    if (json.includes(text)) yield* page.Items ?? [];
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
}

/** Sorts the attributes of a row, because DynamoDB returns them in any order, and shows what is compressed. */
function asText(item: Record<string, AttributeValue>): string {
  const row = Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B ? binary(String(value.B)) : unmarshall({ value }).value,
    ]),
  );
  const all = { sorted: true, depth: 9, maxArrayLength: null, maxStringLength: null } as const;
  return inspect(row, { ...all, breakLength: Number.POSITIVE_INFINITY });
}

function binary(base64: string): unknown {
  const bytes = Buffer.from(base64, 'base64');
  try {
    return JSON.parse(inflateRawSync(bytes).toString());
  } catch {
    return bytes.toString('hex');
  }
}

/** Creates rows in every table, objects in both buckets, a Transcribe job, and the secret of a connection. */
export async function populate(acme: string, recording: RecordingFacts = { body: 'no speech' }): Promise<void> {
  const { recordingId } = await finishRecording(acme, recording);
  const { path: transcription, transcriptionId } = await createTranscription(acme, recordingId);
  await ended(acme, transcription);
  await moveApart({ organizationId: acme, transcriptionId });
  await s3.send(
    new PutObjectCommand({
      Bucket: endpoints.buckets.transcripts,
      Key: `generated/${acme}/${transcriptionId}/notes.md`,
      Body: 'Hello.',
    }),
  );
  const live = liveSession(acme);
  const location = await keepTranscript(live.key('minutes.md'), 'Hello everyone.');
  await sendToRoomEvents([live.finished({ storageType: 'SERVICE_HOSTED', location })]);
  await known(acme, live.path, 'ready');
  await clientOf(acme)('GET', `${live.path}/access-link?validForSeconds=43200`);
  const keyed = { body: { recordingId }, headers: { 'idempotency-key': randomUUID() } };
  const { headers } = await clientOf(acme)('POST', '/v1/transcriptions', keyed);
  await ended(acme, String(headers.location));
  await sendSessions(acme);
  await finishTrack(acme, { participantId: 'p-1' });
  await addPart(acme, 'p-1');
  await connectPlatform(acme);
  await addWebhook(acme);
  await deliver('record-room-events', [{ id: 'evt-refused', type: 'room.imagined', organizationId: acme }]);
  await untilRelayed(acme);
}

type WebhookFacts = { readonly state?: 'enabled' | 'disabled'; readonly url?: string };

/** Stores a webhook, and deliveries to it and to one that was deleted. A disabled one gets no notices meanwhile. Returns its id. */
export async function addWebhook(acme: string, { state = 'disabled', url }: WebhookFacts = {}): Promise<string> {
  const [webhook, deleted] = [0, 1].map(() => ({
    organizationId: OrganizationId.parse(acme),
    webhookId: randomUUID(),
  })) as [{ organizationId: OrganizationId; webhookId: string }, { organizationId: OrganizationId; webhookId: string }];
  const now = new Date();
  const subject = { kind: 'webhook', id: webhook.webhookId } as const;
  const data = { revision: 1, webhookId: webhook.webhookId, state: 'disabled' } as const;
  const notice = noticeOf(webhook.organizationId, 'webhook.disabled', subject, data, now);
  const { documents } = openStores(endpoints);
  const put = (table: TableName, Item: Record<string, unknown>) =>
    documents.send(new PutCommand({ TableName: endpoints.tables[table], Item }));
  const { dueAt: _, dueShard: __, ...row } = noticePut('', notice).Put?.Item ?? {};
  await put('notices', row);
  const createdAt = now.toISOString();
  const by = state === 'disabled' && { disabledBy: 'owner' };
  const facts = { url: url ?? 'https://hooks.example/in?token=of-acme', description: '', signature: 'standard' };
  await put('webhooks', { ...webhookKey(webhook), ...facts, state, ...by, createdAt, secretVersion: 1 });
  for (const each of [webhook, deleted]) {
    const { id: noticeId, type } = notice;
    const delivery = { ...each, noticeId, type, createdAt, state: 'failed', attempts: 1, plannedAt: createdAt };
    await put('webhookDeliveries', { ...deliveryKey(each, noticeKeyOf(notice)), ...delivery });
  }
  return webhook.webhookId;
}

/** Waits until the stream has relayed every notice of an organization, after which its rows do not change. */
export async function untilRelayed(acme: string): Promise<void> {
  await eventually(async () => {
    const notices = (await findEverywhere(acme)).filter((each) => each.startsWith('notices '));
    if (notices.some((each) => each.includes('dueAt'))) throw new Error('A notice is not relayed yet.');
  });
}

/** Stores a connection with its secret, a webhook that waits for its session, and its body. Returns the id of the connection. */
export async function connectPlatform(acme: string, payload: unknown = { event: 'room_started' }): Promise<string> {
  const organizationId = OrganizationId.parse(acme);
  const connectionId = newConnectionId();
  const { documents } = openStores(endpoints);
  const receivedAt = '2026-03-01T09:00:00.000Z';
  const connection = { connectionId, organizationId, platform: 'livekit' as const, settings: {} };
  await connectionRepository(documents, String(endpoints.tables.connections)).put({
    ...connection,
    createdAt: receivedAt,
  });
  await createSecret(acme, connectionId);
  const hook: StoredHook = {
    connectionId,
    organizationId,
    platform: 'livekit',
    receivedAt,
    digest: randomUUID(),
    payload,
  };
  const key = await hookFiles(s3, String(endpoints.buckets.transcripts)).put(hook, randomUUID());
  const sessions = platformSessions(documents, String(endpoints.tables.platformSessions), { hookDays: 7 });
  await sessions.park({ organizationId, connectionId, roomName: '/daily' }, { key, receivedAt });
  return connectionId;
}

/** Creates the secret of a connection, as if the connection's row was not stored yet. */
export async function createSecret(acme: string, connectionId: string): Promise<void> {
  const secrets = [{ value: 'of the test', createdAt: '2026-03-01T09:00:00.000Z' }];
  await secretsManager.send(
    new CreateSecretCommand({
      Name: `${connectionSecretPrefix({ deployment: stackName('dev') })}${connectionId}`,
      SecretString: JSON.stringify({ secrets }),
      Tags: [{ Key: organizationTag, Value: acme }],
    }),
  );
}

type TrackFacts = {
  readonly participantId: string;
  readonly roomSessionId?: string;
  readonly location?: FileLocation;
};

/** Uploads a track of a recording that is still open, and sends its event. Returns its location. */
export async function finishTrack(acme: string, { participantId, ...facts }: TrackFacts): Promise<FileLocation> {
  const own = { bucket: String(endpoints.buckets.recordings), key: `tracks of ${acme}/${randomUUID()}.ogg` };
  const { roomSessionId = randomUUID(), location = own } = facts;
  if (location.bucket === own.bucket)
    await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body: 'OggS' }));
  const span = { startDate: '2026-03-01T09:00:00.000Z', endDate: '2026-03-01T09:01:00.000Z' };
  const data = { recordingId: randomUUID(), roomName: '/daily', roomSessionId, participantId, ...span, location };
  const event = { ...recordingEvent(acme, data), type: 'recording.track.finished' };
  if ((await deliver('record-room-events', [event])) !== 0) throw new Error('The event of the track was refused.');
  return location;
}

/** Stores a part of a work, and its file. Returns the id of the work. */
export async function addPart(acme: string, participantId: string): Promise<string> {
  const key = { organizationId: OrganizationId.parse(acme), workId: randomUUID() };
  const file = { bucket: String(endpoints.buckets.transcripts), key: `work/${acme}/${key.workId}/1.ogg` };
  await s3.send(new PutObjectCommand({ Bucket: file.bucket, Key: file.key, Body: 'OggS' }));
  const { documents } = openStores(endpoints);
  const works = workRepository(documents, String(endpoints.tables.transcriptionParts));
  await works.begin({ ...key, planKey: `work/${acme}/${key.workId}/plan.json`, partCount: 1 });
  await works.addPart({
    ...key,
    part: 1,
    state: 'running',
    participantId,
    from: 0,
    to: 60,
    submittedSeconds: 60,
    file,
  });
  return key.workId;
}

/** Sends the events of a session in each of two rooms, and samples of a third session without events. */
async function sendSessions(acme: string): Promise<void> {
  const rooms = ['/daily', '/weekly'].map((roomName) => sessionOf(acme, { roomName }));
  const events = rooms.flatMap((session) => [
    session.created('08:00'),
    session.started('09:00'),
    session.joined('p-1', '09:01', { externalId: 'crm-1' }),
    session.joined('p-2', '09:02'),
    session.rated('p-1', '09:03', 4, { comment: 'Clear.' }),
    session.left('p-1', '09:04'),
    session.sampled('p-1', '09:01', [1, 2, 3]),
    session.ended('09:30'),
  ]);
  await send(...events);
  await untilCounted(acme, events);
  const withoutEvents = sessionOf(acme);
  await send(withoutEvents.sampled('p-9', '09:01', [1, 2, 3]));
  await eventually(async () => {
    if (!(await findEverywhere(acme)).some((each) => each.includes('p-9')))
      throw new Error('The samples are not stored yet.');
  });
}

/** Reads the counts in a report. */
export function removedIn(report: string): Record<string, number> {
  return Object.fromEntries(
    [...report.matchAll(/^ {2}(.+?) {2,}(\d+)$/gm)].map(([, name, count]) => [name, Number(count)]),
  );
}

/** Removes the logs and samples of the sessions of a participant, as their expiry does. */
export async function expireFactsOf(acme: string, participantId: string): Promise<void> {
  const TableName = String(endpoints.tables.insightFacts);
  const { documents } = openStores(endpoints);
  const rows: { readonly factOwner: string; readonly factKey: string; readonly text: string }[] = [];
  for await (const item of itemsNear(acme, TableName)) {
    const { factOwner, factKey } = unmarshall(item) as Record<string, string>;
    const isOfSession = factOwner?.startsWith(`${acme}#`) && /^(events|samples)\0/.test(factKey ?? '');
    if (factOwner && factKey && isOfSession) rows.push({ factOwner, factKey, text: asText(item) });
  }
  const sessions = new Set(rows.filter(({ text }) => text.includes(participantId)).map(({ factOwner }) => factOwner));
  for (const { factOwner, factKey } of rows.filter((row) => sessions.has(row.factOwner)))
    await documents.send(new DeleteCommand({ TableName, Key: { factOwner, factKey } }));
}

/** Opens stores that fail after a number of calls. The response of the last call is lost. */
export function openStoresFailingAfter(calls: number) {
  const stores = openStores(endpoints);
  let done = 0;
  for (const client of Object.values(stores) as Pick<DynamoDBDocumentClient, 'middlewareStack'>[]) {
    const counting: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => async (args) => {
      if (done >= calls) throw new Error('killed');
      const answer = await next(args);
      done += 1;
      if (done >= calls) throw new Error('killed');
      return answer;
    };
    client.middlewareStack.add(counting, { step: 'initialize' });
  }
  return { stores, done: () => done };
}
