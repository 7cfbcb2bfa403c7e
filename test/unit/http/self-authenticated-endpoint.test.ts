import { beforeEach, describe, expect, test, vi } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Allowance } from '#shared/contracts/organization/rate-limit.ts';
import { selfAuthenticatedEndpointList } from '#shared/contracts/self-authenticated-endpoints.ts';
import { type KeyAdmission, selfAuthenticatedEndpoint } from '#shared/http/self-authenticated-endpoint.ts';
import { TranscriptionNotFound } from '#shared/runtime/errors.ts';
import { keyRateLimiter } from '#shared/storage/organization/rate-limits.ts';
import { httpEvent } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';
import { authenticateHook, receiveHook, signatureOf } from '../../support/webhooks/sample-hook.ts';

type Admission = KeyAdmission<{ readonly organizationId: string }>;

const within: Allowance = { isExceeded: false, limit: 3, remaining: 2, resetsAt: 1_800_000_060 };
const authenticate = vi.fn<Admission['authenticate']>(authenticateHook);
const count = vi.fn<Admission['rateLimiter']['count']>();
const handle = vi.fn(async (_request: unknown) => ({ facts: { messages: 1 } }));
const endpoint = selfAuthenticatedEndpoint(receiveHook, { authenticate, rateLimiter: { count } }, handle);
let lines: () => readonly LogLine[];

beforeEach(() => {
  lines = captureLogLines().lines;
  authenticate.mockReset().mockImplementation(authenticateHook);
  count.mockReset().mockResolvedValue(within);
  handle.mockReset().mockResolvedValue({ facts: { messages: 1 } });
});

const hook = (body: string | Uint8Array = '{"count":1}', signature = signatureOf('connection-1', body), query = '') =>
  httpEvent({
    params: { connectionId: 'connection-1' },
    claims: {},
    headers: { 'x-signature': signature },
    body,
    query,
  });

test('an authenticated request is counted by its key and handled with its subject', async () => {
  const { statusCode, headers, body } = await runEndpoint(endpoint, hook());
  expect([statusCode, body]).toEqual([202, undefined]);
  expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  expect(count).toHaveBeenCalledExactlyOnceWith('receive-sample-hook', 'connection-1', 3, 1);
  expect(handle).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      subject: { organizationId: 'acme' },
      params: { connectionId: 'connection-1' },
      body: { count: 1 },
      rawBody: Buffer.from('{"count":1}'),
      correlationId: 'request-1',
    }),
  );
});

test('the signature is checked over the sent bytes, even if the gateway encodes them', async () => {
  const { statusCode } = await runEndpoint(endpoint, hook(Buffer.from('{ "count" : 1 }\n')));
  expect(statusCode).toBe(202);
});

test('authentication, counting and the handler run one after the other', async () => {
  const order: string[] = [];
  const pause = () => new Promise((resolve) => setImmediate(resolve));
  authenticate.mockImplementation(async (request) => {
    order.push('authenticate');
    await pause();
    order.push('authenticated');
    return authenticateHook(request);
  });
  count.mockImplementation(async () => {
    order.push('count');
    await pause();
    order.push('counted');
    return within;
  });
  handle.mockImplementation(async () => {
    order.push('handle');
    return { facts: { messages: 1 } };
  });
  await runEndpoint(endpoint, hook());
  expect(order).toEqual(['authenticate', 'authenticated', 'count', 'counted', 'handle']);
});

test('a request that is not authenticated is refused, not counted and not handled', async () => {
  const { statusCode, headers, body } = await runEndpoint(endpoint, hook('{"count":1}', 'forged'));
  expect([statusCode, body.code, headers['www-authenticate']]).toEqual([401, 'unauthorized', 'Signature']);
  expect(count).not.toHaveBeenCalled();
  expect(handle).not.toHaveBeenCalled();
});

test('authentication can refuse with another error, for example for a link that does not exist', async () => {
  authenticate.mockRejectedValue(new TranscriptionNotFound());
  expect((await runEndpoint(endpoint, hook())).statusCode).toBe(404);
  expect(count).not.toHaveBeenCalled();
});

test('a key over its limit gets a 429 with Retry-After, and the request is not handled', async () => {
  const resetsAt = Math.floor(Date.now() / 1000) + 30;
  count.mockResolvedValue({ ...within, isExceeded: true, remaining: 0, resetsAt });
  const { statusCode, headers, body } = await runEndpoint(endpoint, hook('not even JSON'));
  expect([statusCode, body.code]).toEqual([429, 'rate_limited']);
  expect(body.message).toContain('At most 3 requests a minute');
  expect(Number(headers['retry-after'])).toBeGreaterThan(28);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
  expect(handle).not.toHaveBeenCalled();
});

test('a request that cannot be counted is not handled', async () => {
  count.mockRejectedValue(Object.assign(new Error('down'), { $metadata: { httpStatusCode: 500 } }));
  expect((await runEndpoint(endpoint, hook())).statusCode).toBe(503);
  expect(handle).not.toHaveBeenCalled();
});

test.each([
  ['a body that does not fit its schema', hook('{"count":"one"}'), 400],
  ['an unknown query parameter', hook('{"count":1}', undefined, 'unknown=1'), 400],
])('%s is counted and refused', async (_name, event, status) => {
  expect((await runEndpoint(endpoint, event)).statusCode).toBe(status);
  expect(count).toHaveBeenCalledOnce();
  expect(handle).not.toHaveBeenCalled();
});

test('an endpoint that takes any query takes parameters that nothing names, also repeated and broken ones', async () => {
  const open = selfAuthenticatedEndpoint(
    { ...receiveHook, takesAnyQuery: true },
    { authenticate, rateLimiter: { count } },
    handle,
  );
  expect((await runEndpoint(open, hook('{"count":1}', undefined, 'unknown=1&unknown=2&%zz'))).statusCode).toBe(202);
  expect((await runEndpoint(open, hook('{"count":"one"}', undefined, 'unknown=1'))).statusCode).toBe(400);
});

test('only webhooks take any query', () => {
  const open = selfAuthenticatedEndpointList.filter(({ takesAnyQuery }) => takesAnyQuery);
  expect(open.map(({ operationId }) => operationId)).toEqual(['receive-hook']);
});

test('a request writes one log line with the facts of authentication and handler, and without the signature', async () => {
  await runEndpoint(endpoint, hook());
  expect(lines()).toHaveLength(1);
  expect(lines()[0]?.facts).toMatchObject({
    operationId: 'receive-sample-hook',
    correlationId: 'request-1',
    organizationId: 'acme',
    connectionId: 'connection-1',
    messages: 1,
    statusCode: 202,
    durationMs: expect.any(Number),
  });
  expect(lines()[0]?.text).not.toContain(signatureOf('connection-1', '{"count":1}'));
});

test('a request that takes too long is answered before the function times out', async () => {
  authenticate.mockReturnValue(new Promise<never>(() => {}));
  expect((await runEndpoint(endpoint, hook(), 600)).statusCode).toBe(503);
});

describe('the counter of a key', () => {
  test('is separate from the counter of every organization', async () => {
    const send = vi.fn(async (_command: { readonly input: { readonly Key: object } }) => ({
      Attributes: { points: 1 },
    }));
    const { count: counted } = keyRateLimiter({ send } as never, 'rate-limits', { now: () => 90_000 });
    expect(await counted('receive-hook', 'acme', 3)).toEqual({
      isExceeded: false,
      limit: 3,
      remaining: 2,
      resetsAt: 120,
    });
    const key = send.mock.calls[0]?.[0].input.Key;
    expect(key).toEqual({ organizationId: 'receive-hook:acme', minute: '1970-01-01T00:01:00.000Z' });
    expect(OrganizationId.safeParse('receive-hook:acme').success).toBe(false);
  });
});
