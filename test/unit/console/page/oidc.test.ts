import { afterEach, describe, expect, test, vi } from 'vitest';
import { OidcSignIn, type PersonTokens } from '../../../../client/console/sign-in/oidc.ts';
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
const tokensKey = 'roomscribe.tokens';
const ended: PersonTokens = { accessToken: 'a-1', refreshToken: 'r-1', endsAt: 0 };
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
