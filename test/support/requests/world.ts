import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Notice } from '#shared/contracts/notices.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import type { Speaker } from '#shared/contracts/transcript/speaker.ts';
import { newLink } from '#shared/domain/links/link-to-transcript.ts';
import { noticeOf } from '#shared/domain/notices/notice.ts';
import { newWebhook } from '#shared/domain/webhooks/webhook-changes.ts';
import { connectionSecretPrefix, type TableName } from '#shared/runtime/names.ts';
import { startOfWindow } from '#shared/storage/common/window-counts.ts';
import { linkRepository } from '#shared/storage/links/links.ts';
import { noticeKeyOf, noticePut } from '#shared/storage/notices/notice-put.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { refusedEventLog } from '#shared/storage/platforms/refused-events.ts';
import { recordingRegistration } from '#shared/storage/transcriptions/recordings/registration.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { speakerChanges } from '#shared/storage/transcriptions/speakers/speaker-changes.ts';
import { speakerRepository } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { webhookCreation } from '#shared/storage/webhooks/creation.ts';
import { deliveryKey } from '#shared/storage/webhooks/rows.ts';
import type { LocalServices } from '#tools/local/local-services.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { describeOutputs } from '#tools/shared/endpoints.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { createSamples } from '#tools/simulation/samples.ts';
import { minuteClock } from '../insights/insight-consumption.ts';
import { insightFunctions } from '../insights/insight-functions.ts';
import { newGuest, platformOf } from '../insights/session-events.ts';
import { writeRows } from '../insights/stored-rooms.ts';
import { organizationId as toOrganizationId, transcriptionRecord, uuid } from '../operations/records.ts';
import { capacityMeter } from '../storage/capacity-meter.ts';
import { fillLists } from '../storage/list-consumption.ts';

/** The organization of the calls. Its id is as long as that of a client of Cognito. */
export const organizationId = toOrganizationId('requests-of-organization-1');
/** Objects of each kind. A call that changes one takes the next. */
export const count = 60;

/** The token of a link, the id of a connection, and the secret of its webhooks. */
export const linkToken = 'A'.repeat(43);
export const connectionId = 'C'.repeat(43);
export const hookSecret = 'c2VjcmV0LW9mLWRhaWx5LWZvci10ZXN0cw==';

/** The session with four people, of whom one has samples of an hour. */
export const session = { roomName: '/team/standup', roomSessionId: uuid(9_000) };
/** The ids of events are the same in every run, because the size of a compressed item depends on them. */
const { uuid: newId } = createRandom('world');
const guests = [9_001, 9_002, 9_003, 9_004].map((number) =>
  newGuest({ participantId: uuid(number), deviceId: uuid(number + 100), userId: uuid(number + 200) }),
);

/** The ids of the n-th transcription, recording and webhook. */
export const transcriptionId = (index: number): string => uuid(100_000 + index);
export const recordingId = (index: number): string => uuid(200_000 + index);
export const mediaKey = (index: number): string => `${organizationId}/standup/${recordingId(index)}.mp4`;
export const webhookId = (index: number): string => uuid(300_000 + index);
export const [participantId] = guests.map((guest) => guest.participantId) as [string];

type World = {
  readonly documents: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<TableName, string>>;
  readonly buckets: Readonly<Record<string, string>>;
};

/** The first transcription with a speaker whom somebody has corrected. */
export const firstCorrected = 50;
/** An organization that has spent its points of the next minutes. */
export const exhaustedId = toOrganizationId('bench-empty-organization-1');

/** Fills the local services with what an organization has after some weeks. `receiverUrl` is where its webhooks are sent. */
export async function fillWorld({ stack, urls }: LocalServices, receiverUrl: string): Promise<void> {
  const meter = capacityMeter(clientSettings(urls.dynamodb));
  const { tables, buckets } = describeOutputs(stack.outputs);
  const world = { documents: meter.documents, tables: tables as World['tables'], buckets };
  await fillLists(meter, world.tables, organizationId, count);
  await fillSession(world);
  await fillTranscriptions(world, new S3Client({ ...clientSettings(urls.s3), forcePathStyle: true }));
  await fillWebhooks(world, receiverUrl);
  await refuseEvents(world);
  await spendAllPoints(world);
  await connect(world, stack.deployment.stackName, new SecretsManagerClient(clientSettings(urls.secretsManager)));
}

async function fillSession({ documents, tables }: World): Promise<void> {
  const insights = insightFunctions(documents, tables);
  const platform = platformOf(organizationId, minuteClock(), newId);
  const joins = guests.map((guest) => platform.joined(session, guest));
  await insights.record(platform.created(session.roomName), platform.started(session), ...joins);
  const from = Date.parse(joins[0]?.createdAt ?? '');
  const client = { roomSessionId: session.roomSessionId, participantId };
  const times = { from, to: from + 3_600_000 };
  const minutes = createSamples(createRandom('warm', 1), client, times, 'good');
  for (const { data } of minutes) await insights.record(platform.sampled(data));
}

async function fillTranscriptions({ documents, tables, buckets }: World, s3: S3Client): Promise<void> {
  const location = (index: number) => ({
    bucket: String(buckets.recordings),
    key: mediaKey(index),
  });
  const record = (index: number) =>
    transcriptionRecord({
      ...{ ...session, organizationId, transcriptionId: transcriptionId(index), recordingId: recordingId(index) },
      ...{ state: 'ready', durationInSeconds: 1872, revision: 2, location: location(index) },
      createdAt: new Date(Date.parse('2026-03-01T09:00:00Z') + index * 60_000).toISOString(),
      filename: `${transcriptionId(index)}.md`,
    });
  await writeRows(documents, tables.transcriptions, { count, make: (index) => toRow(record(index)) });
  const speakers = speakerRepository(documents, tables);
  const changes = speakerChanges(documents, tables);
  const { register } = recordingRegistration(documents, tables);
  for (let index = 0; index < count; index++) {
    const key = { organizationId, transcriptionId: transcriptionId(index) };
    const row = { languageCode: 'en-US', speakers: guests.map((_, number) => speakerOf(number)) };
    await speakers.begin(key, row);
    const read = { row: { ...row, corrections: {}, revision: 0 }, transcription: record(index) };
    if (index >= firstCorrected) await changes.change(key, read, { corrections });
    const finished = { ...session, organizationId, recordingId: recordingId(index + count) };
    const times = { startDate: '2026-03-01T09:00:00.000Z', endDate: '2026-03-01T09:31:12.000Z' };
    const file = { filename: 'standup.mp4', location: location(index + count) };
    await register({ ...finished, ...times, ...file, finishedAt: '2026-03-01T09:31:15.000Z' });
  }
  const { bucket: Bucket, key: Key } = location(0);
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'media', ContentType: 'video/mp4' }));
  const link = newLink(record(0), { validForSeconds: 43_200 }, new Date());
  await linkRepository(documents, tables.accessLinks).add(linkToken, link);
}

const corrections = { 'Speaker 2': { participantId: null, displayName: 'Ada Lovelace' } };

function speakerOf(index: number): Speaker {
  const { participantId: id = null } = guests[index] ?? {};
  return {
    ...{ speaker: `Speaker ${index + 1}`, participantId: id, displayName: 'Katarína Castillo', source: 'track' },
    ...{ confidence: 1, spokenSeconds: 468, turns: 41, share: 0.25, longestTurnSeconds: 31.5, overlapSeconds: 4.25 },
  };
}

/** Ten webhooks. The first one has deliveries. */
async function fillWebhooks({ documents, tables }: World, url: string): Promise<void> {
  const creation = webhookCreation(documents, tables);
  for (let index = 0; index < 8; index++) {
    const body = { url, description: 'Minutes of the board', signature: 'standard' } as const;
    const ids = { webhookId: webhookId(index), creationId: uuid(400_000 + index), now: new Date() };
    await creation.create(newWebhook(organizationId, body, ids), await creation.count(organizationId));
  }
  for (let index = 0; index < count; index++) {
    const notice = sessionNotice(index);
    const put = noticePut(tables.notices, notice);
    await documents.send(new TransactWriteCommand({ TransactItems: [put] }));
    const webhook = { organizationId, webhookId: webhookId(0) };
    const { id: noticeId, createdAt, type } = notice;
    const row = { ...webhook, noticeId, createdAt, type, plannedAt: createdAt };
    const result = { state: 'delivered', attempts: 1, lastAttemptAt: createdAt, answerCode: 204, latencyMs: 87 };
    const Item = { ...deliveryKey(webhook, noticeKeyOf(notice)), ...row, ...result };
    await documents.send(new PutCommand({ TableName: tables.webhookDeliveries, Item }));
  }
}

/** The n-th notice of the organization. They are an hour apart, unless a time is given. */
export function sessionNotice(
  index: number,
  at = new Date(startedAt - index * 3_600_000),
): Notice & { readonly organizationId: typeof organizationId } {
  const data = { ...session, revision: 1, roomSessionId: uuid(500_000 + index), startedAt: at.toISOString() };
  return noticeOf(organizationId, 'room.session.started', { kind: 'session', id: data.roomSessionId }, data, at);
}
const startedAt = Date.now();

async function refuseEvents({ documents, tables }: World): Promise<void> {
  const refusals = Array.from({ length: count }, (_, index) => ({
    ...{ organizationId, messageId: uuid(600_000 + index), sentAt: new Date(startedAt - index * 1000), receives: 1 },
    ...{ eventId: uuid(700_000 + index), type: 'room.client.joined', roomSessionId: session.roomSessionId },
    issues: [{ path: 'data.participantId', message: 'is required' }],
  }));
  await refusedEventLog(documents, tables)(refusals);
}

async function spendAllPoints({ documents, tables }: World): Promise<void> {
  const from = startOfWindow(Date.now(), minuteMs);
  for (let minute = 0; minute < 10; minute++) {
    const window = { organizationId: exhaustedId, minute: new Date(from + minute * minuteMs).toISOString() };
    const Item = { ...window, points: 1_000_000, expiresAt: from / 1000 + 3_600 };
    await documents.send(new PutCommand({ TableName: tables.rateLimits, Item }));
  }
}
const minuteMs = 60_000;

async function connect(
  { documents, tables }: World,
  deployment: string,
  secretsManager: SecretsManagerClient,
): Promise<void> {
  const createdAt = new Date().toISOString();
  const SecretString = JSON.stringify({ secrets: [{ value: hookSecret, createdAt }] });
  const Name = `${connectionSecretPrefix({ deployment })}${connectionId}`;
  await secretsManager.send(new CreateSecretCommand({ Name, SecretString }));
  const connection: Connection = { connectionId, organizationId, platform: 'daily', settings: {}, createdAt };
  await connectionRepository(documents, tables.connections).put(connection);
}
