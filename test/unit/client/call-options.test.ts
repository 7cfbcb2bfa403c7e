import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConnectionError, RateLimitedError, Roomscribe, ServerError } from '#client/index.ts';
import { answerOf, type Scripted, scriptedFetch } from '../../support/client/scripted-fetch.ts';

const busy = answerOf(503, { code: 'service_unavailable', message: 'Busy.' });
const headers = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '999', 'x-ratelimit-reset': '1772442060' };
const page = answerOf(200, { results: [], cursor: null }, headers);
const link = answerOf(200, { accessLink: 'https://files.example/a', expires: 1 });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

function clientFor(...script: readonly Scripted[]) {
  const { fetch, sent } = scriptedFetch(...script);
  return { roomscribe: new Roomscribe({ apiUrl: 'https://api.example', token: 'a-token', fetch }), sent };
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  const settled = call.then(
    () => undefined,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return settled;
}

test.each([
  ['a list', ({ transcriptions }: Roomscribe) => transcriptions.list({}, { maxRetries: 1 }).page()],
  ['a write', ({ transcriptions }: Roomscribe) => transcriptions.create({ recordingId: 'x' }, { maxRetries: 1 })],
  ['a bulk delete', ({ transcriptions }: Roomscribe) => transcriptions.bulkDelete(['x'], { maxRetries: 1 })],
  ['a link', ({ transcriptions }: Roomscribe) => transcriptions.createAccessLink('x', { maxRetries: 1 })],
  ['insights', ({ insights }: Roomscribe) => insights.listRooms({}, { maxRetries: 1 }).page()],
] as const)('maxRetries of %s applies to that call alone', async (_, call) => {
  const { roomscribe, sent } = clientFor(busy, busy, busy, busy, busy, busy, busy);

  expect(await errorOf(call(roomscribe))).toBeInstanceOf(ServerError);
  expect(sent).toHaveLength(2);
  expect(await errorOf(roomscribe.transcriptions.get('x'))).toBeInstanceOf(ServerError);
  expect(sent).toHaveLength(2 + 5);
});

test('timeoutMs of a call is the time limit of its attempts, also of the file of a link', async () => {
  const { roomscribe, sent } = clientFor('silence', link, 'silence');
  const limits = { timeoutMs: 20, maxRetries: 0 };
  const began = Date.now();

  for (const call of [
    () => roomscribe.transcriptions.get('x', limits),
    () => roomscribe.transcriptions.downloadText('x', limits),
  ]) {
    expect(await errorOf(call())).toEqual(expect.objectContaining({ code: 'timed_out' }));
  }

  expect(Date.now() - began).toBeLessThan(100);
  expect(sent).toHaveLength(3);
  expect(sent[1]?.url.search, 'the query of the link').toBe('?validForSeconds=900');
});

test('timeoutMs of a wait limits the wait and not its attempts', async () => {
  const { roomscribe } = clientFor('silence');
  const error = await errorOf(roomscribe.transcriptions.wait('x', { timeoutMs: 50 }));
  expect(error).not.toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ name: 'WaitTimeoutError' });
});

test.each([{ maxRetries: -1 }, { maxRetries: 0.5 }, { timeoutMs: 0 }, { timeoutMs: Number.NaN }])(
  'the invalid limit %j of a call is a TypeError, and nothing is sent',
  async (limits) => {
    const { roomscribe, sent } = clientFor(page);
    expect(await errorOf(roomscribe.transcriptions.list({}, limits).page())).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
  },
);

test('the client has the rate limit of the latest answer, and an error that of its own', async () => {
  const spent = answerOf(
    429,
    { code: 'rate_limited', message: 'No points.' },
    { ...headers, 'x-ratelimit-remaining': '0' },
  );
  const { roomscribe } = clientFor(page, busy, spent);
  const { transcriptions } = roomscribe;
  expect(roomscribe.rateLimit).toBeUndefined();

  await transcriptions.list().page();
  const full = { limit: 1000, remaining: 999, resetsAt: Date.parse('2026-03-02T09:01:00Z') };
  expect(roomscribe.rateLimit).toEqual(full);
  expect(await errorOf(transcriptions.get('x', { maxRetries: 0 }))).toMatchObject({ rateLimit: undefined });
  expect(roomscribe.rateLimit).toEqual(full);
  const refused = await errorOf(transcriptions.get('x', { maxRetries: 0 }));
  expect(refused).toBeInstanceOf(RateLimitedError);
  expect(refused).toMatchObject({ rateLimit: { ...full, remaining: 0 } });
  expect(roomscribe.rateLimit).toEqual({ ...full, remaining: 0 });
});

test('accessToken returns the token of the next call', async () => {
  const { roomscribe } = clientFor();
  expect(await roomscribe.accessToken()).toBe('a-token');
});
