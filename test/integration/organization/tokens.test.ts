import { createPublicKey } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { codeOf, send } from '../../support/http/checked-api.ts';
import { claimsOf, type Facts, issuerKey, signedToken, unsignedToken } from '../../support/http/signed-tokens.ts';
import { endpoints, logOf, organization, token } from '../../support/machine.ts';

const acme = organization();
const list = '/v1/transcriptions';
const now = () => Math.floor(Date.now() / 1000);
const stranger = await generateKeyPair('RS256', { extractable: true }).then(({ privateKey }) => exportJWK(privateKey));
const publicPem = createPublicKey({ key: issuerKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
const publicPart = ({ kty = '', n = '', e = '' }: JWK) => ({ kty, n, e });

/** An attacker's server. It publishes a key that verifies the attacker's signatures. */
let asked = 0;
const attacker = createServer((_, response) => {
  asked++;
  response.end(JSON.stringify({ keys: [{ ...publicPart(stranger), kid: 'stranger', alg: 'RS256', use: 'sig' }] }));
});
let attackerUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
  const address = attacker.address();
  attackerUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/jwks.json`;
});
afterAll(() => attacker.close());

const signed = (facts: () => Facts) => () => signedToken(acme, facts());
const goodClaims = async () => claimsOf(await signedToken(acme));
const bearer = async (make: () => Promise<string>) => `Bearer ${await make()}`;

/** Each with the value of one Authorization header, or the values of several. */
const refused: readonly (readonly [what: string, header: () => Promise<string | string[] | undefined>])[] = [
  ['no header', async () => undefined],
  ['an empty header', async () => ''],
  ['a scheme without a token', async () => 'Bearer'],
  ['a scheme and spaces', async () => 'Bearer    '],
  ['Basic credentials', async () => `Basic ${Buffer.from(`${acme}:local`).toString('base64')}`],
  ['a valid token under another scheme', async () => `Token ${await token(acme)}`],
  ['text that is no token', async () => 'Bearer text'],
  ['two of the three parts of a token', async () => `Bearer ${(await token(acme)).split('.').slice(0, 2).join('.')}`],
  ['a token of four parts', async () => `Bearer ${await token(acme)}.x`],
  ['a token whose parts are not JSON', async () => 'Bearer eA.eA.eA'],
  ['a token whose header is a list', () => bearer(async () => unsignedToken([], await goodClaims(), 'eA'))],
  ['a token of 8 KB', async () => `Bearer ${'a'.repeat(8000)}`],
  ['two headers, both valid', async () => [`Bearer ${await token(acme)}`, `Bearer ${await token(acme)}`]],
  ['two headers, the second valid', async () => ['Bearer x', `Bearer ${await token(acme)}`]],
  ['two headers, the first valid', async () => [`Bearer ${await token(acme)}`, 'Bearer x']],
  ['an expired token', () => bearer(signed(() => ({ claims: { exp: now() - 1 } })))],
  ['a token without an expiry', () => bearer(signed(() => ({ claims: { exp: undefined } as never })))],
  ['a token that is not yet valid', () => bearer(signed(() => ({ claims: { nbf: now() + 60 } })))],
  ['a token of another issuer', () => bearer(signed(() => ({ claims: { iss: 'https://issuer.example.com' } })))],
  [
    'a token whose issuer has a trailing slash',
    () => bearer(signed(() => ({ claims: { iss: `${endpoints.issuer}/` } }))),
  ],
  ['a token without an issuer', () => bearer(signed(() => ({ claims: { iss: undefined } as never })))],
  ['a token of another scope', () => bearer(signed(() => ({ claims: { scope: 'other/access' } })))],
  ['a token of a longer scope', () => bearer(signed(() => ({ claims: { scope: 'roomscribe/access.more' } })))],
  ['a token without a scope', () => bearer(signed(() => ({ claims: { scope: undefined } as never })))],
  ['an ID token', () => bearer(signed(() => ({ claims: { token_use: 'id' } })))],
  ['a token without a scheme', () => token(acme)],
  ['a token of algorithm none', () => bearer(async () => unsignedToken({ alg: 'none' }, await goodClaims()))],
  [
    'a token of algorithm NoNe with a key id',
    () => bearer(async () => unsignedToken({ alg: 'NoNe', kid: issuerKey.kid }, await goodClaims())),
  ],
  [
    'a token without its signature',
    () => bearer(async () => `${(await token(acme)).split('.').slice(0, 2).join('.')}.`),
  ],
  ['a token with another signature', () => bearer(async () => (await token(acme)).replace(/.{20}$/, 'A'.repeat(20)))],
  ['a token with replaced claims', () => bearer(withClaims)],
  [
    'an HS256 token signed with the public key in PEM',
    () => bearer(signed(() => ({ header: { alg: 'HS256' }, key: Buffer.from(publicPem) }))),
  ],
  [
    'an HS256 token signed with the modulus',
    () => bearer(signed(() => ({ header: { alg: 'HS256' }, key: Buffer.from(issuerKey.n ?? '', 'base64url') }))),
  ],
  [
    'an HS256 token with an arbitrary signature',
    () => bearer(async () => unsignedToken({ alg: 'HS256', kid: issuerKey.kid }, await goodClaims(), 'eA')),
  ],
  ["a token of a foreign key under the issuer's key id", () => bearer(signed(() => ({ key: stranger })))],
  [
    'a token of a foreign key under its own key id',
    () => bearer(signed(() => ({ key: stranger, header: { kid: 'stranger' } }))),
  ],
  ["a token of the issuer's key under an unknown key id", () => bearer(signed(() => ({ header: { kid: 'unknown' } })))],
  [
    "a token of the issuer's key with a path as its key id",
    () => bearer(signed(() => ({ header: { kid: '../../../../dev/null' } }))),
  ],
  ['a token without a key id', () => bearer(signed(() => ({ header: { kid: undefined as never } })))],
  [
    'a token that contains its own key',
    () => bearer(signed(() => ({ key: stranger, header: { jwk: publicPart(stranger), kid: 'stranger' } }))),
  ],
  [
    'a token that points to its own key',
    () => bearer(signed(() => ({ key: stranger, header: { jku: attackerUrl, x5u: attackerUrl, kid: 'stranger' } }))),
  ],
];

async function withClaims(): Promise<string> {
  const [header, , signature] = (await token(organization())).split('.');
  return [header, Buffer.from(JSON.stringify(await goodClaims())).toString('base64url'), signature].join('.');
}

describe('the answer is 401 for', () => {
  it.each(refused)('%s', async (_, header) => {
    const answer = await send('GET', list, { headers: { authorization: await header() } });

    expect(answer.status).toBe(401);
    expect(await logOf('list-transcriptions')).not.toContain(acme);
    expect(asked).toBe(0);
  });
});

describe('every endpoint', () => {
  it.each(endpointList.map(({ method, path, operationId }) => ({ method, path, operationId })))(
    '$method $path does nothing and reveals nothing without a valid token',
    async ({ method, path, operationId }) => {
      const stale = organization();
      const expired = await signedToken(stale, { claims: { exp: now() - 1 } });
      const url = path.replace('{transcriptionId}', 'not-an-id');
      const bodies = method === 'POST' ? ['{', JSON.stringify({ transcriptionIds: [] })] : [undefined];
      for (const body of bodies) {
        for (const authorization of [undefined, `Bearer ${expired}`]) {
          const answer = await send(method, url, { body, headers: { authorization } });
          const code = authorization === undefined ? undefined : 'unauthorized';
          expect([answer.status, JSON.parse(answer.text).code]).toEqual([401, code]);
          if (code) expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
        }
      }
      expect(await logOf(operationId)).not.toContain(stale);
    },
  );
});

test('a token that expires while the gateway keeps its result gets the answer of every expired token', async () => {
  const someone = organization(); // no log may have that of the other tests
  const headers = { authorization: `Bearer ${await signedToken(someone, { claims: { exp: now() + 2 } })}` };
  expect((await send('GET', list, { headers })).status).toBe(200);

  const later = await vi.waitUntil(
    async () => {
      const answer = await send('GET', list, { headers });
      return answer.status !== 200 && answer;
    },
    { timeout: 30_000, interval: 200 },
  );

  const authorization = `Bearer ${await signedToken(someone, { claims: { exp: now() - 1 } })}`;
  const expired = await send('GET', list, { headers: { authorization } });
  expect([later.status, later.text]).toEqual([401, expired.text]);
  expect(later.headers['www-authenticate']).toBe(expired.headers['www-authenticate']);
});

describe('a valid token', () => {
  const accepted: readonly (readonly [what: string, header: () => Promise<string>])[] = [
    ['of the issuer', async () => `Bearer ${await token(organization())}`],
    ['under a lowercase scheme', async () => `bearer ${await signedToken(organization())}`],
    [
      'with several scopes',
      async () => `Bearer ${await signedToken(organization(), { claims: { scope: 'other roomscribe/access' } })}`,
    ],
    ['that became valid now', async () => `Bearer ${await signedToken(organization(), { claims: { nbf: now() } })}`],
  ];
  it.each(accepted)('%s is accepted', async (_, header) => {
    expect((await send('GET', list, { headers: { authorization: await header() } })).status).toBe(200);
  });

  it.each([
    ['none', undefined],
    ['empty', ''],
    ['null', null],
    ['a list of one', ['acme']],
    ['a list of two', ['acme', 'other']],
    ['text that looks like a list', '[acme other]'],
    ['two words', 'acme other'],
    ['an object', { id: 'acme' }],
    ['65 letters', 'a'.repeat(65)],
    ['300 letters', 'a'.repeat(300)],
    ['a separator of database keys', 'acme#/daily'],
    ['a line break', 'acme\n'],
    ['letters beyond ASCII', 'акме'],
    ['a NUL', 'acme\0'],
  ])('with this client id gets a 401 from the service: %s', async (_, claim) => {
    const authorization = `Bearer ${await signedToken('x', { claims: { client_id: claim } })}`;

    const answer = await send('GET', list, { headers: { authorization } });

    expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthorized']);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });
});
