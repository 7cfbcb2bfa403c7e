import { setTimeout as delay } from 'node:timers/promises';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { newConnectionId } from '#operations/connections/new-connection-id.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { type Connection, hookUrl } from '#shared/contracts/platforms/connection.ts';
import { connectionSecretPrefix } from '#shared/runtime/names.ts';
import { untilDrained } from '#tools/shared/queue-depth.ts';
import { untilApiAgrees } from '#tools/simulation/agreement.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { insightsApi } from '#tools/simulation/insights-api.ts';
import { recount } from '#tools/simulation/recount.ts';
import { sendEvents } from '#tools/simulation/send.ts';
import { dynamodb, endpoints, organization, sqs, token } from '../support/machine.ts';
import type { Dialect, Target, Webhook } from './dialect.ts';
import type { Meeting } from './meeting.ts';
import { arrivingOf, expectedOf } from './played.ts';

const stack = 'Roomscribe-dev';
const meetingsAtOnce = 2;
const postsAtOnce = 2;
const mostAttempts = 10;
const retryMs = 500;

/** A connection on the machine, with its organization, and how its platform speaks. */
export type Connected = { readonly dialect: Dialect; readonly organizationId: string; readonly target: Target };

/** Connects a platform for an organization of its own. */
export async function connect(dialect: Dialect): Promise<Connected> {
  const connectionId = newConnectionId();
  const organizationId = organization() as OrganizationId;
  const { platform, settings = {}, secret } = dialect;
  const createdAt = new Date().toISOString();
  const Item: Connection = { connectionId, organizationId, platform, settings, createdAt };
  const secrets = new SecretsManagerClient({
    region: endpoints.region,
    endpoint: endpoints.secretsManagerUrl,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const Name = `${connectionSecretPrefix({ deployment: stack })}${connectionId}`;
  const SecretString = JSON.stringify({ secrets: [{ ...secret, createdAt }] });
  await secrets.send(new CreateSecretCommand({ Name, SecretString }));
  await DynamoDBDocumentClient.from(dynamodb).send(new PutCommand({ TableName: endpoints.tables.connections, Item }));
  return { dialect, organizationId, target: { url: hookUrl(endpoints.apiUrl, Item), secret } };
}

/** Posts the webhooks of meetings, shuffled, some of them twice, and without those that are lost. Throws unless each answer is a 200. */
export async function play({ dialect, target }: Connected, meetings: readonly Meeting[]): Promise<void> {
  await inParallel(meetings, meetingsAtOnce, async (meeting) => {
    const webhooks = await arrivingOf(dialect, meeting, target); // signed now, because signatures get too old
    await inParallel(webhooks, postsAtOnce, (webhook) => post(target, webhook));
  });
}

/** Sends the same meetings in our own form for another organization, which it returns. */
export async function playNatively(dialect: Dialect, meetings: readonly Meeting[]): Promise<string> {
  const organizationId = organization();
  const events = expectedOf(dialect, organizationId, meetings);
  await sendEvents(events, { endpoints, sqs: { send: sqs.send.bind(sqs), destroy: () => {} } });
  return organizationId;
}

/** Waits until all that was sent has been handled. */
export function untilHandled(): Promise<void> {
  const queues = Object.entries(endpoints.queues).filter(([name]) => !name.endsWith('Dlq'));
  return untilDrained(
    sqs,
    queues.map(([, url]) => url),
    { patienceMs: 180_000 }, // some webhooks wait for a minute
  );
}

/** The first difference of an organization's insights from those of meetings told in our own form; undefined if there is none. */
export async function differenceFrom(
  dialect: Dialect,
  organizationId: string,
  meetings: readonly Meeting[],
): Promise<string | undefined> {
  const expected = recount(organizationId, expectedOf(dialect, organizationId, meetings));
  const api = apiOf(organizationId);
  const { difference } = await untilApiAgrees(expected, api, { patienceMs: 20_000 });
  if (difference !== undefined) return difference;
  const known = new Set(expected.rooms.map(({ roomName }) => roomName));
  const stranger = (await api.rooms()).find(({ roomName }) => !known.has(roomName));
  return stranger && `room ${stranger.roomName} must not exist`;
}

/** What insights say of a meeting, without its ids and without what is not a figure of attendance. */
export async function attendanceOf(organizationId: string, { room }: Meeting) {
  const api = apiOf(organizationId);
  const [session] = await api.sessionsOf(`/${room}`);
  if (!session) return undefined;
  const {
    startedAt,
    endedAt,
    completeness,
    totalParticipantMinutes: minutes,
    totalUniqueParticipants: people,
  } = session;
  const participants = await api.participantsOf(session.roomSessionId);
  const stays = participants.map(({ displayName, joinedAt, leftAt }) => ({ displayName, joinedAt, leftAt }));
  const sorted = stays.toSorted((one, other) => (one.joinedAt < other.joinedAt ? -1 : 1));
  return { figures: { startedAt, endedAt, minutes, people, stays: sorted }, missing: completeness.missing };
}

function apiOf(organizationId: string) {
  return insightsApi(endpoints.apiUrl, () => token(organizationId));
}

/** Posts a webhook, and again while the machine is too busy to take it: every platform repeats a webhook after a 5xx. */
export async function post({ url }: Target, { below = '', query, headers, body }: Webhook): Promise<void> {
  const address = `${url}${below}${query === undefined ? '' : `?${query}`}`;
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(address, { method: 'POST', headers, body });
    if (response.status === 200) return;
    const text = await response.text();
    if (response.status < 500 || attempt === mostAttempts)
      throw new Error(`${address} returned ${response.status} ${text}`);
    await delay(retryMs);
  }
}
