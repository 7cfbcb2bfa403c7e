import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AccessToken, AuthenticationError, Roomscribe, TokenError } from '#client/index.ts';
import { answerOf, scriptedFetch, tokenAnswer } from '../../support/client/scripted-fetch.ts';

const emptyPage = answerOf(200, { results: [], cursor: null });
const expired = answerOf(403, { message: 'Forbidden' });
const client = { apiUrl: 'https://api.example', tokenUrl: 'https://tokens.example/oauth2/token', maxRetries: 0 };
const acme = { ...client, clientId: 'acme', clientSecret: 'secret' };

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const bearers = (sent: ReturnType<typeof scriptedFetch>['sent']) =>
  sent.map(({ headers }) => headers.get('authorization')?.replace(/^Bearer /, ''));

describe('a client with a client secret', () => {
  test('requests a token as RFC 6749 specifies', async () => {
    const { fetch, sent } = scriptedFetch(tokenAnswer('t-1', 3600), emptyPage);
    const credentials = { clientId: 'a b:c', clientSecret: 'ü+/%', scope: 'roomscribe/api other' };
    await new Roomscribe({ ...client, ...credentials, fetch }).transcriptions.list().page();
    const [asked] = sent;
    expect(asked).toMatchObject({ method: 'POST', url: new URL(client.tokenUrl) });
    expect(asked?.headers.get('content-type')).toMatch(/^application\/x-www-form-urlencoded/);
    expect(asked?.body).toBe('grant_type=client_credentials&scope=roomscribe%2Fapi+other');
    expect(asked?.headers.get('authorization')).toBe(`Basic ${btoa('a+b%3Ac:%C3%BC%2B%2F%25')}`);
  });

  test('uses one token for many calls, simultaneous and later', async () => {
    const { fetch, sent } = scriptedFetch(tokenAnswer('t-1', 3600), emptyPage);
    const { transcriptions } = new Roomscribe({ ...acme, fetch });
    await Promise.all([transcriptions.list().page(), transcriptions.list().page(), transcriptions.list().page()]);
    await vi.advanceTimersByTimeAsync(3_539_000);
    await transcriptions.list().page();
    expect(bearers(sent).slice(1)).toEqual(['t-1', 't-1', 't-1', 't-1']);
  });

  test.each([
    ['a minute before its expiry', 3600, 3540],
    ['after half of a short lifetime', 60, 30],
    ['after four minutes if the issuer states no lifetime', undefined, 240],
    ['after four minutes if the stated lifetime is not a number', 'soon' as never, 240],
  ])('renews its token %s', async (_, expiresIn, atSeconds) => {
    const [first, second] = [tokenAnswer('t-1', expiresIn), tokenAnswer('t-2', 3600)];
    const { fetch, sent } = scriptedFetch(first, emptyPage, emptyPage, second, emptyPage);
    const { transcriptions } = new Roomscribe({ ...acme, fetch });
    await transcriptions.list().page();
    await vi.advanceTimersByTimeAsync(atSeconds * 1000 - 1);
    await transcriptions.list().page();
    expect(bearers(sent).at(-1)).toBe('t-1');
    await vi.advanceTimersByTimeAsync(1);
    await transcriptions.list().page();
    expect(bearers(sent).at(-1)).toBe('t-2');
  });

  test('replaces a rejected token once', async () => {
    const { fetch, sent } = scriptedFetch(tokenAnswer('t-1', 3600), expired, tokenAnswer('t-2', 3600), emptyPage);
    await new Roomscribe({ ...acme, fetch }).transcriptions.list().page();
    expect(bearers(sent).at(-1)).toBe('t-2');

    const refusing = scriptedFetch(tokenAnswer('t-1', 3600), expired, tokenAnswer('t-2', 3600), expired);
    const refused = new Roomscribe({ ...acme, fetch: refusing.fetch }).transcriptions.list().page();
    await expect(refused).rejects.toThrow(AuthenticationError);
    expect(refusing.sent).toHaveLength(4);
  });

  test('fails with an error that names the client and never the secret if the issuer rejects it', async () => {
    const { fetch } = scriptedFetch(answerOf(401, { error: 'invalid_client' }));
    const refused = await new Roomscribe({ ...acme, fetch }).transcriptions.get('t').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TokenError);
    expect(refused).toMatchObject({ code: 'token_refused', oauthError: 'invalid_client' });
    expect(String(refused)).toContain('acme');
    expect(JSON.stringify(refused, Object.getOwnPropertyNames(refused))).not.toContain('secret');
  });

  test('retries a busy issuer, and requests a token again after a failed call', async () => {
    const { fetch } = scriptedFetch(answerOf(503, {}), answerOf(503, {}), tokenAnswer('t-1', 3600), emptyPage);
    const { transcriptions } = new Roomscribe({ ...acme, fetch, maxRetries: 1 });
    const failed = transcriptions
      .list()
      .page()
      .catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await failed).toMatchObject({ status: 503 });
    expect(await transcriptions.list().page()).toEqual({ results: [], cursor: null });
  });

  test('stops waiting for a token if the call is aborted', async () => {
    const { fetch } = scriptedFetch('silence');
    const stop = new AbortController();
    const { transcriptions } = new Roomscribe({ ...acme, fetch });
    const call = transcriptions.get('t', { signal: stop.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    stop.abort('enough');
    expect(await call).toBe('enough');
  });

  test('reads a valid token from the store, and stores a renewed one', async () => {
    let stored: AccessToken | undefined = { accessToken: 'stored', renewAt: Date.now() + 1000 };
    const tokenStore = {
      read: async () => stored,
      write: async (token: AccessToken) => {
        stored = token;
      },
    };
    const first = scriptedFetch(emptyPage);
    await new Roomscribe({ ...acme, fetch: first.fetch, tokenStore }).transcriptions.list().page();
    expect(bearers(first.sent)).toEqual(['stored']);

    await vi.advanceTimersByTimeAsync(1000);
    const second = scriptedFetch(tokenAnswer('t-2', 3600), emptyPage);
    await new Roomscribe({ ...acme, fetch: second.fetch, tokenStore }).transcriptions.list().page();
    expect(stored).toEqual({ accessToken: 't-2', renewAt: Date.now() + 3_540_000 });
  });
});

describe('a client with a token of the caller', () => {
  test('gets it from the token function for each call, and again after a rejection', async () => {
    const { fetch, sent } = scriptedFetch(emptyPage, expired, emptyPage);
    const token = vi.fn((refused?: string) => (refused === undefined ? 'kept' : `not-${refused}`));
    const { transcriptions } = new Roomscribe({ ...client, token, fetch });
    await transcriptions.list().page();
    await transcriptions.list().page();
    expect(bearers(sent)).toEqual(['kept', 'kept', 'not-kept']);
  });

  test('sends it once if it is fixed', async () => {
    const { fetch, sent } = scriptedFetch(expired);
    const refused = new Roomscribe({ ...client, token: 'only', fetch }).transcriptions.list().page();
    await expect(refused).rejects.toMatchObject({ name: 'AuthenticationError', code: 'unauthorized', status: 403 });
    expect(sent).toHaveLength(1);
  });
});

describe('the constructor', () => {
  test.each([
    ['neither a token nor a secret', { ...client }],
    ['no secret', { ...client, clientId: 'acme' }],
    ['no address', { token: 't' }],
    ['an address without TLS', { ...client, token: 't', apiUrl: 'http://api.example' }],
    ['an issuer without TLS', { ...acme, tokenUrl: 'http://tokens.example' }],
    ['another protocol', { ...client, token: 't', apiUrl: 'file:///etc' }],
  ])('rejects %s', (_, options) => {
    expect(() => Reflect.construct(Roomscribe, [options])).toThrow(TypeError);
  });

  test.each(['http://localhost:8787', 'http://127.0.0.1:8787/', 'http://[::1]:1', 'https://api.example/prefix'])(
    'accepts %s',
    (apiUrl) => {
      expect(new Roomscribe({ apiUrl, token: 't' })).toBeInstanceOf(Roomscribe);
    },
  );
});
