import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { answersSoFar, clientOf, type RawAnswer, send } from '../../support/http/checked-api.ts';
import { listPath, pageOf } from '../../support/http/listing.ts';
import { signedToken } from '../../support/http/signed-tokens.ts';
import { pathOf, paths, type Query, sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { deliver, keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { organization, token } from '../../support/machine.ts';
import { linkTo, readyTranscription } from '../../support/media/recordings.ts';

const acme = organization();
const victim = organization();
/** A marker that the test puts into every field that can hold a person's words or name. */
const canary = `canary${randomUUID().replaceAll('-', '')}`;
const roomName = `/${canary}`;
const room = sessionOf(victim, { roomName });

let spoken: string[];
let logs: string;
let answersToAcme: readonly RawAnswer[];

beforeAll(async () => {
  const ready = await readyTranscription(victim, { roomName, filename: `${canary}.wav` });
  const { turns } = JSON.parse(await (await fetch((await linkTo(victim, ready.path, 'json')).accessLink)).text());
  spoken = turns.map(({ text }: { text: string }) => text);
  const session = liveSession(victim, { roomName });
  const location = await keepTranscript(session.key(`${canary}.md`), canary);
  await sendToRoomEvents([session.finished({ storageType: 'SERVICE_HOSTED', location, filename: `${canary}.md` })]);
  await known(victim, session.path, 'ready');
  await linkTo(victim, session.path);
  await tellerOf(victim)(
    room.joined('p-1', '09:00', { displayName: canary, externalId: canary, userAgent: canary, deviceId: canary }),
    room.rated('p-1', '09:01', 1, { comment: canary, tags: [canary] }),
  );
  const unreadable = [liveSession(victim, { roomName: canary }).started(), { [canary]: canary }, `{"name":"${canary}"`];
  expect(await deliver('record-room-events', unreadable)).toBe(3);

  const beforeAcme = answersSoFar().length;
  await callEverything(acme, [ready.transcriptionId, session.transcriptionId], ready.recording.recordingId);
  answersToAcme = answersSoFar().slice(beforeAcme);
  await callEverything(victim, [ready.transcriptionId, session.transcriptionId], ready.recording.recordingId);
  await send('GET', '/v1/transcriptions', { headers: { authorization: `Bearer ${await badToken()}` } });
  logs = await readLogs();
});

/** Calls every endpoint with valid and invalid requests as this organization. */
async function callEverything(organizationId: string, ids: readonly string[], recordingId: string): Promise<void> {
  const call = clientOf(organizationId);
  await pageOf(organizationId, { roomName });
  await pageOf(organizationId, { limit: 1 });
  for (const query of [
    { roomName: canary },
    { cursor: canary },
    { [canary]: canary },
    { sortBy: canary, limit: canary },
  ]) {
    await call('GET', listPath(query));
  }
  for (const id of [...ids, canary]) {
    for (const suffix of ['', '/access-link', `/access-link?format=${canary}`, '/recording-link'])
      await call('GET', `/v1/transcriptions/${id}${suffix}`);
  }
  for (const body of [{ recordingId }, { recordingId: canary }, `{"${canary}`, { [canary]: canary }]) {
    await call('POST', '/v1/transcriptions', { body });
    await call('POST', '/v1/transcriptions/bulk-delete', { body });
  }
  for (const id of [...ids, canary]) {
    const speakerPath = `/v1/transcriptions/${id}/speakers/Speaker%201`;
    for (const body of [{ displayName: canary }, { participantId: canary }, { [canary]: canary }])
      await call('PUT', speakerPath, { body });
    for (const path of [speakerPath, `/v1/transcriptions/${id}/speakers/${canary}`]) await call('DELETE', path);
    await call('DELETE', `/v1/transcriptions/${id}/access-links`);
  }
  for (const id of ids) await call('DELETE', `/v1/transcriptions/${id}?${canary}=1`);
  for (const query of ['', `?cursor=${canary}`, `?${canary}=1`]) await call('GET', `/v1/events/refused${query}`);
  await callInsights(call);
  await callWebhooks(call, organizationId === victim ? canary : 'another'); // an owner reads its own words
}

async function callWebhooks(call: ReturnType<typeof clientOf>, words: string): Promise<void> {
  const url = `http://127.0.0.1:9/${words}?${words}`; // nobody listens there
  const { text } = await call('POST', '/v1/webhooks', { body: { url, description: words } });
  const { webhookId = canary } = JSON.parse(text);
  for (const body of [{ url: canary }, { url, description: [canary] }]) await call('POST', '/v1/webhooks', { body });
  for (const id of [webhookId, canary]) {
    const path = `/v1/webhooks/${id}`;
    await call('GET', path);
    for (const body of [{ description: words, url: `${url}2` }, { url: `ftp://${canary}` }])
      await call('PATCH', path, { body });
    await call('POST', `${path}/secret`, { body: {} });
    for (const query of ['', `?cursor=${canary}`]) await call('GET', `${path}/deliveries${query}`);
    for (const body of [{ from: new Date(Date.now() - 60_000).toISOString() }, { noticeId: canary }])
      await call('POST', `${path}/replay`, { body });
    await call('PATCH', path, { body: { state: 'disabled' } });
    await call('POST', `${path}/test`);
    await call('DELETE', path);
  }
  for (const path of ['/v1/webhooks', '/v1/notices'])
    for (const query of ['', `?cursor=${canary}`, `?${canary}=1`]) await call('GET', `${path}${query}`);
}

async function callInsights(call: ReturnType<typeof clientOf>): Promise<void> {
  const { roomSessionId } = room;
  const good = [
    ['rooms', {}],
    ['roomSessions', { roomName, roomSessionId }],
    ['participants', { roomSessionId, externalId: canary }],
    ['participant', { roomSessionId, participantId: 'p-1' }],
    ['network', { roomSessionId }],
    ['usage', {}],
  ] as const;
  const bad: readonly Query[] = [{ sortBy: canary }, { cursor: canary }, { from: canary }, { [canary]: canary }];
  for (const [name, query] of good) {
    await call('GET', pathOf(name, query));
    for (const more of bad) await call('GET', pathOf(name, { ...query, ...more }));
    await call('GET', `${paths[name]}?roomSessionId=${canary}`);
  }
}

/** A valid token with an invalid organization: the gateway accepts it, the function rejects it. */
const badToken = () => signedToken('x', { claims: { client_id: `${canary} ${canary}`, name: canary } });

async function readLogs(): Promise<string> {
  const folder = inject('machine').logFolder;
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(`${folder}/${name}`, 'utf8')));
  return files.join('\n');
}

describe('the logs of all functions', () => {
  it('name every endpoint that was called', () => {
    const operations = endpointList.map(({ operationId }) => operationId);
    expect(operations.filter((operationId) => !logs.includes(`"operationId":"${operationId}"`))).toEqual([]);
  });

  it('contain no token or part of one', async () => {
    expect(logs).not.toMatch(/eyJ[\w-]{8,}\.[\w-]+/);
    expect(logs).not.toMatch(/bearer /i);
    const signature = (await token(victim)).split('.')[2] ?? '';
    expect(logs).not.toContain(signature.slice(0, 20));
  });

  it('contain no signature and no link', () => {
    expect(logs).not.toMatch(/X-Amz-(Signature|Credential|Security-Token)/i);
    expect(logs).not.toMatch(/response-content-disposition/i);
  });

  it('contain no spoken words', () => {
    expect(spoken.length).toBeGreaterThan(0);
    for (const text of spoken) expect(logs.toLowerCase()).not.toContain(text.toLowerCase().slice(0, 12));
  });

  it('contain no name of a person, room or file from accepted and rejected requests', () => {
    expect(logs.split('\n').filter((line) => line.includes(canary))).toEqual([]);
  });
});

describe("another organization's answers", () => {
  it('contain no words, names or files of the first organization', () => {
    expect(answersToAcme.length).toBeGreaterThan(20);
    const all = answersToAcme.map(({ text, headers }) => `${text} ${JSON.stringify(headers)}`).join('\n');
    for (const secret of [victim, ...spoken]) expect(all).not.toContain(secret);
    // An answer may repeat the caller's own words, as the path of an invalid field.
    const echoes = answersToAcme.filter(({ status, text }) => text.includes(canary) && status !== 400);
    expect(echoes).toEqual([]);
  });
});
