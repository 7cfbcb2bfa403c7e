import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AccessToken, Roomscribe } from '#client/index.ts';
import { answerOf, type Scripted, scriptedFetch, tokenAnswer } from '../../support/client/scripted-fetch.ts';

const emptyPage = answerOf(200, { results: [], cursor: null });
const acme = {
  apiUrl: 'https://api.example',
  tokenUrl: 'https://tokens.example/oauth2/token',
  clientId: 'acme',
  clientSecret: 'secret',
};
const twenty = Array.from({ length: 20 });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * An API that accepts only the token `good`, and an issuer with a script. `asked` counts the requests to the issuer.
 */
function service(good: string, issuer: readonly Scripted[]) {
  const tokens = scriptedFetch(...issuer);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input) === acme.tokenUrl) return tokens.fetch(String(input), init);
    const isGood = new Headers(init?.headers).get('authorization') === `Bearer ${good}`;
    return isGood ? emptyPage.clone() : answerOf(401, { message: 'Unauthorized' });
  };
  return { fetch, asked: () => tokens.sent.length };
}

async function settle(calls: readonly Promise<unknown>[]) {
  const settled = Promise.allSettled(calls);
  await vi.runAllTimersAsync();
  return (await settled).map(({ status }) => status);
}

describe('twenty simultaneous calls', () => {
  test('share one replacement of a rejected token', async () => {
    const { fetch, asked } = service('t-2', [tokenAnswer('t-1', 3600), tokenAnswer('t-2', 3600), tokenAnswer('t-3')]);
    const { transcriptions } = new Roomscribe({ ...acme, fetch });
    expect(await settle(twenty.map(() => transcriptions.list().page()))).toEqual(twenty.map(() => 'fulfilled'));
    expect(asked()).toBe(2);
  });

  test('share one read of a slow store and one renewal', async () => {
    const stale: AccessToken = { accessToken: 'stale', renewAt: Date.now() - 1 };
    const tokenStore = {
      read: vi.fn(() => new Promise<AccessToken>((resolve) => setTimeout(() => resolve(stale), Math.random() * 60))),
      write: vi.fn(async () => {}),
    };
    const { fetch, asked } = service('t-1', [tokenAnswer('t-1', 3600), tokenAnswer('t-2', 3600)]);
    const { transcriptions } = new Roomscribe({ ...acme, fetch, tokenStore });
    expect(await settle(twenty.map(() => transcriptions.list().page()))).toEqual(twenty.map(() => 'fulfilled'));
    expect([tokenStore.read.mock.calls.length, tokenStore.write.mock.calls.length, asked()]).toEqual([1, 1, 1]);
  });

  test('share the retries of a failing token request', async () => {
    const { fetch, asked } = service('t-1', [answerOf(503, {})]);
    const { transcriptions } = new Roomscribe({ ...acme, fetch });
    const calls = twenty.map(() => transcriptions.list().page());
    const [first = Promise.resolve()] = calls;
    expect(await settle(calls)).toEqual(twenty.map(() => 'rejected'));
    expect(asked()).toBe(5);
    await expect(first).rejects.toMatchObject({
      status: 503,
      message: 'The token endpoint https://tokens.example answered 503.',
    });
  });
});

test('a late rejection uses the token that was renewed in the meantime', async () => {
  const tokens = scriptedFetch(tokenAnswer('t-1', 3600), tokenAnswer('t-2', 3600), tokenAnswer('t-3', 3600));
  const late = Promise.withResolvers<Response>();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input) === acme.tokenUrl) return tokens.fetch(String(input), init);
    if (new Headers(init?.headers).get('authorization') !== 'Bearer t-1') return emptyPage.clone();
    return String(input).includes('late') ? late.promise : answerOf(401, { message: 'Unauthorized' });
  };
  const { transcriptions } = new Roomscribe({ ...acme, fetch });
  const slow = transcriptions.list({ roomName: '/late' }).page();
  await transcriptions.list().page();
  late.resolve(answerOf(401, { message: 'Unauthorized' }));
  await slow;
  expect(tokens.sent).toHaveLength(2);
});

test('a throttled token request is retried', async () => {
  const { fetch, asked } = service('t-1', [answerOf(429, {}), tokenAnswer('t-1', 3600)]);
  expect(await settle([new Roomscribe({ ...acme, fetch }).transcriptions.list().page()])).toEqual(['fulfilled']);
  expect(asked()).toBe(2);
});

test('a call with an aborted signal requests no token', async () => {
  const { fetch, asked } = service('t-1', [tokenAnswer('t-1')]);
  const { transcriptions } = new Roomscribe({ ...acme, fetch });
  const call = transcriptions.get('t', { signal: AbortSignal.abort('before') });
  await expect(call).rejects.toBe('before');
  expect(asked()).toBe(0);
});

test('a call that is aborted while its token is replaced ends at once', async () => {
  const { fetch } = service('t-2', [tokenAnswer('t-1'), 'silence']);
  const stop = new AbortController();
  const call = new Roomscribe({ ...acme, fetch }).transcriptions.get('t', { signal: stop.signal });
  const reason = call.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10);
  stop.abort('enough');
  expect(await reason).toBe('enough');
});

test('a lifetime given as a string of digits is accepted', async () => {
  const { fetch, asked } = service('t-1', [answerOf(200, { access_token: 't-1', expires_in: '3600' })]);
  const { transcriptions } = new Roomscribe({ ...acme, fetch });
  await transcriptions.list().page();
  await vi.advanceTimersByTimeAsync(3_500_000);
  await transcriptions.list().page();
  expect(asked()).toBe(1);
});

test.each([
  ['an empty token', 200, { access_token: '' }, 'the answer has no token'],
  ['no token', 200, {}, 'the answer has no token'],
  ['a token with an error', 400, { access_token: 'x', error: 'invalid_scope' }, 'invalid_scope'],
])('%s from the issuer is rejected', async (_, status, body, reason) => {
  const { fetch } = service('', [answerOf(status, body)]);
  const call = new Roomscribe({ ...acme, fetch }).transcriptions.get('t');
  await expect(call).rejects.toMatchObject({ code: 'token_refused', message: expect.stringContaining(reason) });
});
