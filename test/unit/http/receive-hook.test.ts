import { createHmac } from 'node:crypto';
import { ResourceNotFoundException, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/api/platforms/receive-hook/handler.ts';
import { connectionSecrets } from '#shared/adapters/platforms/connection-secrets.ts';
import type { HookMessage } from '#shared/contracts/messages.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection, StoredHook } from '#shared/contracts/platforms/connection.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { keyRateLimiter } from '#shared/storage/organization/rate-limits.ts';
import { connectionRepository, rememberedConnections } from '#shared/storage/platforms/connections.ts';
import { answering } from '../../support/client/fake-client.ts';
import { httpEvent } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { fakeCounters } from '../../support/storage/fake-counters.ts';
import { captureMetrics } from '../../support/storage/recorded-metrics.ts';

const startedAt = Date.parse('2026-11-23T09:00:00.000Z');
const createdAt = '2026-11-01T00:00:00.000Z';
const secretOf = (text: string) => Buffer.from(text).toString('base64');
const idOf = (name: string | number) => String(name).padStart(43, '-');
const [known, other] = [idOf('known'), idOf('other')];
const body = '{"type":"meeting.started","payload":{"meeting_id":"m","room":"r","start_ts":1768471207}}';

/** The function with the real caches, on fakes of AWS that count their calls. */
function receiver() {
  const state = {
    time: startedAt,
    fault: undefined as Error | undefined,
    secrets: new Map([known, other].map((id) => [id, [secretOf('first')]])),
    stored: [] as StoredHook[],
    sent: [] as HookMessage[],
  };
  const now = () => state.time;
  const rowOf = (connectionId: string): Connection => ({
    ...{ connectionId, organizationId: OrganizationId.parse('acme'), platform: 'daily', settings: {}, createdAt },
  });
  const rows = answering({} as Parameters<typeof connectionRepository>[0], ({ input }) => {
    const { connectionId } = input.Key as { readonly connectionId: string };
    return { Item: [known, other].includes(connectionId) ? rowOf(connectionId) : undefined };
  });
  const manager = answering(new SecretsManagerClient({ region: 'eu-west-1' }), ({ input }) => {
    if (state.fault) throw state.fault;
    const values = state.secrets.get(String(input.SecretId));
    if (!values) throw new ResourceNotFoundException({ message: 'No such secret.', $metadata: {} });
    return { SecretString: JSON.stringify({ secrets: values.map((value) => ({ value, createdAt })) }) };
  });
  const counters = fakeCounters();
  const handler = createHandler({
    connections: rememberedConnections(connectionRepository(rows.client, 'connections'), { now }),
    secrets: connectionSecrets(manager.client, '', { now }),
    platforms,
    apiUrl: 'https://api.example.com',
    hooks: { put: async (hook) => `key-${state.stored.push(hook)}` },
    sendHook: async (message) => void state.sent.push(message),
    rateLimiter: keyRateLimiter(counters.documents as never, 'rate-limits', { now }),
    now: () => new Date(state.time),
  });
  const post = (connectionId: string, { by = secretOf('first'), text = body, headers = {}, query = '' } = {}) => {
    const time = String(state.time / 1000);
    const signature = createHmac('sha256', Buffer.from(by, 'base64')).update(`${time}.${text}`).digest('base64');
    const signed = { 'x-webhook-timestamp': time, 'x-webhook-signature': signature };
    const params = { connectionId, proxy: 'daily' };
    return runEndpoint(
      handler,
      httpEvent({ method: 'POST', params, body: text, headers: { ...signed, ...headers }, query }),
    );
  };
  /** Counts requests of a key in this minute, as if this many had come. */
  const spend = async (key: string, points: number) => {
    const minute = new Date(Math.floor(state.time / 60_000) * 60_000).toISOString();
    const Key = { organizationId: `receive-hook:${key}`, minute };
    await counters.documents.send({
      input: { Key, ExpressionAttributeValues: { ':points': points, ':most': 0 } },
    } as never);
    counters.calls = 0;
  };
  const costs = () => ({ rows: rows.calls.length, secrets: manager.calls.length, counts: counters.calls });
  return { state, post, spend, costs };
}

let run: ReturnType<typeof receiver>;
let metrics: ReturnType<typeof captureMetrics>;
beforeEach(() => {
  metrics = captureMetrics();
  run = receiver();
});

describe('a flood of wrong signatures', () => {
  test('to a known connection costs a read of its row and of its secrets in ten seconds, and no count', async () => {
    for (; run.state.time < startedAt + 60_000; run.state.time += 50)
      expect((await run.post(known, { by: secretOf('wrong') })).statusCode).toBe(401);
    expect(run.costs()).toEqual({ rows: 6, secrets: 6, counts: 0 });
    expect(run.state).toMatchObject({ stored: [], sent: [] });
    expect(metrics.sums()).toEqual({ HooksRefused: 1200 });
  });

  test('does not take the requests of the connection, nor those of others', async () => {
    await run.spend(known, 5999);
    for (let count = 0; count < 10; count += 1) await run.post(known, { by: secretOf('wrong') });
    for (const id of [known, other]) expect((await run.post(id)).statusCode).toBe(200);
  });

  test('to unknown connections costs a read of a row each, no secret and no count, and raises no alarm', async () => {
    for (let count = 0; count < 100; count += 1) expect((await run.post(idOf(count))).statusCode).toBe(401);
    expect(run.costs()).toEqual({ rows: 100, secrets: 0, counts: 0 });
    expect(metrics.sums()).toEqual({});
  });

  test('to what cannot be a connection costs nothing', async () => {
    for (const id of ['', 'short', `${known}x`, known.replace('k', '/')])
      expect((await run.post(id)).statusCode).toBe(401);
    expect(run.costs()).toEqual({ rows: 0, secrets: 0, counts: 0 });
  });
});

describe('the limit of a connection', () => {
  test('is 6 000 webhooks a minute, then 429 with Retry-After until the next one, for this connection only', async () => {
    run.state.time += 15_000;
    await run.spend(known, 5999);
    expect((await run.post(known)).statusCode).toBe(200);
    for (let count = 0; count < 10; count += 1) {
      const { statusCode, headers, body } = await run.post(known);
      expect([statusCode, body.code]).toEqual([429, 'rate_limited']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(run.costs().counts).toBe(1); // it is known that none is left
    expect([run.state.stored.length, run.state.sent.length]).toEqual([1, 1]);

    expect((await run.post(other)).statusCode).toBe(200);
    run.state.time += 45_000;
    expect((await run.post(known)).statusCode).toBe(200);
  });

  test('counts a webhook as one for each started 4 KiB of its body', async () => {
    const statusAfter = async (spent: number, bytes: number) => {
      run.state.time += 60_000;
      await run.spend(known, spent);
      return (await run.post(known, { text: body.padEnd(bytes) })).statusCode;
    };
    expect([await statusAfter(5999, 4096), await statusAfter(5999, 4097)]).toEqual([200, 429]);
    expect([await statusAfter(5744, 1_048_576), await statusAfter(5745, 1_048_576)]).toEqual([200, 429]);
  });

  test('counts a body above the maximum, which is refused and not stored, as one', async () => {
    const tooLarge = { text: body.padEnd(1_048_577) };
    await run.spend(known, 5998);
    expect((await run.post(known, tooLarge)).statusCode).toBe(413);
    expect((await run.post(known)).statusCode).toBe(200);
    expect((await run.post(known, tooLarge)).statusCode).toBe(429);
    expect([run.state.stored.length, run.state.sent.length]).toEqual([1, 1]);
  });

  test('does not count probes, which nobody signs, and probes have the same limit of their own', async () => {
    const probe = { text: '{"test":"test"}', headers: { 'x-webhook-signature': '' } };
    await run.spend(`probe:${known}`, 5999);
    expect((await run.post(known, probe)).statusCode).toBe(200);
    expect((await run.post(known, probe)).statusCode).toBe(429);
    expect((await run.post(known)).statusCode).toBe(200);
  });
});

test('a probe has at most 1 024 bytes: nothing longer is read before its signature is verified', async () => {
  const probeOf = (bytes: number) => ({
    text: '{"test":"test"}'.padEnd(bytes),
    headers: { 'x-webhook-signature': '' },
  });
  expect((await run.post(known, probeOf(1024))).statusCode).toBe(200);
  expect((await run.post(known, probeOf(1025))).statusCode).toBe(401);
});

describe('a rotation', () => {
  test('lets both secrets sign, and refuses a dropped one within a minute', async () => {
    const status = async (text: string) => (await run.post(known, { by: secretOf(text) })).statusCode;
    expect([await status('first'), await status('second')]).toEqual([200, 401]);
    run.state.secrets.set(known, [secretOf('first'), secretOf('second')]);
    run.state.time += 10_000;
    expect([await status('first'), await status('second')]).toEqual([200, 200]);
    run.state.secrets.set(known, [secretOf('second')]);
    run.state.time += 60_000;
    expect([await status('first'), await status('second')]).toEqual([401, 200]);
  });
});

describe('an error of Secrets Manager', () => {
  const faults = [
    ['a throttled call', Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' })],
    ['a fault', Object.assign(new Error('down'), { name: 'InternalServiceError', $metadata: { httpStatusCode: 500 } })],
    ['a timeout', Object.assign(new Error('timeout'), { name: 'TimeoutError' })],
  ] as const;

  test.each(faults)('is a 503 with Retry-After and no 401, and nothing is stored: %s', async (_, fault) => {
    run.state.fault = fault;
    for (const by of [secretOf('first'), secretOf('wrong')]) {
      const { statusCode, headers } = await run.post(known, { by });
      expect([statusCode, headers['retry-after'], headers['www-authenticate']]).toEqual([503, '1', undefined]);
    }
    expect(run.state).toMatchObject({ stored: [], sent: [] });
    run.state.fault = undefined;
    expect((await run.post(known)).statusCode).toBe(200);
  });

  test('stops no webhook that a kept secret has signed, and refuses no other one for good', async () => {
    await run.post(known);
    run.state.fault = faults[0][1];
    run.state.time += 30_000;
    expect((await run.post(known)).statusCode).toBe(200);
    expect((await run.post(known, { by: secretOf('added') })).statusCode).toBe(503);
  });

  test('that no repetition mends is a defect, and no 401 either', async () => {
    run.state.fault = Object.assign(new Error('no access to the key'), { name: 'AccessDeniedException' });
    expect((await run.post(known)).statusCode).toBe(500);
  });
});

test('any query is taken, repeated names too, because platforms add their own', async () => {
  expect((await run.post(known, { query: 'a=1&a=2&checksum=x&%zz' })).statusCode).toBe(200);
});

describe('a notice of this service', () => {
  const id = 'ntc_0123456789abcdefghijklmnopq';

  test.each([
    ['by its header', { headers: { 'webhook-id': id } }],
    ['by its body', { text: `{"id":"${id}","type":"room.session.ended"}` }],
    ['that is a test', { text: '{"id":"ntc_test_0123456789abcdefghijkl"}' }],
  ])('is dropped %s', async (_, sent) => {
    expect(await run.post(known, sent)).toMatchObject({ statusCode: 200 });
    expect([run.state.stored, run.state.sent]).toEqual([[], []]);
    expect(metrics.sums()).toEqual({ OwnNoticesDropped: 1 });
  });

  test.each([
    ['has another id in its header', { headers: { 'webhook-id': 'msg_1' } }],
    ['names a notice elsewhere', { text: `{"id":"1","type":"meeting.started","payload":{"meeting_id":"${id}"}}` }],
  ])('is not one that %s', async (_, sent) => {
    expect(await run.post(known, sent)).toMatchObject({ statusCode: 200 });
    expect(run.state.sent).toHaveLength(1);
  });
});
