import { createHmac, randomUUID } from 'node:crypto';
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { newConnectionId } from '#operations/connections/new-connection-id.ts';
import { organizationTag } from '#operations/connections/secrets.ts';
import { hookFiles } from '#shared/adapters/platforms/hook-files.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection, PlatformName } from '#shared/contracts/platforms/connection.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { dynamodb, secretsManager } from '../../../support/machine.ts';
import type { PostedHook } from '../api-call.ts';
import { secretPrefix } from '../functions.ts';
import { questionsOf } from '../insights/insight-model.ts';
import { readInsights } from '../insights/insights-reader.ts';
import { seededOrganization } from '../transcriptions/hand-over.ts';
import type { World } from '../world.ts';

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
const secret = Buffer.from('secret of the tests').toString('base64');
/** The ids of everything that Daily names in the tests. */
const meetingId = '9a9f6a3e-8c1d-4a4b-9a77-0a2b1c3d4e5f';

/** What Daily sends. */
export type DailyHook = { readonly type: string; readonly payload: object };

/** The webhooks of a meeting in Daily at seconds after its start. They name no organization. */
export const meeting = (room = 'standup', id = meetingId) => {
  const start = Date.parse('2026-03-01T09:00:00.250Z') / 1000;
  const ofMeeting = { meeting_id: id, room, start_ts: start };
  const of = (name: string, second: number) => ({
    ...{ room, session_id: `connection of ${name}`, user_id: name, user_name: name, owner: false },
    joined_at: start + second,
  });
  return {
    started: (): DailyHook => ({ type: 'meeting.started', payload: ofMeeting }),
    ended: (second = 600): DailyHook => ({ type: 'meeting.ended', payload: { ...ofMeeting, end_ts: start + second } }),
    joined: (name: string, second = 10): DailyHook => ({ type: 'participant.joined', payload: of(name, second) }),
    left: (name: string, duration = 60, second = 10): DailyHook => ({
      type: 'participant.left',
      payload: { ...of(name, second), duration },
    }),
  };
};

/** Connects a platform for an organization of its own. */
export async function connect(
  { resources }: World,
  platform: PlatformName = 'daily',
  settings: Connection['settings'] = {},
): Promise<Connection> {
  const connection: Connection = {
    ...{ connectionId: newConnectionId(), platform, settings },
    organizationId: OrganizationId.parse(seededOrganization(platform)),
    createdAt: '2026-03-01T08:00:00.000Z',
  };
  const { connectionId, organizationId, createdAt } = connection;
  const SecretString = JSON.stringify({ secrets: [{ value: secret, createdAt }] });
  const Tags = [{ Key: organizationTag, Value: organizationId }];
  await secretsManager.send(new CreateSecretCommand({ Name: `${secretPrefix}${connectionId}`, SecretString, Tags }));
  await connectionRepository(documents, resources.tables.connections).put(connection);
  return connection;
}

/** Signs a webhook as Daily does. */
export function signed({ clock }: World, { connectionId }: Connection, hook: DailyHook): PostedHook {
  const body = JSON.stringify(hook);
  const time = String(Math.floor(clock.getTime() / 1000));
  const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${time}.${body}`).digest('base64');
  return { connectionId, body, headers: { 'x-webhook-timestamp': time, 'x-webhook-signature': signature } };
}

/** Stores a verified webhook, and returns the body of the message that points to it. */
export async function stored({ resources }: World, connection: Connection, payload: object): Promise<string> {
  const { connectionId, organizationId, platform } = connection;
  const hook = { connectionId, organizationId, platform, receivedAt: '2026-03-01T10:00:00.000Z', payload };
  const files = hookFiles(resources.s3, resources.buckets.transcripts);
  const key = await files.put({ ...hook, digest: 'd'.repeat(64) }, randomUUID());
  return JSON.stringify({ organizationId, connectionId, key });
}

/** The rows of an organization in platformSessions. */
export async function platformRows({ resources }: World, organizationId: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: resources.tables.platformSessions,
      KeyConditionExpression: 'organizationId = :organizationId',
      ExpressionAttributeValues: { ':organizationId': organizationId },
      ConsistentRead: true,
    }),
  );
  return Items;
}

/**
 * Everything that came of the webhooks of a connection: the distinct events, the rows that remember sessions, and the insights. It has no id
 * that differs from one organization to another, so the outcomes of two of them can be compared.
 */
export async function outcomeOf(world: World, connection: Connection): Promise<unknown> {
  const { organizationId, connectionId } = connection;
  const events = world.sent.of(organizationId).toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
  const rows = (await platformRows(world, organizationId)).map(({ version: _, expiresAt: __, ...row }) => row);
  const insights = await readInsights(world, organizationId, questionsOf(events), { order: 0 });
  let text = JSON.stringify({ events, rows, insights });
  const sessions = new Set(events.flatMap(({ data }) => ('roomSessionId' in data ? (data.roomSessionId ?? []) : [])));
  for (const [index, id] of [...sessions].entries()) text = text.replaceAll(id, `session ${index}`);
  return inOrder(JSON.parse(text.replaceAll(organizationId, 'organization').replaceAll(connectionId, 'connection')));
}

/** Sorts all lists and fields, because equal values are listed in the order of their ids, and DynamoDB returns attributes in any order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((each) => ({ each: inOrder(each), text: JSON.stringify(inOrder(each)) }));
    return elements.toSorted((one, other) => (one.text < other.text ? -1 : 1)).map(({ each }) => each);
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, each]) => [name, inOrder(each)]));
}
