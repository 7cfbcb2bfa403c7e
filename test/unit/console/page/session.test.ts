import { afterEach, describe, expect, test, vi } from 'vitest';
import { openSession, startAgain } from '../../../../console/sign-in/session.ts';
import { fakePage, json, pageUrl } from './fake-page.ts';

const issuer = 'https://id.example';
const config = {
  signIn: 'oidc',
  clientId: 'console',
  scope: 'openid',
  issuer,
  authorizationEndpoint: `${issuer}/authorize`,
  tokenEndpoint: `${issuer}/token`,
};
const attemptKey = 'roomscribe.sign-in';
const attempt = JSON.stringify({ verifier: 'v'.repeat(43), state: 's-1', nonce: 'n-1', returnTo: '/room?name=a' });
const tokens = JSON.stringify({ accessToken: 'a-1', renewAt: Date.now() + 3_600_000 });

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page at an address, in a tab with these stored values. */
function pageAt(path: string, stored: Readonly<Record<string, string>>, token: () => Response = () => json(500, {})) {
  const answers = { [`${pageUrl}config.json`]: () => json(200, config), [config.tokenEndpoint]: token };
  const page = fakePage(answers, pageUrl + path);
  for (const [key, value] of Object.entries(stored)) page.stored.set(key, value);
  return page;
}

/** An ID token as the token endpoint answers it. The page trusts the connection, not the signature. */
function idToken(): string {
  const seconds = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'console', sub: 'ada', nonce: 'n-1', iat: seconds, exp: seconds + 300 };
  return [{ alg: 'RS256' }, claims, 'signature']
    .map((part) => btoa(JSON.stringify(part)).replaceAll('=', ''))
    .join('.');
}

describe('an answer of the issuer', () => {
  test('leads to where the reader wanted to go', async () => {
    const answer = { access_token: 'a-2', token_type: 'Bearer', id_token: idToken() };
    const page = pageAt('?code=c-1&state=s-1', { [attemptKey]: attempt }, () => json(200, answer));
    const { token } = await openSession();
    expect(page.address()).toBe(`${pageUrl}room?name=a`);
    expect(typeof token === 'function' && (await token())).toBe('a-2');
    expect(page.stored.has(attemptKey)).toBe(false);
  });

  test('whose token the API refuses leads to no other sign-in, which would give the same', async () => {
    const answer = { access_token: 'a-2', token_type: 'Bearer', id_token: idToken() };
    const page = pageAt('?code=c-1&state=s-1', { [attemptKey]: attempt }, () => json(200, answer));
    const { token } = await openSession();
    expect(typeof token === 'function' && (await token('a-2'))).toBe('a-2');
    expect(page.visits).toEqual([]);
  });

  test.each<[string, string, string, () => Response]>([
    ['is an error', '?error=access_denied&state=s-1', 'access_denied', () => json(500, {})],
    ['has a code that is refused', '?code=c-1&state=s-1', 'invalid_grant', () => json(400, { error: 'invalid_grant' })],
  ])('does not stay in the address if it %s', async (_, path, message, token) => {
    const page = pageAt(path, { [attemptKey]: attempt }, token);
    await expect(openSession()).rejects.toThrow(message);
    expect(page.address()).toBe(`${pageUrl}room?name=a`); // where another attempt leads
    expect(page.stored.has(attemptKey)).toBe(false);
  });
});

describe('an answer that this tab did not ask for', () => {
  test.each(['?code=stolen&state=forged', '?error=access_denied&state=forged'])(
    'is removed from the address %s of a reader who is signed in',
    async (path) => {
      const page = pageAt(path, { 'roomscribe.tokens': tokens });
      await openSession();
      expect(page.address()).toBe(pageUrl);
      expect(page.sent.map(({ url }) => url)).toEqual([`${pageUrl}config.json`]);
    },
  );

  test('does not discard an attempt of the tab with another state', async () => {
    const page = pageAt('?code=stolen&state=forged', { 'roomscribe.tokens': tokens, [attemptKey]: attempt });
    await openSession();
    expect(page.address()).toBe(pageUrl);
    expect(page.stored.get(attemptKey)).toBe(attempt);
  });

  test('sends a reader who is not signed in to the issuer', async () => {
    const page = pageAt('?code=stolen&state=forged', {});
    void openSession();
    await vi.waitFor(() => expect(page.visits).toHaveLength(1));
    expect(page.visits[0]?.pathname).toBe('/authorize');
    expect(JSON.parse(page.stored.get(attemptKey) ?? '').returnTo).toBe('/');
  });
});

describe('a reader who has signed out in this tab', () => {
  const signedOut = { 'roomscribe.signed-out': 'true' };

  test('is told so, and not sent to the issuer', async () => {
    const page = pageAt('rooms', signedOut);
    await expect(openSession()).rejects.toMatchObject({ code: 'signed_out' });
    expect(page.visits).toEqual([]);
  });

  test('signs in when they ask for it', async () => {
    const page = pageAt('rooms', signedOut);
    await expect(openSession()).rejects.toThrow();
    startAgain();
    expect(page.reloads()).toBe(1);
    void openSession();
    await vi.waitFor(() => expect(page.visits).toHaveLength(1));
    expect(JSON.parse(page.stored.get(attemptKey) ?? '').returnTo).toBe('/rooms');
  });

  test('is signed in again after an answer of the issuer', async () => {
    const answer = { access_token: 'a-2', token_type: 'Bearer', id_token: idToken() };
    const page = pageAt('?code=c-1&state=s-1', { ...signedOut, [attemptKey]: attempt }, () => json(200, answer));
    await openSession();
    expect(page.stored.has('roomscribe.signed-out')).toBe(false);
  });
});

test('a browser that allows no storage is told what to allow', async () => {
  pageAt('rooms', {});
  vi.stubGlobal('sessionStorage', undefined);
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    },
  });
  await expect(openSession()).rejects.toMatchObject({ code: 'no_storage' });
});

test('a `state` of a view is no answer of the issuer', async () => {
  const page = pageAt('transcriptions?state=failed', { 'roomscribe.tokens': tokens });
  await openSession();
  expect(page.address()).toBe(`${pageUrl}transcriptions?state=failed`);
});

describe('a page that the browser shows again', () => {
  test('starts anew after a sign-out in its tab, and stays as it is before that', async () => {
    const page = pageAt('rooms', { 'roomscribe.tokens': tokens });
    await openSession();
    page.show({ persisted: true });
    expect(page.reloads()).toBe(0);
    page.stored.delete('roomscribe.tokens');
    page.show({ persisted: true });
    expect(page.reloads()).toBe(1);
  });
});
