import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, inject, it } from 'vitest';
import { newConnectionId } from '#operations/connections/new-connection-id.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { type Connection, hookUrl, maxHookBytes } from '#shared/contracts/platforms/connection.ts';
import { uuidOf } from '#shared/platforms/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { dynamodb, endpoints, organization, s3 } from '../../support/machine.ts';
import { registered } from '../../support/media/recordings.ts';
import { connectPlatform } from '../../support/webhooks/connections.ts';

const secret = 'c2VjcmV0LW9mLWRhaWx5LWZvci10ZXN0cw==';

type Sent = { readonly body?: string; readonly by?: string; readonly at?: number; readonly headers?: object };

const meeting = (more: object = {}) =>
  JSON.stringify({
    type: 'meeting.started',
    payload: { meeting_id: 'm', room: 'r', start_ts: 1_768_471_207 },
    ...more,
  });

/** Posts a webhook of Daily, signed unless its headers say otherwise. */
async function post(url: string, { body = meeting(), by = secret, at = Date.now(), headers = {} }: Sent = {}) {
  const time = String(Math.floor(at / 1000));
  const signature = createHmac('sha256', Buffer.from(by, 'base64')).update(`${time}.${body}`).digest('base64');
  const signed = { 'content-type': 'application/json', 'x-webhook-timestamp': time, 'x-webhook-signature': signature };
  return fetch(url, { method: 'POST', body, headers: { ...signed, ...headers } });
}

async function storedOf({ organizationId, connectionId }: Connection): Promise<string[]> {
  const Bucket = endpoints.buckets.transcripts;
  const Prefix = `hooks/${organizationId}/${connectionId}/`;
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix }));
  const read = async (Key: string | undefined) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return (await Body?.transformToString()) ?? '';
  };
  return Promise.all(Contents.map(({ Key }) => read(Key)));
}

const urlOf = (connection: Pick<Connection, 'connectionId' | 'platform'>) => hookUrl(endpoints.apiUrl, connection);

let daily: Connection;
beforeAll(async () => {
  daily = await connectPlatform('daily', { value: secret });
});

it('gives every webhook that is not authentic the same 401, and stores none', async () => {
  const connection = await connectPlatform('daily', { value: secret });
  const unknown = { ...connection, connectionId: newConnectionId() };
  const url = urlOf(connection);
  const answers = [
    await post(urlOf(unknown)),
    await post(url.replace(connection.connectionId, 'short')),
    await post(url, { headers: { 'x-webhook-signature': '' } }),
    await post(url, { headers: { 'x-webhook-signature': 'AAAA' } }),
    await post(url, { by: 'YW5vdGhlcg==' }),
    await post(url, { at: Date.now() - 11 * 60_000 }),
  ];
  const seen = await Promise.all(
    answers.map(async (answer) => ({
      status: answer.status,
      body: await answer.text(),
      challenge: answer.headers.get('www-authenticate'),
      type: answer.headers.get('content-type'),
    })),
  );
  expect(new Set(seen.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(seen[0]?.status).toBe(401);
  expect(await storedOf(connection)).toEqual([]);
});

it('takes a webhook with any content type, path and query, and stores it without its secrets', async () => {
  const connection = await connectPlatform('daily', { value: secret });
  const body = meeting({ share_token: 'secret-share-token', more: [{ download_link: 'secret-link' }] });
  for (const type of ['application/json', 'application/webhook+json', 'application/octet-stream']) {
    const { status } = await post(`${urlOf(connection)}/below?a=1&a=2`, { body, headers: { 'content-type': type } });
    expect([type, status]).toEqual([type, 200]);
  }
  const stored = await storedOf(connection);
  expect(stored).toHaveLength(3);
  for (const text of stored) {
    expect(JSON.parse(text)).toMatchObject({ payload: { type: 'meeting.started', more: [{}] } });
    expect(text).not.toMatch(/secret-(share|link)/);
  }
  const { logFolder } = inject('machine');
  for (const name of ['receive-hook', 'translate-hooks'])
    await eventually(() => {
      const log = readFileSync(path.join(logFolder, `${name}.log`), 'utf8');
      expect(log).toContain(connection.connectionId);
      expect(log).not.toMatch(/secret-(share|link)|c2VjcmV0/);
    });
});

it('takes a body of 1 MiB, and refuses a larger one', async () => {
  const connection = await connectPlatform('daily', { value: secret });
  const fill = (bytes: number) => meeting({ fill: 'x'.repeat(bytes - meeting({ fill: '' }).length) });
  expect((await post(urlOf(connection), { body: fill(maxHookBytes + 1) })).status).toBe(413);
  expect(await storedOf(connection)).toEqual([]);
  expect((await post(urlOf(connection), { body: fill(maxHookBytes) })).status).toBe(200);
});

it('answers the probe of a platform, which is not signed, and stores nothing', async () => {
  const connection = await connectPlatform('daily', { value: secret });
  const unsigned = { 'x-webhook-signature': '', 'x-webhook-timestamp': '' };
  for (const body of ['{"test":"test"}', '{"test":true}'])
    expect((await post(urlOf(connection), { body, headers: unsigned })).status).toBe(200);
  expect(await storedOf(connection)).toEqual([]);
});

it('gives an authentic webhook that cannot be read a 400', async () => {
  const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  for (const body of ['no JSON', nested]) expect((await post(urlOf(daily), { body })).status).toBe(400);
});

it('gives a connection that has used up its minute a 429 with Retry-After, and goes on for others', async () => {
  const [flooded, quiet] = [await connectPlatform('daily', { value: secret }), daily];
  const documents = DynamoDBDocumentClient.from(dynamodb);
  const thisMinute = Math.floor(Date.now() / 60_000) * 60_000;
  for (const start of [thisMinute, thisMinute + 60_000]) // the minute can end before the webhook arrives
    await documents.send(
      new PutCommand({
        TableName: endpoints.tables.rateLimits,
        Item: {
          ...{ organizationId: `receive-hook:${flooded.connectionId}`, minute: new Date(start).toISOString() },
          ...{ points: 6000, expiresAt: Math.floor(start / 1000) + 3_660 },
        },
      }),
    );
  const refused = await post(urlOf(flooded));
  expect([refused.status, JSON.parse(await refused.text()).code]).toEqual([429, 'rate_limited']);
  expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  expect(await storedOf(flooded)).toEqual([]);
  expect((await post(urlOf(flooded), { by: 'YW5vdGhlcg==' })).status).toBe(401); // a stranger does not learn it
  expect((await post(urlOf(quiet))).status).toBe(200);
});

it('makes no recording of a file that belongs to another organization, or to the service itself', async () => {
  const [mine, other] = [organization(), organization()];
  const connection = await connectPlatform('jitsi', { value: secret }, OrganizationId.parse(mine));
  const { recordings = '', transcripts = '' } = endpoints.buckets;
  const publish = async (bucket: string, key: string) => {
    const answer = await fetch(urlOf(connection), {
      ...{ method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' } },
      body: JSON.stringify({
        ...{ event_name: 'roomscribe-recording-finished', meeting_id: 'm', room_name: 'standup' },
        ...{ start: 1_768_471_200, end: 1_768_471_260, bucket, key },
      }),
    });
    expect(answer.status).toBe(200);
    return uuidOf(connection, `recording|${bucket}|${key}`);
  };
  const foreign = [
    await publish(recordings, `${other}/private.mp4`),
    await publish(recordings, `${mine}-2/private.mp4`),
    await publish(transcripts, `${mine}/private.mp4`),
    await publish('bucket-of-nobody', `${mine}/private.mp4`),
  ];
  await eventually(() => {
    const log = readFileSync(path.join(inject('machine').logFolder, 'translate-hooks.log'), 'utf8').split('\n');
    const lines = log.filter((line) => line.includes(connection.connectionId) && line.includes('webhook translated'));
    expect(lines).toHaveLength(foreign.length);
  });
  await registered(mine, await publish(recordings, `${mine}/standup.mp4`)); // sent after the events of all others

  const documents = DynamoDBDocumentClient.from(dynamodb);
  for (const recordingId of foreign) {
    const Key = { organizationId: mine, recordingId };
    const { Item } = await documents.send(new GetCommand({ TableName: endpoints.tables.recordings, Key }));
    expect(Item).toBeUndefined();
  }
});
