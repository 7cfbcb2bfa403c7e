import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConnectionError, InvalidRequestError, RateLimitedError, Roomscribe, ServerError } from '#client/index.ts';
import { answerOf, refusedConnection, type Scripted, scriptedFetch } from '../../support/client/scripted-fetch.ts';

const emptyPage = answerOf(200, { results: [], cursor: null });
const busy = answerOf(503, { code: 'service_unavailable', message: 'Busy.' });
const crashed = answerOf(500, { message: 'Internal Server Error' });
const throttled = answerOf(429, { message: 'Too Many Requests' });
const spent = (retryAfter: string) =>
  answerOf(429, { code: 'rate_limited', message: 'No points.' }, { 'retry-after': retryAfter });
const keyInUse = answerOf(409, { code: 'idempotency_key_in_use', message: 'Still running.' }, { 'retry-after': '1' });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A client, with its pauses and the requests that it sent. */
function clientFor(script: readonly Scripted[], { maxRetries }: { maxRetries?: number } = {}) {
  const { fetch, sent } = scriptedFetch(...script);
  const pauses: number[] = [];
  const roomscribe = new Roomscribe({
    apiUrl: 'https://api.example',
    token: 'a-token',
    fetch,
    maxRetries,
    onRetry: (_, delayMs) => pauses.push(delayMs),
  });
  return { roomscribe, sent, pauses };
}

/** The outcome of a call after all its pauses. */
async function outcomeOf<Value>(call: Promise<Value>): Promise<Value | unknown> {
  const settled = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
}

describe('a request is sent again', () => {
  test.each([
    ['503', busy],
    ['500 from the gateway', crashed],
    ['429 from the gateway', throttled],
    ['429 from the service', spent('1')],
    ['409, while its key is in use', keyInUse],
    ['a refused connection', refusedConnection()],
    ['silence', 'silence'],
  ] as const)('after %s', async (_, fault) => {
    const { roomscribe, sent } = clientFor([fault, emptyPage]);
    expect(await outcomeOf(roomscribe.transcriptions.list().page())).toEqual({ results: [], cursor: null });
    expect(sent).toHaveLength(2);
  });

  test('four times, and then fails with the last error', async () => {
    const { roomscribe, sent } = clientFor([busy]);
    expect(await outcomeOf(roomscribe.transcriptions.list().page())).toBeInstanceOf(ServerError);
    expect(sent).toHaveLength(5);
  });

  test('at most maxRetries times', async () => {
    const { roomscribe, sent } = clientFor([busy], { maxRetries: 0 });
    expect(await outcomeOf(roomscribe.transcriptions.list().page())).toMatchObject({ code: 'service_unavailable' });
    expect(sent).toHaveLength(1);
  });

  test('with the same idempotency key, and each call has its own key', async () => {
    const created = new Response(null, { status: 201, headers: { location: '/v1/transcriptions/t-1' } });
    const { roomscribe, sent } = clientFor([busy, created]);
    await outcomeOf(roomscribe.transcriptions.create({ recordingId: 'r-1' }));
    await outcomeOf(roomscribe.transcriptions.create({ recordingId: 'r-1' }));
    const [first, second, third] = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe('a request is not sent again', () => {
  test.each([
    ['400', answerOf(400, { code: 'invalid_request', message: 'No.', issues: [] }), InvalidRequestError],
    ['an answer from another server', new Response('<html>', { status: 200 }), ConnectionError],
    ['429 that asks for more than a minute', spent('61'), RateLimitedError],
  ] as const)('after %s', async (_, fault, expected) => {
    const { roomscribe, sent } = clientFor([fault, emptyPage]);
    expect(await outcomeOf(roomscribe.transcriptions.list().page())).toBeInstanceOf(expected);
    expect(sent).toHaveLength(1);
  });
});

describe('the pause before a retry', () => {
  const bounds = async (random: number, ...script: readonly Scripted[]) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const { roomscribe, pauses } = clientFor([...script, emptyPage], { maxRetries: 9 });
    await outcomeOf(roomscribe.transcriptions.list().page());
    return pauses;
  };

  test('is a random part of an interval that doubles up to ten seconds', async () => {
    const seven = Array.from({ length: 7 }, () => busy);
    expect(await bounds(1, ...seven)).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000]);
    expect(await bounds(0.5, ...seven)).toEqual([125, 250, 500, 1000, 2000, 4000, 5000]);
  });

  test('lasts for Retry-After and up to a second more', async () => {
    expect(await bounds(0, spent('7'))).toEqual([7000]);
    expect(await bounds(1, spent('7'))).toEqual([8000]);
  });

  test('lasts until the date in Retry-After', async () => {
    expect(await bounds(0, spent('Mon, 02 Mar 2026 09:00:12 GMT'))).toEqual([12_000]);
  });

  test('ends if its signal is aborted, with the reason of the signal', async () => {
    const { roomscribe, sent } = clientFor([spent('30'), emptyPage]);
    const stop = new AbortController();
    const call = roomscribe.transcriptions.list({}, { signal: stop.signal }).page();
    const reason = call.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1000);
    stop.abort('enough');
    expect(await reason).toBe('enough');
    expect(vi.getTimerCount()).toBe(0);
    expect(sent).toHaveLength(1);
  });
});

describe('an attempt of a request', () => {
  test('ends after 35 seconds without an answer', async () => {
    const { roomscribe } = clientFor(['silence'], { maxRetries: 0 });
    const failed = roomscribe.transcriptions
      .list()
      .page()
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(34_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failed).toMatchObject({ code: 'timed_out', message: expect.stringContaining('35 seconds') });
  });

  test('ends if its signal is aborted, and sends nothing if it already was', async () => {
    const { roomscribe, sent } = clientFor(['silence']);
    const stop = new AbortController();
    const failed = roomscribe.transcriptions.get('t-1', { signal: stop.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    stop.abort('enough');
    expect(await failed).toBe('enough');
    expect(await roomscribe.transcriptions.get('t-1', { signal: stop.signal }).catch((error: unknown) => error)).toBe(
      'enough',
    );
    expect(sent).toHaveLength(1);
  });

  test('names the address and the reason if the connection fails, and keeps the cause', async () => {
    const fault = refusedConnection();
    const { roomscribe } = clientFor([fault], { maxRetries: 0 });
    expect(await outcomeOf(roomscribe.transcriptions.list().page())).toMatchObject({
      message: 'https://api.example could not be reached (ECONNREFUSED).',
      code: 'connection_failed',
      cause: fault,
    });
  });
});
