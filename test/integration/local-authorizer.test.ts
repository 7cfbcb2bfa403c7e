import { createPublicKey } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startLocalApi } from '../support/local-api.ts';

let api: Awaited<ReturnType<typeof startLocalApi>>;
beforeAll(async () => {
  api = await startLocalApi(['GET /things']);
});
afterAll(() => api.stop());
beforeEach(() => {
  api.events.length = 0;
});

const call = (authorization?: string) =>
  fetch(`${api.url}/things`, { headers: authorization === undefined ? {} : { authorization } });
const now = () => Math.floor(Date.now() / 1000);

describe('the local authorizer accepts a valid token', () => {
  it.each([
    ['with an audience', () => ({})],
    ['with a list of audiences', () => ({ aud: ['other', 'roomscribe'] })],
    ['with a client id as its audience', () => ({ aud: undefined, client_id: 'roomscribe' })],
  ])('%s', async (_, change) => {
    const response = await call(`Bearer ${await api.sign({ ...api.claims, ...change() })}`);

    expect(response.status).toBe(200);
    expect(api.events).toHaveLength(1);
  });

  it('with "Bearer" in any case', async () => {
    const token = await api.sign();

    expect([(await call(`bearer ${token}`)).status, (await call(`BEARER ${token}`)).status]).toEqual([200, 200]);
  });
});

describe('the local authorizer returns 401 and runs no function for', () => {
  const publicKeyText = () => createPublicKey({ key: api.jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const foreign = async (header: object) => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const { kid } = api.jwk;
    return new SignJWT(api.claims).setProtectedHeader({ alg: 'RS256', kid, jwk, ...header }).sign(privateKey);
  };

  it.each<[string, () => string | Promise<string>]>([
    ['no token', () => ''],
    ['a token without Bearer', async () => ` ${await api.sign()}`],
    ['no token after Bearer', () => 'Bearer '],
    ['another scheme', () => 'Basic YTpi'],
    ['text that is no token', () => 'Bearer not.a.token'],
    ['an expired token', () => api.sign({ ...api.claims, exp: now() - 5 })],
    ['a token without an expiry', () => api.sign({ ...api.claims, exp: undefined })],
    ['a token that is not yet valid (nbf)', () => api.sign({ ...api.claims, nbf: now() + 300 })],
    ['a token issued in the future (iat)', () => api.sign({ ...api.claims, iat: now() + 300 })],
    ['an unsigned token', () => new UnsecuredJWT(api.claims).encode()],
    ['a token without its signature', async () => `${(await api.sign()).split('.').slice(0, 2).join('.')}.`],
    ['a token with another signature', async () => `${(await api.sign()).slice(0, -8)}AAAAAAAA`],
    [
      'a token signed with the public key as a secret',
      () =>
        new SignJWT(api.claims)
          .setProtectedHeader({ alg: 'HS256', kid: api.jwk.kid })
          .sign(Buffer.from(publicKeyText())),
    ],
    ['a token that contains its own key', () => foreign({})],
    [
      'a token that points to its own keys',
      () => foreign({ jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/x' }),
    ],
    ['a token of an unknown key', () => api.sign(api.claims, { kid: 'unknown' })],
    ['a token without a key id', () => api.sign(api.claims, { kid: undefined })],
    ['a token of another issuer', () => api.sign({ ...api.claims, iss: 'https://issuer.example.com' })],
    ['a token without an issuer', () => api.sign({ ...api.claims, iss: undefined })],
    ['a token for another audience', () => api.sign({ ...api.claims, aud: 'other' })],
    ['a token for another client', () => api.sign({ ...api.claims, aud: undefined, client_id: 'acme' })],
    ['a token without an audience', () => api.sign({ ...api.claims, aud: undefined, client_id: undefined })],
    ['two tokens in one header', async () => `Bearer ${await api.sign()}, Bearer ${await api.sign()}`],
  ])('%s', async (_, makeToken) => {
    const token = await makeToken();

    const response = await call(token.includes(' ') || token === '' ? token : `Bearer ${token}`);

    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await response.json()).toEqual({ message: 'Unauthorized' });
    expect(api.events).toEqual([]);
  });

  it('a missing header', async () => {
    expect((await call()).status).toBe(401);
    expect(api.events).toEqual([]);
  });
});

it('the local authorizer asks the issuer once for many unknown keys, and still accepts valid tokens', async () => {
  const fresh = await startLocalApi(['GET /things']);
  onTestFinished(() => fresh.stop());
  const status = async (header: object) => {
    const authorization = `Bearer ${await fresh.sign(fresh.claims, header)}`;
    return (await fetch(`${fresh.url}/things`, { headers: { authorization } })).status;
  };
  expect(await status({})).toBe(200);
  const fetches = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetches.mockRestore());

  const flood = await Promise.all(Array.from({ length: 50 }, (_, index) => status({ kid: `unknown-${index}` })));

  expect(new Set(flood)).toEqual(new Set([401]));
  expect(fetches.mock.calls.filter(([url]) => url === fresh.issuer.jwksUrl)).toHaveLength(1);
  expect(await status({})).toBe(200);
});
