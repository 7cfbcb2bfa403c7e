import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OidcSignIn } from '../../../../client/console/sign-in/oidc.ts';

const tokensKey = 'roomscribe.tokens';
const endpoint = 'https://login.example/oauth2/token';
const config = {
  ...{ clientId: 'console', scope: 'openid', issuer: 'https://login.example' },
  ...{ authorizationEndpoint: 'https://login.example/oauth2/authorize', tokenEndpoint: endpoint },
};

let stored: Map<string, string>;
let asked: number;
let answer: () => Promise<Response>;

beforeEach(() => {
  stored = new Map([[tokensKey, JSON.stringify({ accessToken: 'old', refreshToken: 'refresh', endsAt: 0 })]]);
  asked = 0;
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('fetch', () => {
    asked += 1;
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const signIn = () => new OidcSignIn(config, 'https://console.example/console/');
const json = (status: number, body: object) => async () => Response.json(body, { status });

test('calls that need a new token at the same time share one renewal', async () => {
  answer = json(200, { access_token: 'new', token_type: 'Bearer', expires_in: 900 });
  const session = signIn();
  const got = await Promise.all([session.tokens(), session.tokens('old'), session.tokens()]);
  expect(got.map((tokens) => tokens?.accessToken)).toEqual(['new', 'new', 'new']);
  expect(asked).toBe(1);
});

test('a renewal that reaches nobody keeps the refresh token, and the next call tries again', async () => {
  answer = async () => {
    throw new TypeError('fetch failed');
  };
  const session = signIn();
  await expect(session.tokens()).rejects.toMatchObject({ code: 'unreachable' });
  answer = json(200, { access_token: 'new', token_type: 'Bearer', expires_in: 900 });
  expect((await session.tokens())?.accessToken).toBe('new');
});

test('a session that the issuer has ended is forgotten', async () => {
  answer = json(400, { error: 'invalid_grant' });
  expect(await signIn().tokens()).toBeUndefined();
  expect(stored.has(tokensKey)).toBe(false);
});
