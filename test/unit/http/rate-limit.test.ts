import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endpointList, endpoints } from '#shared/contracts/endpoints.ts';
import type { Allowance } from '#shared/contracts/organization/rate-limit.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ServiceUnavailable, TranscriptionNotFound } from '#shared/runtime/errors.ts';
import { httpEvent, organizationClaim, personContext } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { captureLogLines } from '../../support/log-lines.ts';

const params = { transcriptionId: '00000000-0000-4000-8000-000000000001' };
const acme = { organizationId: 'acme' };
const left: Allowance = { isExceeded: false, limit: 1000, remaining: 998, resetsAt: 1_800_000_060 };
const none: Allowance = { ...left, isExceeded: true, remaining: 1 };
const headersOf = ({ limit, remaining, resetsAt }: Allowance) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetsAt),
});

const spend = vi.fn<Admission['rateLimiter']['spend']>(async () => left);
const isFarFromLimit = vi.fn<Admission['rateLimiter']['isFarFromLimit']>(() => true);
const knownRefusal = vi.fn<Admission['rateLimiter']['knownRefusal']>(() => undefined);
const admission: Admission = { organizationClaim, rateLimiter: { spend, knownRefusal, isFarFromLimit } };
const handle = vi.fn(async (_request: unknown) => ({}));
const remove = endpoint(endpoints.deleteTranscription, admission, handle);

beforeEach(() => {
  captureLogLines();
  spend.mockReset().mockResolvedValue(left);
  knownRefusal.mockReset().mockReturnValue(undefined);
  isFarFromLimit.mockReset().mockReturnValue(true);
  handle.mockReset().mockResolvedValue({});
});

test('an answer has headers with the remaining points', async () => {
  const { statusCode, headers } = await runEndpoint(remove, httpEvent({ params }));
  expect(statusCode).toBe(204);
  expect(headers).toMatchObject(headersOf(left));
  expect(spend).toHaveBeenCalledExactlyOnceWith(acme, 2);
});

test.each([
  ['an expected error', () => Promise.reject(new TranscriptionNotFound()), 404],
  ['a busy dependency', () => Promise.reject(new ServiceUnavailable('busy')), 503],
  ['a defect', () => Promise.reject(new Error('defect')), 500],
])('the answer to %s has headers with the remaining points', async (_what, failing, status) => {
  handle.mockImplementation(failing);
  const { statusCode, headers } = await runEndpoint(remove, httpEvent({ params }));
  expect([statusCode, headers]).toEqual([status, expect.objectContaining(headersOf(left))]);
});

test('an invalid request is counted, and its answer has headers with the remaining points', async () => {
  const { statusCode, headers } = await runEndpoint(remove, httpEvent({ params, query: 'unknown=1' }));
  expect([statusCode, headers]).toEqual([400, expect.objectContaining(headersOf(left))]);
  expect(spend).toHaveBeenCalledOnce();
});

test('a token without an organization spends no points', async () => {
  const { statusCode, headers } = await runEndpoint(remove, httpEvent({ params, claims: {} }));
  expect(statusCode).toBe(401);
  expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  expect(spend).not.toHaveBeenCalled();
});

describe('a bulk delete', () => {
  const bulk = endpoint(endpoints.bulkDeleteTranscriptions, admission, handle as never);
  const ask = (count: number) =>
    runEndpoint(
      bulk,
      httpEvent({ body: { transcriptionIds: Array.from({ length: count }, () => params.transcriptionId) } }),
    );

  test.each([
    [1, 2],
    [100, 2],
    [101, 4],
    [10_000, 200],
  ])('of %d ids costs %d points', async (count, points) => {
    expect((await ask(count)).statusCode).toBe(204);
    expect(spend).toHaveBeenCalledExactlyOnceWith(acme, points);
  });

  test.each([0, 10_001])('that is not valid, with %d ids, costs 2 points', async (count) => {
    expect((await ask(count)).statusCode).toBe(400);
    expect(spend).toHaveBeenCalledExactlyOnceWith(acme, 2);
  });

  test('of an organization that has too few points for the smallest one is refused without being parsed', async () => {
    knownRefusal.mockReturnValue(none);
    const unread = httpEvent({ body: { transcriptionIds: [params.transcriptionId] } });
    const readBody = vi.fn(() => '{}');
    Object.defineProperty(unread, 'body', { get: readBody });
    const { statusCode, body, headers } = await runEndpoint(bulk, unread);
    expect([statusCode, headers]).toEqual([429, expect.objectContaining(headersOf(none))]);
    expect(body).toMatchObject({ code: 'rate_limited', message: expect.stringMatching(/costs at least 2\./) });
    expect(knownRefusal).toHaveBeenCalledExactlyOnceWith(acme, 2);
    expect([readBody.mock.calls.length, spend.mock.calls.length]).toEqual([0, 0]);
  });

  test('that is refused says what it costs, and is not handled', async () => {
    spend.mockResolvedValue(none);
    const { statusCode, body } = await ask(250);
    expect([statusCode, body]).toEqual([429, expect.objectContaining({ message: expect.stringMatching(/costs 6\./) })]);
    expect(handle).not.toHaveBeenCalled();
  });

  test('that costs more than a minute has is a 413 that says how many ids fit, and costs 2 points', async () => {
    spend.mockImplementation(async (_caller, points) =>
      points > 100 ? { ...none, limit: 100 } : { ...left, limit: 100 },
    );
    const { statusCode, body, headers } = await ask(10_000);
    expect([statusCode, body]).toEqual([
      413,
      {
        code: 'payload_too_large',
        message:
          'The request costs 200 points, and the organization has 100 points a minute. ' +
          'Send at most 5000 transcriptionIds in one request.',
      },
    ]);
    expect(headers['retry-after']).toBeUndefined();
    expect(spend.mock.lastCall).toEqual([acme, 2]);
    expect(handle).not.toHaveBeenCalled();
  });
});

describe('without remaining points', () => {
  test('the answer is 429 with the time of the next points, and the request is not handled', async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 30;
    spend.mockResolvedValue({ ...none, resetsAt });
    const { statusCode, headers, body } = await runEndpoint(remove, httpEvent({ params }));
    expect(statusCode).toBe(429);
    expect(body).toMatchObject({ code: 'rate_limited' });
    expect(headers).toMatchObject(headersOf({ ...none, resetsAt }));
    expect(Number(headers['retry-after'])).toBeGreaterThan(28);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
    expect(handle).not.toHaveBeenCalled();
  });

  test('Retry-After is never 0', async () => {
    spend.mockResolvedValue({ ...none, resetsAt: Date.now() / 1000 - 1 });
    expect((await runEndpoint(remove, httpEvent({ params }))).headers['retry-after']).toBe('1');
  });

  test('a read is refused even if it found something', async () => {
    spend.mockResolvedValue(none);
    const found = endpoint(endpoints.getTranscription, admission, async () => Promise.reject(new Error('defect')));
    expect((await runEndpoint(found, httpEvent({ params }))).statusCode).toBe(429);
  });
});

describe('the order of counting and work', () => {
  const orderOf = async (
    definition:
      | typeof endpoints.getTranscription
      | typeof endpoints.deleteTranscription
      | typeof endpoints.createAccessLink,
  ) => {
    const order: string[] = [];
    spend.mockImplementation(async () => {
      order.push('count');
      await new Promise((resolve) => setImmediate(resolve));
      order.push('counted');
      return left;
    });
    const work = async () => {
      order.push('work');
      throw new TranscriptionNotFound();
    };
    await runEndpoint(endpoint(definition, admission, work), httpEvent({ params }));
    return order;
  };

  test('a read far from the limit starts while its points are counted, a write only after', async () => {
    expect(await orderOf(endpoints.getTranscription)).toEqual(['count', 'work', 'counted']);
    expect(await orderOf(endpoints.deleteTranscription)).toEqual(['count', 'counted', 'work']);
  });

  test('a link, which is a GET that stores a row, starts only after its points are counted', async () => {
    expect(await orderOf(endpoints.createAccessLink)).toEqual(['count', 'counted', 'work']);
  });

  test('a read that may be refused starts after its points are counted', async () => {
    isFarFromLimit.mockReturnValue(false);
    expect(await orderOf(endpoints.getTranscription)).toEqual(['count', 'counted', 'work']);
    expect(isFarFromLimit).toHaveBeenCalledExactlyOnceWith(acme);
  });

  test('a refused read that may be refused does no work', async () => {
    isFarFromLimit.mockReturnValue(false);
    spend.mockResolvedValue(none);
    const found = endpoint(endpoints.getTranscription, admission, handle as never);
    expect((await runEndpoint(found, httpEvent({ params }))).statusCode).toBe(429);
    expect(handle).not.toHaveBeenCalled();
  });
});

describe('a person', () => {
  const as = (role: 'reader' | 'editor') => ({ params, context: personContext(role) });
  const caller = (role: 'reader' | 'editor') => ({ ...acme, person: { personId: 'person-1', role } });

  test('spends points of their own, and is told about them', async () => {
    spend.mockResolvedValue({ ...left, limit: 300, remaining: 297 });
    const { statusCode, headers } = await runEndpoint(remove, httpEvent(as('editor')));
    expect([statusCode, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([204, '300', '297']);
    expect(knownRefusal).toHaveBeenCalledExactlyOnceWith(caller('editor'), 2);
    expect(spend).toHaveBeenCalledExactlyOnceWith(caller('editor'), 2);
  });

  test('who reads is served far from the limit while the points are counted', async () => {
    const read = endpoint(endpoints.getTranscription, admission, handle as never);
    await runEndpoint(read, httpEvent(as('reader')));
    expect(isFarFromLimit).toHaveBeenCalledExactlyOnceWith(caller('reader'));
  });

  test('who may only read is refused before any work, for one point', async () => {
    const unread = httpEvent({ ...as('reader'), body: {}, query: 'unknown=1' });
    const readBody = vi.fn(() => '{}');
    Object.defineProperty(unread, 'body', { get: readBody });
    const { statusCode, body, headers } = await runEndpoint(remove, unread);
    expect([statusCode, body.code, headers]).toEqual([403, 'not_an_editor', expect.objectContaining(headersOf(left))]);
    expect(spend).toHaveBeenCalledExactlyOnceWith(caller('reader'), 1);
    expect([handle.mock.calls.length, readBody.mock.calls.length]).toEqual([0, 0]);
  });

  test('who may only read gets a 429 for such requests when their points are spent', async () => {
    spend.mockResolvedValue({ ...none, limit: 300, remaining: 0 });
    const { statusCode, body } = await runEndpoint(remove, httpEvent(as('reader')));
    expect([statusCode, body.message]).toEqual([
      429,
      expect.stringMatching(/^The person has 0 of its 300 points left/),
    ]);
  });

  test('without an organization costs nobody a point', async () => {
    const { statusCode, body, headers } = await runEndpoint(
      remove,
      httpEvent({ params, context: { membershipRefusal: 'several' } }),
    );
    expect([statusCode, body.code, headers['x-ratelimit-limit']]).toEqual([403, 'no_organization', undefined]);
    expect([spend.mock.calls.length, handle.mock.calls.length]).toEqual([0, 0]);
  });
});

test.each(endpointList.map(({ operationId, method, right }) => ({ operationId, method, right })))(
  'the right for $operationId is that of its method',
  ({ method, right }) => {
    expect(right).toBe(method === 'GET' ? 'read' : 'edit');
  },
);

test('a write that cannot be counted is not handled', async () => {
  spend.mockRejectedValue(Object.assign(new Error('down'), { $metadata: { httpStatusCode: 500 } }));
  expect((await runEndpoint(remove, httpEvent({ params }))).statusCode).toBe(503);
  expect(handle).not.toHaveBeenCalled();
});

test('a read costs one point, a deletion two, also in bulk, and a write three', () => {
  const expected = { GET: 1, DELETE: 2, POST: 3, PUT: 3, PATCH: 3 };
  const others: Readonly<Record<string, number>> = {
    'bulk-delete-transcriptions': 2,
    'get-session-network': 3, // a page of it can take 25 queries of 1 MB, and the refusal of one, too
  };
  for (const { operationId, method, points } of endpointList)
    expect([operationId, points]).toEqual([operationId, others[operationId] ?? expected[method]]);
});
