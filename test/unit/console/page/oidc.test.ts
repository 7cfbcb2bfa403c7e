import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { OidcSignIn, type PersonTokens } from '../../../../console/sign-in/oidc.ts';
import { fakePage, json, pageUrl } from './fake-page.ts';

const issuer = 'https://id.example';
const tokenEndpoint = `${issuer}/token`;
const config = {
  clientId: 'console',
  scope: 'openid',
  issuer,
  authorizationEndpoint: `${issuer}/authorize`,
  tokenEndpoint,
};
const revocationEndpoint = `${issuer}/revoke`;
const endSessionEndpoint = `${issuer}/logout`;
const tokensKey = 'roomscribe.tokens';
const ended: PersonTokens = { accessToken: 'a-1', refreshToken: 'r-1', renewAt: 0 };
const renewed = () => json(200, { access_token: 'a-2', token_type: 'Bearer', expires_in: 3600 });

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page with tokens that have ended, and an issuer that answers its renewal. */
function pageWithEndedTokens(answer: () => Response | Promise<Response>) {
  const page = fakePage({ [tokenEndpoint]: answer });
  page.stored.set(tokensKey, JSON.stringify(ended));
  const tokens = () => JSON.parse(page.stored.get(tokensKey) ?? 'null');
  return { ...page, tokens, signIn: new OidcSignIn(config, pageUrl) };
}

describe('a renewal', () => {
  test('is shared by all calls that come before its answer', async () => {
    const { signIn, sent } = pageWithEndedTokens(renewed);
    const first = signIn.tokens();
    const second = signIn.tokens('a-1');
    await Promise.resolve();
    const answers = await Promise.all([first, second, signIn.tokens()]);
    expect(answers.map((each) => each?.accessToken)).toEqual(['a-2', 'a-2', 'a-2']);
    expect(sent.map(({ form }) => form.refresh_token)).toEqual(['r-1']);
    expect((await signIn.tokens('a-1'))?.accessToken).toBe('a-2');
  });

  test('keeps the tokens in the tab until others replace them', async () => {
    const { signIn, tokens } = pageWithEndedTokens(async () => {
      expect(tokens()).toEqual(ended);
      return renewed();
    });
    await signIn.tokens();
    expect(tokens()).toMatchObject({ accessToken: 'a-2', refreshToken: 'r-1' });
  });

  test.each<[string, () => Response]>([
    [
      'no network',
      () => {
        throw new TypeError('Failed to fetch');
      },
    ],
    ['an issuer that fails', () => new Response('', { status: 503 })],
    ['a busy issuer', () => json(429, { error: 'too_many_requests' })],
  ])('keeps the tokens for the next attempt after %s', async (_, failure) => {
    let answer = failure;
    const { signIn, tokens } = pageWithEndedTokens(() => answer());
    await expect(signIn.tokens()).rejects.toThrow();
    expect(tokens()).toEqual(ended);
    answer = renewed;
    expect((await signIn.tokens())?.accessToken).toBe('a-2');
  });

  test.each<[string, Response]>([
    ['has ended the session', json(400, { error: 'invalid_grant' })],
    ['does not know the client', new Response('', { status: 401, headers: { 'www-authenticate': 'Basic' } })],
  ])('discards the tokens if the issuer %s', async (_, answer) => {
    const { signIn, stored } = pageWithEndedTokens(() => answer);
    expect(await signIn.tokens()).toBeUndefined();
    expect(stored.size).toBe(0);
  });
});

describe('a sign-out', () => {
  const signIn = () => new OidcSignIn({ ...config, endSessionEndpoint, revocationEndpoint }, pageUrl);
  const signedIn = JSON.stringify({ ...ended, renewAt: Date.now() + 3_600_000 });

  test.each<[string, () => Response]>([
    ['', () => new Response()],
    [', also if the issuer refuses that', () => json(400, { error: 'unsupported_token_type' })],
  ])('revokes the refresh token before the page leaves%s', async (_, answer) => {
    const page = fakePage({
      [revocationEndpoint]: () => {
        expect(page.visits).toEqual([]);
        return answer();
      },
    });
    page.stored.set(tokensKey, signedIn);
    await signIn().signOut();
    expect(page.sent).toEqual([{ url: revocationEndpoint, form: { token: 'r-1', client_id: 'console' } }]);
    expect(page.visits.map(({ origin, pathname }) => origin + pathname)).toEqual([endSessionEndpoint]);
    expect(page.stored.has(tokensKey)).toBe(false);
  });

  test('without a network throws and stays, and tries the rest again at the next call', async () => {
    let isOnline = false;
    const page = fakePage({
      [revocationEndpoint]: () => {
        if (!isOnline) throw new TypeError('Failed to fetch');
        return new Response();
      },
    });
    page.stored.set(tokensKey, signedIn);
    const reader = signIn();
    await expect(reader.signOut()).rejects.toMatchObject({ code: 'unreachable' });
    expect([page.visits, page.stored.has(tokensKey)]).toEqual([[], false]);
    isOnline = true;
    await reader.signOut();
    expect(page.visits.map(({ origin, pathname }) => origin + pathname)).toEqual([endSessionEndpoint]);
  });

  test('ends the session of an issuer that revokes no tokens', async () => {
    const page = fakePage();
    page.stored.set(tokensKey, signedIn);
    await new OidcSignIn({ ...config, endSessionEndpoint }, pageUrl).signOut();
    expect(page.sent).toEqual([]);
    expect(page.visits.map(({ origin, pathname }) => origin + pathname)).toEqual([endSessionEndpoint]);
  });

  test('revokes the refresh token of a renewal that is running, and keeps none of its tokens', async () => {
    const rotated = { access_token: 'a-2', refresh_token: 'r-2', token_type: 'Bearer' };
    const answers = { [tokenEndpoint]: () => json(200, rotated), [revocationEndpoint]: () => new Response() };
    const page = fakePage(answers);
    page.stored.set(tokensKey, JSON.stringify(ended));
    const reader = signIn();
    const renewal = reader.tokens();
    await reader.signOut();
    await renewal;
    expect(page.sent.at(-1)).toEqual({ url: revocationEndpoint, form: { token: 'r-2', client_id: 'console' } });
    expect(page.stored.has(tokensKey)).toBe(false);
  });

  test('lets calls wait, so that none of them signs the reader in again', async () => {
    const answered: unknown[] = [];
    const page = fakePage({
      [revocationEndpoint]: async () => {
        void reader.tokens().then((tokens) => answered.push(tokens));
        await new Promise((resolve) => setTimeout(resolve));
        return new Response();
      },
    });
    page.stored.set(tokensKey, signedIn);
    const reader = signIn();
    await reader.signOut();
    expect(page.sent).toHaveLength(1);
    expect(answered).toEqual([]);
  });

  test('forgets the tokens if the issuer cannot be reached, and revokes them at the next attempt', async () => {
    let isUp = false;
    const metadata = { issuer, revocation_endpoint: revocationEndpoint, end_session_endpoint: endSessionEndpoint };
    const page = fakePage({
      [`${issuer}/.well-known/openid-configuration`]: () => {
        if (!isUp) throw new TypeError('Failed to fetch');
        return json(200, metadata);
      },
      [revocationEndpoint]: () => new Response(),
    });
    page.stored.set(tokensKey, signedIn);
    const reader = new OidcSignIn({ clientId: 'console', scope: 'openid', issuer }, pageUrl);

    await expect(reader.signOut()).rejects.toMatchObject({ code: 'unreachable' });
    expect(page.stored.has(tokensKey)).toBe(false);
    expect(page.visits).toEqual([]);

    isUp = true;
    await reader.signOut();
    expect(page.sent.at(-1)?.form).toEqual({ token: 'r-1', client_id: 'console' });
    expect(page.visits.map(({ origin, pathname }) => origin + pathname)).toEqual([endSessionEndpoint]);
  });

  test('comes back to this page if the issuer has no address for the end of a session', async () => {
    const page = fakePage();
    page.stored.set(tokensKey, signedIn);
    await new OidcSignIn(config, pageUrl).signOut();
    expect(page.visits.map(({ href }) => href)).toEqual([pageUrl]);
    expect([...page.stored.keys()]).toEqual(['roomscribe.signed-out']);
  });

  test('starts anew if the browser shows the page again as it was', async () => {
    const page = fakePage({ [revocationEndpoint]: () => new Response() });
    page.stored.set(tokensKey, signedIn);
    await signIn().signOut();
    page.show({ persisted: false });
    expect(page.reloads()).toBe(0);
    page.show({ persisted: true });
    expect(page.reloads()).toBe(1);
  });
});

describe('the beginning of a sign-in', () => {
  test('is shared by all calls that need one, so that the answer belongs to the attempt that is kept', async () => {
    const page = fakePage();
    const signIn = new OidcSignIn(config, pageUrl);
    void signIn.begin('/console/rooms');
    void signIn.begin('/console/usage');
    await vi.waitFor(() => expect(page.visits.length).toBeGreaterThan(0));
    void signIn.begin('/console/webhooks');
    await new Promise((resolve) => setTimeout(resolve));
    const kept = JSON.parse(page.stored.get('roomscribe.sign-in') ?? '');
    expect(page.visits.map(({ searchParams }) => searchParams.get('state'))).toEqual([kept.state]);
    expect(kept.returnTo).toBe('/console/rooms');
  });

  test('can be repeated by a reader who stopped the page from leaving', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const page = fakePage();
    const signIn = new OidcSignIn(config, pageUrl);
    void signIn.begin('/console/rooms');
    await vi.waitUntil(() => page.visits.length === 1);
    await vi.advanceTimersByTimeAsync(10_000);
    void signIn.begin('/console/usage');
    await vi.waitUntil(() => page.visits.length === 2);
    expect(JSON.parse(page.stored.get('roomscribe.sign-in') ?? '').returnTo).toBe('/console/usage');
  });

  test('is tried again after the issuer could not be reached', async () => {
    let isUp = false;
    const page = fakePage({
      [`${issuer}/.well-known/openid-configuration`]: () => {
        if (!isUp) throw new TypeError('Failed to fetch');
        return json(200, { issuer, authorization_endpoint: config.authorizationEndpoint });
      },
    });
    const signIn = new OidcSignIn({ clientId: 'console', scope: 'openid', issuer }, pageUrl);
    await expect(signIn.begin('/console/rooms')).rejects.toMatchObject({ code: 'unreachable' });
    expect(page.stored.size).toBe(0);
    isUp = true;
    void signIn.begin('/console/rooms');
    await vi.waitFor(() => expect(page.visits).toHaveLength(1));
  });
});

test('a short access token is used for half of its life, and not renewed for each call', async () => {
  const short = () => json(200, { access_token: 'a-2', token_type: 'Bearer', expires_in: 30 });
  const { signIn, sent } = pageWithEndedTokens(short);
  await signIn.tokens();
  expect((await signIn.tokens())?.accessToken).toBe('a-2');
  expect(sent).toHaveLength(1);
});
