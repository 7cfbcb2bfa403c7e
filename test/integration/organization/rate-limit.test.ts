import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RateLimitedError, Roomscribe, type RoomscribeError } from '#client/index.ts';
import { type Runner, startRunner } from '#tools/local/runner.ts';
import { requestToken } from '#tools/shared/token.ts';
import { assertDescribed } from '../../support/docs/described.ts';
import { startWatchedDynamoDb, type WatchedDynamoDb } from '../../support/storage/watched-dynamodb.ts';

const limit = 30;
const transcription = '/v1/transcriptions/00000000-0000-4000-8000-000000000001';
/** The function threads of one endpoint on the local runner. */
const threads = 4;
let runner: Runner;
let dynamodb: WatchedDynamoDb;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'roomscribe-'));
  const tables = path.join(dataDir, 'watched-dynamodb');
  await mkdir(tables);
  dynamodb = await startWatchedDynamoDb(tables);
  const context = { rateLimitPointsPerMinute: String(limit) };
  runner = await startRunner({ port: 0, dataDir, context, dynamodbUrl: dynamodb.url });
}, 60_000);

afterAll(async () => {
  await runner?.stop();
  await dynamodb?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends all requests of one organization at once, each with its own token. */
async function sendAtOnce(organizationId: string, requests: readonly (readonly [method: string, path: string])[]) {
  const tokens = [
    await requestToken(runner.endpoints, organizationId),
    await requestToken(runner.endpoints, organizationId),
  ];
  return Promise.all(
    requests.map(async ([method, route], index) => {
      const headers = { authorization: `Bearer ${tokens[index % 2]}` };
      const response = await fetch(`${runner.endpoints.apiUrl}${route}`, { method, headers });
      const body = await response.text();
      const { status } = response;
      assertDescribed(method, route, { status, headers: Object.fromEntries(response.headers), text: body });
      const number = (name: string) => Number(response.headers.get(name) ?? Number.NaN);
      return {
        status,
        body,
        points: method === 'DELETE' ? 2 : 1,
        limit: number('x-ratelimit-limit'),
        remaining: number('x-ratelimit-remaining'),
        reset: number('x-ratelimit-reset'),
        retryAfter: response.headers.get('retry-after'),
      };
    }),
  );
}

test('requests for twice the points of a minute spend half of them, over all tokens, reads and writes together', async () => {
  const requests = Array.from({ length: 2 * limit }, (_, index) =>
    index % 3 === 0 ? (['DELETE', transcription] as const) : (['GET', '/v1/transcriptions'] as const),
  );
  const answers = await sendAtOnce('busy', requests);

  for (const [, ofMinute] of Map.groupBy(answers, ({ reset }) => reset)) {
    const refused = ofMinute.filter(({ status }) => status === 429);
    const spent = ofMinute.filter(({ status }) => status !== 429).reduce((sum, { points }) => sum + points, 0);
    expect(spent).toBeLessThanOrEqual(limit);
    if (refused.some(({ points }) => points === 1)) expect(spent).toBe(limit);
  }
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { body, retryAfter, reset } of refused) {
    expect(JSON.parse(body)).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('of its 30 points'),
    });
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    expect(reset % 60).toBe(0);
  }
  for (const answer of answers) expect([200, 204, 429]).toContain(answer.status);
  for (const answer of answers) expect([answer.limit, answer.remaining >= 0]).toEqual([limit, true]);
});

test('a refused read reads nothing, and each function counts only its first refusal in a minute', async () => {
  const requests = Array.from({ length: 4 * limit }, () => ['GET', '/v1/transcriptions'] as const);
  const answers = await sendAtOnce('flooding', requests);

  const served = answers.filter(({ status }) => status === 200).length;
  const minutes = new Set(answers.map(({ reset }) => reset)).size;
  expect(answers.length - served).toBeGreaterThan(limit);
  expect(dynamodb.callsOf('Query', 'flooding')).toBe(served);
  expect(dynamodb.callsOf('UpdateItem', 'flooding')).toBeLessThanOrEqual(served + minutes * threads);
});

test('an organization keeps its points if another one has none left', async () => {
  await sendAtOnce(
    'greedy',
    Array.from({ length: 2 * limit }, () => ['GET', '/v1/transcriptions'] as const),
  );
  const [answer] = await sendAtOnce('neighbour', [['GET', '/v1/transcriptions']]);
  expect(answer).toMatchObject({ status: 200, limit, remaining: limit - 1 });
});

test('the client waits for Retry-After and up to a second more', async () => {
  const stop = new AbortController();
  const pauses: (readonly [error: RoomscribeError, delayMs: number])[] = [];
  const { apiUrl, tokenUrl } = runner.endpoints;
  const { transcriptions } = new Roomscribe({
    apiUrl,
    tokenUrl,
    clientId: 'patient',
    clientSecret: 'local',
    onRetry: (...pause) => {
      pauses.push(pause);
      stop.abort();
    },
  });
  const { signal } = stop;
  const morePointsThanTwoMinutesHave = Array.from({ length: 2 * limit + 1 });
  await Promise.allSettled(morePointsThanTwoMinutesHave.map(() => transcriptions.list({}, { signal }).page()));

  const [error, delayMs = 0] = pauses[0] ?? [];
  if (!(error instanceof RateLimitedError)) throw new Error(`No call was rejected: ${error}`);
  const { code, retryAfterSeconds = 0 } = error;
  expect([code, retryAfterSeconds >= 1, retryAfterSeconds <= 60]).toEqual(['rate_limited', true, true]);
  expect(delayMs).toBeGreaterThanOrEqual(retryAfterSeconds * 1000);
  expect(delayMs).toBeLessThanOrEqual(retryAfterSeconds * 1000 + 1000);
});

test('a request that the gateway rejects spends no points', async () => {
  const before = await sendAtOnce('outside', [['GET', '/v1/transcriptions']]);
  const responses = await Promise.all(
    ['', 'Bearer nonsense'].map((authorization) =>
      fetch(`${runner.endpoints.apiUrl}/v1/transcriptions`, { headers: { authorization } }),
    ),
  );
  for (const response of responses) {
    expect(response.status).toBe(401);
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  }
  const after = await sendAtOnce('outside', [['GET', '/v1/transcriptions']]);
  const isSameMinute = before[0]?.reset === after[0]?.reset;
  expect(after[0]?.remaining).toBe(isSameMinute ? limit - 2 : limit - 1);
});

test('a bulk delete pays for its ids, and one that no minute can pay for says how many ids can be sent', async () => {
  const token = await requestToken(runner.endpoints, 'bulk');
  const route = '/v1/transcriptions/bulk-delete';
  const bulkDelete = async (count: number) => {
    const transcriptionIds = Array.from({ length: count }, () => '00000000-0000-4000-8000-000000000001');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${runner.endpoints.apiUrl}${route}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ transcriptionIds }),
    });
    const text = await response.text();
    assertDescribed('POST', route, { status: response.status, headers: Object.fromEntries(response.headers), text });
    return { status: response.status, text, remaining: Number(response.headers.get('x-ratelimit-remaining')) };
  };

  const first = await bulkDelete(1501);
  const second = await bulkDelete(700);

  expect([first.status, JSON.parse(first.text).message]).toEqual([
    413,
    'The request costs 32 points, and the organization has 30 points a minute. Send at most 1500 transcriptionIds in one request.',
  ]);
  expect([second.status, second.remaining % limit]).toEqual([204, expect.toBeOneOf([limit - 16, limit - 14])]); // a new minute may begin
});
