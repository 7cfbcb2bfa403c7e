import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Connection } from '#shared/contracts/connection.ts';
import type { Notice } from '#shared/contracts/notices.ts';
import type { Speaker } from '#shared/contracts/speaker.ts';
import { newLink } from '#shared/domain/link-to-transcript.ts';
import { noticeOf } from '#shared/domain/notice.ts';
import { newWebhook } from '#shared/domain/webhook-changes.ts';
import { connectionSecretPrefix, type TableName } from '#shared/names.ts';
import { connectionRepository } from '#shared/storage/connections.ts';
import { noticeKeyOf, noticePut } from '#shared/storage/notice-put.ts';
import { refusedEventLog } from '#shared/storage/refused-events.ts';
import { linkRepository } from '#shared/storage/transcriptions/links.ts';
import { recordingRegistration } from '#shared/storage/transcriptions/registration.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { speakerRepository } from '#shared/storage/transcriptions/speakers.ts';
import { webhookCreation } from '#shared/storage/webhooks/creation.ts';
import { deliveryKey } from '#shared/storage/webhooks/rows.ts';
import type { LocalServices } from '#tools/local/local-services.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { describeOutputs } from '#tools/shared/endpoints.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { createSamples } from '#tools/simulation/samples.ts';
import { capacityMeter } from '../../support/capacity-meter.ts';
import { minuteClock } from '../../support/insight-consumption.ts';
import { insightFunctions } from '../../support/insight-functions.ts';
import { fillLists } from '../../support/list-consumption.ts';
import { organizationId as toOrganizationId, transcriptionRecord, uuid } from '../../support/records.ts';
import { newGuest, platformOf } from '../../support/session-events.ts';
import { writeRows } from '../../support/stored-rooms.ts';

/** The organization of the calls. Its id is as long as that of a client of Cognito. */
export const organizationId = toOrganizationId('bench-warm-organization-1a');
/** Objects of each kind. A call that changes one takes the next. */
export const count = 60;

/** The token of a link, the id of a connection, and the secret of its webhooks. */
export const linkToken = 'A'.repeat(43);
export const connectionId = 'C'.repeat(43);
export const hookSecret = 'c2VjcmV0LW9mLWRhaWx5LWZvci10ZXN0cw==';

/** The session with four people, of whom one has samples of an hour. */
export const session = { roomName: '/team/standup', roomSessionId: uuid(9_000) };
const guests = [9_001, 9_002, 9_003, 9_004].map((number) =>
  newGuest({ participantId: uuid(number), deviceId: uuid(number + 100), userId: uuid(number + 200) }),
);

/** The ids of the n-th transcription, recording and webhook. */
export const transcriptionId = (index: number): string => uuid(100_000 + index);
export const recordingId = (index: number): string => uuid(200_000 + index);
export const webhookId = (index: number): string => uuid(300_000 + index);
export const [participantId] = guests.map((guest) => guest.participantId) as [string];

type World = {
  readonly documents: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<TableName, string>>;
  readonly buckets: Readonly<Record<string, string>>;
};

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
  await connect(world, stack.deployment.stackName, new SecretsManagerClient(clientSettings(urls.secretsManager)));
}

async function fillSession({ documents, tables }: World): Promise<void> {
  const insights = insightFunctions(documents, tables);
  const platform = platformOf(organizationId, minuteClock());
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
    key: `${organizationId}/standup/${recordingId(index)}.mp4`,
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
  const { register } = recordingRegistration(documents, tables);
  for (let index = 0; index < count; index++) {
    const row = { languageCode: 'en-US', speakers: guests.map((_, number) => speakerOf(number)) };
    await speakers.begin({ organizationId, transcriptionId: transcriptionId(index) }, row);
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

/** The n-th notice of the organization. */
export function sessionNotice(index: number): Notice & { readonly organizationId: typeof organizationId } {
  const at = new Date(startedAt - index * 3_600_000);
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
