import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { AccessLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { linkTokenHash } from '#shared/storage/transcriptions/keys.ts';
import { run } from '../../support/client/run-program.ts';
import { clientOf, read, send } from '../../support/http/checked-api.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { dynamodb, endpoints, organization } from '../../support/machine.ts';

const acme = organization();
const call = clientOf(acme);
const TableName = String(endpoints.tables.accessLinks);
const words = 'The words of the meeting.\n';
let transcription: string;

beforeAll(async () => {
  transcription = await readySession();
});

/** A live transcription that is ready. Returns its path. */
async function readySession(): Promise<string> {
  const session = liveSession(acme);
  const location = await keepTranscript(session.key('notes.txt'), words);
  await sendToRoomEvents([session.finished({ storageType: 'SERVICE_HOSTED', location })]);
  await known(acme, session.path, 'ready');
  return session.path;
}

/** A new link of the API, with its token. */
async function newLink(of = transcription) {
  const answer = await call('GET', `${of}/access-link?validForSeconds=43200`);
  const { accessLink } = read(AccessLink, answer);
  return { accessLink, path: new URL(accessLink).pathname, token: accessLink.split('/').at(-1) ?? '' };
}

const keyOf = (token: string) => ({ tokenHash: { S: linkTokenHash(token) } });

describe('a link of the API', () => {
  it('redirects without a token to S3 for a minute, and tells no one where it came from', async () => {
    const { path: route } = await newLink();
    for (const method of ['GET', 'HEAD'] as const) {
      const { status, headers } = await send(method, route);
      expect(status).toBe(302);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      const location = new URL(String(headers.location));
      expect([location.origin, location.searchParams.get('X-Amz-Expires')]).toEqual([endpoints.s3Url, '60']);
      expect((await fetch(location, { method })).status).toBe(200);
    }
  });

  it('downloads with fetch and with curl -L, whole, in part and by its head', async () => {
    const { accessLink } = await newLink();
    const curl = async (...args: string[]) => (await run('curl', ['-sL', ...args, accessLink], { folder: '.' })).stdout;
    expect(await (await fetch(accessLink)).text()).toBe(words);
    expect(await curl()).toBe(words);

    const part = await fetch(accessLink, { headers: { range: 'bytes=3-9' } });
    expect([part.status, await part.text()]).toEqual([206, words.slice(3, 10)]);
    expect(await curl('-r', '3-9')).toBe(words.slice(3, 10));

    const head = await fetch(accessLink, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  });

  it('is stored under the hash of its token, and expires from the table a day after its end', async () => {
    const { token } = await newLink();
    const { Item = {} } = await dynamodb.send(new GetItemCommand({ TableName, Key: keyOf(token) }));
    expect(JSON.stringify(Item)).not.toContain(token);
    const end = Date.parse(Item.validUntil?.S ?? '');
    expect(Number(Item.expiresAt?.N)).toBe(Math.ceil(end / 1000) + 86_400);
  });

  it('gets the same 404 whether it is unknown, expired, revoked, malformed or of a deleted transcription', async () => {
    const unknown = await send('GET', `/v1/links/${'A'.repeat(43)}`);
    expect([unknown.status, JSON.parse(unknown.text).code]).toEqual([404, 'link_not_found']);
    const isGone = async (route: string) => {
      const { status, text } = await send('GET', route);
      expect([status, text]).toEqual([404, unknown.text]);
      expect((await send('HEAD', route)).status).toBe(404);
    };
    await isGone('/v1/links/canary');

    const deleted = await readySession();
    const expired = await newLink();
    const end = { ':end': { S: new Date().toISOString() } };
    const UpdateExpression = 'SET validUntil = :end';
    const update = { TableName, Key: keyOf(expired.token), UpdateExpression, ExpressionAttributeValues: end };
    await dynamodb.send(new UpdateItemCommand(update));
    await isGone(expired.path);

    const [first, second] = [await newLink(deleted), await newLink(deleted)];
    for (let time = 0; time < 2; time++) expect((await call('DELETE', `${deleted}/access-links`)).status).toBe(204);
    await isGone(first.path);
    await isGone(second.path);

    const last = await newLink(deleted);
    expect((await send('GET', last.path)).status).toBe(302);
    const other = clientOf(organization());
    expect((await other('DELETE', `${deleted}/access-links`)).status).toBe(204);
    expect((await send('GET', last.path)).status).toBe(302);
    await call('DELETE', deleted);
    await isGone(last.path);
    expect((await call('DELETE', `${deleted}/access-links`)).status).toBe(204);
    expect((await call('GET', deleted)).status).toBe(404);
  });
});

it('no log of the machine has the token of a link', async () => {
  const { path: route, token } = await newLink();
  await send('GET', route);
  await send('GET', `${route}?unknown=1`);
  await send('GET', `/v1/links/x${token.slice(1)}`);
  const { logFolder } = inject('machine');
  const logs = await Promise.all(
    (await readdir(logFolder)).map((name) => readFile(path.join(logFolder, name), 'utf8')),
  );
  expect(logs.join('')).toContain('follow-access-link');
  expect(logs.join('')).not.toContain(token.slice(1));
});
