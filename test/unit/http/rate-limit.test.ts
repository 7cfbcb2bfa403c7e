import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endpointList, endpoints } from '#shared/contracts/endpoints.ts';
import type { Allowance } from '#shared/contracts/rate-limit.ts';
import { ServiceUnavailable, TranscriptionNotFound } from '#shared/errors.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { httpEvent, organizationClaim } from '../../support/http-events.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { runEndpoint } from '../../support/run-endpoint.ts';

const params = { transcriptionId: '00000000-0000-4000-8000-000000000001' };
const left: Allowance = { isExceeded: false, limit: 1000, remaining: 998, resetsAt: 1_800_000_060 };
const none: Allowance = { ...left, isExceeded: true, remaining: 1 };
const headersOf = ({ limit, remaining, resetsAt }: Allowance) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetsAt),
});

const spend = vi.fn<Admission['rateLimiter']['spend']>(async () => left);
const admission: Admission = { organizationClaim, rateLimiter: { spend } };
const handle = vi.fn(async (_request: unknown) => ({}));
const remove = endpoint(endpoints.deleteTranscription, admission, handle);

beforeEach(() => {
  captureLogLines();
  spend.mockReset().mockResolvedValue(left);
  handle.mockReset().mockResolvedValue({});
});

test('an answer tells what is left', async () => {
  const { statusCode, headers } = await runEndpoint(remove, httpEvent({ params }));
  expect(statusCode).toBe(204);
  expect(headers).toMatchObject(headersOf(left));
  expect(spend).toHaveBeenCalledExactlyOnceWith('acme', 2);
});

test.each([
  ['an expected error', () => Promise.reject(new TranscriptionNotFound()), 404],
  ['a busy dependency', () => Promise.reject(new ServiceUnavailable('busy')), 503],
  ['a defect', () => Promise.reject(new Error('defect')), 500],
])('so does %s', async (_what, failing, status) => {
  handle.mockImplementation(failing);
  const { statusCode, headers } = await runEndpoint(remove, httpEvent({ params }));
  expect([statusCode, headers]).toEqual([status, expect.objectContaining(headersOf(left))]);
});

test('a request that is not valid is counted, and told what is left', async () => {
  const { statusCode, headers } = await runEndpoint(remove, httpEvent({ params, query: 'unknown=1' }));
  expect([statusCode, headers]).toEqual([400, expect.objectContaining(headersOf(left))]);
  expect(spend).toHaveBeenCalledOnce();
});

test('a token without an organization spends nothing', async () => {
  const { statusCode, headers } = await runEndpoint(remove, httpEvent({ params, claims: {} }));
  expect(statusCode).toBe(401);
  expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  expect(spend).not.toHaveBeenCalled();
});

describe('without points', () => {
  test('the answer is 429, says when there are more, and nothing was done', async () => {
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

  test('a read is refused whatever it found', async () => {
    spend.mockResolvedValue(none);
    const found = endpoint(endpoints.getTranscription, admission, async () => Promise.reject(new Error('defect')));
    expect((await runEndpoint(found, httpEvent({ params }))).statusCode).toBe(429);
  });
});

test('a read begins while its points are counted, a write only after', async () => {
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
  await runEndpoint(endpoint(endpoints.getTranscription, admission, work), httpEvent({ params }));
  expect(order.splice(0)).toEqual(['count', 'work', 'counted']);
  await runEndpoint(endpoint(endpoints.deleteTranscription, admission, work), httpEvent({ params }));
  expect(order).toEqual(['count', 'counted', 'work']);
});

test('nothing is done for a write that could not be counted', async () => {
  spend.mockRejectedValue(Object.assign(new Error('down'), { $metadata: { httpStatusCode: 500 } }));
  expect((await runEndpoint(remove, httpEvent({ params }))).statusCode).toBe(503);
  expect(handle).not.toHaveBeenCalled();
});

test('a read costs one point, a deletion two, a write three', () => {
  const expected = { GET: 1, DELETE: 2, POST: 3 };
  for (const { method, points } of endpointList) expect(points).toBe(expected[method]);
});
