import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStores } from '#operations/erasure/deployment.ts';
import { runOrganization } from '#operations/organization/run.ts';
import { readFlags, settingsOf } from '#tools/local/flags.ts';
import { type Runner, startRunner } from '#tools/local/runner.ts';
import { writeEndpoints } from '#tools/shared/endpoints.ts';
import { requestToken } from '#tools/shared/token.ts';
import { fakeCloudFormation, fakeCognito } from '../support/operations/fake-cognito.ts';

// One machine behind a tunnel, which closes idle sessions: npm start -- --public-url … --session-idle-hours 1

const publicUrl = 'https://roomscribe.example.com';
const secret = 'shared-secret-of-bbb';
const hourMs = 3_600_000;
let runner: Runner;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'roomscribe-'));
  const flags = readFlags(['--public-url', publicUrl, '--session-idle-hours', '1']);
  runner = await startRunner({ port: 0, dataDir, publicUrl: String(flags.publicUrl), context: settingsOf(flags) });
  await writeEndpoints(path.join(dataDir, 'endpoints.json'), runner.endpoints);
}, 60_000);

afterAll(async () => {
  await runner?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function connectBigBlueButton(): Promise<string> {
  const printed: string[] = [];
  await runOrganization(['connect', 'acme', 'bigbluebutton', '--data-dir', dataDir], {
    ...{ cloudFormation: fakeCloudFormation('Roomscribe-prod', {}), cognito: fakeCognito().cognito, openStores },
    terminal: { show: () => {}, end: () => {}, print: (line) => printed.push(line) },
    askSecret: async () => secret,
  });
  return /url: "(.+)"/.exec(printed.join('\n'))?.[1] ?? '';
}

/** Sends a join as BigBlueButton does at an address. What it signs does not depend on how it gets here: the tunnel leads to this machine. */
async function join(address: string, at: number): Promise<number> {
  const meeting = { 'internal-meeting-id': `183f0bf3-${at}`, 'external-meeting-id': 'standup' };
  const attributes = { meeting, user: { 'internal-user-id': 'w_1', 'external-user-id': 'ada', name: 'Ada' } };
  const events = [{ data: { type: 'event', id: 'user-joined', attributes, event: { ts: at } } }];
  const form = { domain: 'bbb.example.com', event: JSON.stringify(events), timestamp: String(at) };
  const body = new URLSearchParams(form).toString();
  const checksum = createHash('sha256').update(`${address}${body}${secret}`).digest('hex');
  const here = new URL(new URL(address).pathname, runner.endpoints.apiUrl);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await fetch(`${here}?checksum=${checksum}`, { method: 'POST', headers, body })).status;
}

async function endsOfSessions(): Promise<unknown> {
  const authorization = `Bearer ${await requestToken(runner.endpoints, 'acme')}`;
  const url = `${runner.endpoints.apiUrl}/v1/insights/room-sessions?roomName=/standup`;
  const { results } = JSON.parse(await (await fetch(url, { headers: { authorization } })).text());
  return results.map(({ endedAt }: { endedAt: string | null }) => endedAt);
}

test('a webhook that is signed for the public address is taken, and its session is closed when it is idle', async () => {
  const address = await connectBigBlueButton();
  expect(address).toMatch(/^https:\/\/roomscribe\.example\.com\/v1\/hooks\//);
  expect(await join(address.replace(publicUrl, runner.endpoints.apiUrl), 1)).toBe(401);

  const joinedAt = Date.now() - 5 * hourMs;
  expect(await join(address, joinedAt)).toBe(200);
  await expect.poll(endsOfSessions, { timeout: 30_000 }).toEqual([null]);
  await runner.invoke('close-idle-sessions', {});
  await expect.poll(endsOfSessions, { timeout: 30_000 }).toEqual([new Date(joinedAt).toISOString()]);
});

test('the page of the API has no token, because a tunnel of TCP can bring it to strangers', async () => {
  const response = await fetch(runner.endpoints.docsUrl);
  const page = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page).toContain('No token is filled in');
  expect(page).not.toMatch(/eyJ|&quot;token&quot;/);
});

test('the console has no page and no token either', async () => {
  for (const path of ['', 'config.json']) {
    const response = await fetch(`${runner.endpoints.consoleUrl}${path}`);
    expect(response.status).toBe(403);
    expect(await response.text()).toMatch(/^This API has a public address/);
  }
});
