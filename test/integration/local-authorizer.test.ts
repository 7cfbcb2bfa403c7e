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

describe('a good token is let in', () => {
  it.each([
    ['with an audience', () => ({})],
    ['with a list of audiences', () => ({ aud: ['other', 'roomscribe'] })],
    ['with a client id for an audience', () => ({ aud: undefined, client_id: 'roomscribe' })],
  ])('%s', async (_, change) => {
    const response = await call(`Bearer ${await api.sign({ ...api.claims, ...change() })}`);

    expect(response.status).toBe(200);
    expect(api.events).toHaveLength(1);
  });

  it('whatever the case of "Bearer", or without it', async () => {
    const token = await api.sign();

    expect([(await call(`bearer ${token}`)).status, (await call(token)).status]).toEqual([200, 200]);
  });
});

describe('a bad token is a 401, and no function runs', () => {
  const publicKeyText = () => createPublicKey({ key: api.jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const foreign = async (header: object) => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const { kid } = api.jwk;
    return new SignJWT(api.claims).setProtectedHeader({ alg: 'RS256', kid, jwk, ...header }).sign(privateKey);
  };

  it.each<[string, () => string | Promise<string>]>([
    ['no token', () => ''],
    ['no token after Bearer', () => 'Bearer '],
    ['another scheme', () => 'Basic YTpi'],
    ['what is no token', () => 'Bearer not.a.token'],
    ['an expired one', () => api.sign({ ...api.claims, exp: now() - 5 })],
    ['one without an end', () => api.sign({ ...api.claims, exp: undefined })],
    ['one of the future (nbf)', () => api.sign({ ...api.claims, nbf: now() + 300 })],
    ['one of the future (iat)', () => api.sign({ ...api.claims, iat: now() + 300 })],
    ['one unsigned', () => new UnsecuredJWT(api.claims).encode()],
    ['one stripped of its signature', async () => `${(await api.sign()).split('.').slice(0, 2).join('.')}.`],
    ['one with the signature of another', async () => `${(await api.sign()).slice(0, -8)}AAAAAAAA`],
    [
      'one signed with the public key as a secret',
      () =>
        new SignJWT(api.claims)
          .setProtectedHeader({ alg: 'HS256', kid: api.jwk.kid })
          .sign(Buffer.from(publicKeyText())),
    ],
    ['one that brings its own key', () => foreign({})],
    ['one that points to its own keys', () => foreign({ jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/x' })],
    ['one of an unknown key', () => api.sign(api.claims, { kid: 'unknown' })],
    ['one without a key id', () => api.sign(api.claims, { kid: undefined })],
    ['one of another issuer', () => api.sign({ ...api.claims, iss: 'https://issuer.example.com' })],
    ['one without an issuer', () => api.sign({ ...api.claims, iss: undefined })],
    ['one for another audience', () => api.sign({ ...api.claims, aud: 'other' })],
    ['one for another client', () => api.sign({ ...api.claims, aud: undefined, client_id: 'acme' })],
    ['one for nobody', () => api.sign({ ...api.claims, aud: undefined, client_id: undefined })],
    ['two at once', async () => `Bearer ${await api.sign()}, Bearer ${await api.sign()}`],
  ])('%s', async (_, makeToken) => {
    const token = await makeToken();

    const response = await call(token.includes(' ') || token === '' ? token : `Bearer ${token}`);

    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await response.json()).toEqual({ message: 'Unauthorized' });
    expect(api.events).toEqual([]);
  });

  it('no header at all', async () => {
    expect((await call()).status).toBe(401);
    expect(api.events).toEqual([]);
  });
});

it('a flood of unknown keys asks the issuer once, and does not lock out good tokens', async () => {
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
