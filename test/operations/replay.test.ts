import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, inject, test } from 'vitest';
import { openStores } from '#operations/erasure/deployment.ts';
import { runOrganization } from '#operations/organization/run.ts';
import { hookFiles } from '#shared/adapters/platforms/hook-files.ts';
import { manifestFiles } from '#shared/adapters/platforms/manifest-files.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import type { NewEvent, Platform } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { messageSender } from '#shared/queue/send.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { platformSessions } from '#shared/storage/platforms/platform-sessions.ts';
import { storedHook } from '#shared/use-cases/platforms/receive-hook.ts';
import { translateHook } from '#shared/use-cases/platforms/translate-hook.ts';
import { eventually } from '../support/eventually.ts';
import { insightsOf } from '../support/insights/insights.ts';
import { dynamodb, endpoints, logOf, s3, sqs } from '../support/machine.ts';
import { fakeCloudFormation, fakeCognito } from '../support/operations/fake-cognito.ts';
import { connectPlatform } from '../support/webhooks/connections.ts';

const dataDir = await mkdtemp(path.join(inject('machine').temporaryFolder, 'replay-'));
await writeFile(path.join(dataDir, 'endpoints.json'), JSON.stringify(endpoints));

async function replay({ organizationId, connectionId }: Connection, ...args: readonly string[]): Promise<string> {
  return runOrganization(['replay', organizationId, connectionId, '--data-dir', dataDir, ...args], {
    cloudFormation: fakeCloudFormation('Roomscribe-prod', {}),
    cognito: fakeCognito().cognito,
    openStores,
    terminal: { show: () => {}, end: () => {}, print: () => {} },
    askSecret: async () => undefined,
  });
}

const startedAt = Date.now() - 3_600_000;
const timeOf = (minute: number) => new Date(startedAt + minute * 60_000);
const session = { roomName: '/standup', roomSessionId: randomUUID() };

/** What Whereby tells about two people. */
const webhooks = [
  hook('room.session.started', 0),
  hook('room.client.joined', 0, 'ada'),
  hook('room.client.joined', 1, 'grace'),
  hook('room.client.left', 20, 'ada'),
  hook('room.client.left', 30, 'grace'),
  hook('room.session.ended', 30),
];

function hook(type: string, minute: number, participantId?: string) {
  const person = participantId && { participantId, displayName: participantId, roleName: 'host', metadata: null };
  const data = { meetingId: '1', subdomain: 'acme', ...session, ...person };
  return { id: randomUUID(), apiVersion: '1.0', createdAt: timeOf(minute).toISOString(), type, data };
}

/** A defect: it takes every leave for a webhook without meaning. */
const defective: Platform = {
  ...platforms.whereby,
  translate: (each, state) =>
    (each.payload as { readonly type: string }).type === 'room.client.left'
      ? { events: [] }
      : platforms.whereby.translate(each, state),
};

const hooks = hookFiles(s3, String(endpoints.buckets.transcripts));

/** Stores a webhook when it arrives, and translates it as translate-hooks does, with the defect. */
async function receive(connection: Connection, payload: (typeof webhooks)[number]): Promise<void> {
  const documents = DynamoDBDocumentClient.from(dynamodb);
  const rawBody = Buffer.from(JSON.stringify(payload));
  const request = { headers: {}, rawQueryString: '', rawBody, url: '' };
  const key = await hooks.put(
    storedHook(platforms.whereby, connection, request, new Date(payload.createdAt)),
    randomUUID(),
  );
  await translateHook(
    {
      connections: connectionRepository(documents, String(endpoints.tables.connections)),
      hooks,
      sessions: platformSessions(documents, String(endpoints.tables.platformSessions), { hookDays: 7 }),
      insights: sessionRepository(documents, String(endpoints.tables.roomSessions)),
      timeBounds: { daysAhead: 1, daysBack: 365 },
      manifests: manifestFiles(s3),
      platforms: { ...platforms, whereby: defective },
      buckets: { recordings: String(endpoints.buckets.recordings), transcripts: String(endpoints.buckets.transcripts) },
      sendHooks: async () => {},
      sendEvents: messageSender<NewEvent>(sqs, String(endpoints.queues.roomEvents)).send,
    },
    { connectionId: connection.connectionId, key },
    () => {},
  );
}

/** Everything that insights say about the meeting. */
async function insights({ organizationId }: Connection) {
  const { rooms, roomSessions, participants } = insightsOf(organizationId);
  return {
    rooms: (await rooms()).results,
    sessions: (await roomSessions({ roomName: session.roomName })).results,
    people: (await participants({ roomSessionId: session.roomSessionId })).results,
  };
}

/** How many events of an organization record-room-events has handled. */
async function handled({ organizationId }: Connection): Promise<number> {
  const lines = (await logOf('record-room-events')).split('\n');
  return lines.filter((line) => line.includes('"message done"') && line.includes(`"${organizationId}"`)).length;
}

test('a replay after a mended translator adds what was missing, of its period and connection, and a second one changes nothing', async () => {
  const acme = await connectPlatform('whereby', { value: 'secret' });
  const other = await connectPlatform('whereby', { value: 'secret' }, acme.organizationId);
  for (const webhook of webhooks) await receive(acme, webhook);
  await receive(other, hook('room.client.left', 25, 'ada')); // would count if it were replayed, too
  await eventually(async () => {
    expect((await insights(acme)).people).toHaveLength(2);
    expect(await handled(acme)).toBe(4);
  });
  const before = await insights(acme);
  expect(before.sessions).toMatchObject([{ completeness: { missing: ['leave'] } }]);

  const [from, to] = [timeOf(19), timeOf(21)].map((time) => time.toISOString());
  expect(await replay(acme, '--from', String(from), '--to', String(to))).toContain('Sent 1 of 6 stored webhooks');
  await eventually(async () => expect(await handled(acme)).toBe(5));
  const partly = await insights(acme);
  const missing = Object.fromEntries(partly.people.map((each) => [each.participantId, each.completeness.missing]));
  expect(missing).toEqual({ ada: [], grace: ['leave'] });

  expect(await replay(acme)).toContain('Sent 6 of 6 stored webhooks');
  await eventually(async () => expect(await handled(acme)).toBe(11));
  const after = await insights(acme);
  expect(after.sessions).toMatchObject([{ completeness: { state: 'observed', missing: [] } }]);

  await replay(acme);
  await eventually(async () => expect(await handled(acme)).toBe(17));
  expect(await insights(acme)).toEqual(after);
});
