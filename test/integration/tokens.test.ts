import { createPublicKey } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { codeOf, send } from '../support/checked-api.ts';
import { endpoints, logOf, organization, token } from '../support/machine.ts';
import { claimsOf, type Facts, issuerKey, signedToken, unsignedToken } from '../support/signed-tokens.ts';

const acme = organization();
const list = '/v1/transcriptions';
const now = () => Math.floor(Date.now() / 1000);
const stranger = await generateKeyPair('RS256', { extractable: true }).then(({ privateKey }) => exportJWK(privateKey));
const publicPem = createPublicKey({ key: issuerKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
const publicPart = ({ kty = '', n = '', e = '' }: JWK) => ({ kty, n, e });

/** A server of an attacker's, with a key that signs well. */
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

/** Each with the value of the Authorization header, or the values of as many. */
const refused: readonly (readonly [what: string, header: () => Promise<string | string[] | undefined>])[] = [
  ['none', async () => undefined],
  ['an empty header', async () => ''],
  ['a scheme without a token', async () => 'Bearer'],
  ['a scheme and spaces', async () => 'Bearer    '],
  ['Basic credentials', async () => `Basic ${Buffer.from(`${acme}:local`).toString('base64')}`],
  ['a good one under another scheme', async () => `Token ${await token(acme)}`],
  ['text', async () => 'Bearer text'],
  ['two parts of three', async () => `Bearer ${(await token(acme)).split('.').slice(0, 2).join('.')}`],
  ['four parts', async () => `Bearer ${await token(acme)}.x`],
  ['parts that are no JSON', async () => 'Bearer eA.eA.eA'],
  ['one with a header that is a list', () => bearer(async () => unsignedToken([], await goodClaims(), 'eA'))],
  ['one of 8 KB', async () => `Bearer ${'a'.repeat(8000)}`],
  ['two headers, both good', async () => [`Bearer ${await token(acme)}`, `Bearer ${await token(acme)}`]],
  ['two headers, the second good', async () => ['Bearer x', `Bearer ${await token(acme)}`]],
  ['two headers, the first good', async () => [`Bearer ${await token(acme)}`, 'Bearer x']],
  ['one that has expired', () => bearer(signed(() => ({ claims: { exp: now() - 1 } })))],
  ['one that never expires', () => bearer(signed(() => ({ claims: { exp: undefined } as never })))],
  ['one that is not valid yet', () => bearer(signed(() => ({ claims: { nbf: now() + 60 } })))],
  ['one issued in the future', () => bearer(signed(() => ({ claims: { iat: now() + 60 } })))],
  ['one of another issuer', () => bearer(signed(() => ({ claims: { iss: 'https://issuer.example.com' } })))],
  ["one of the issuer's name with a slash", () => bearer(signed(() => ({ claims: { iss: `${endpoints.issuer}/` } })))],
  ['one of no issuer', () => bearer(signed(() => ({ claims: { iss: undefined } as never })))],
  ['one for another audience', () => bearer(signed(() => ({ claims: { aud: 'another-api' } })))],
  ['one for a longer audience', () => bearer(signed(() => ({ claims: { aud: 'roomscribe-dev' } })))],
  ['one for a list of other audiences', () => bearer(signed(() => ({ claims: { aud: ['a', 'b'] } })))],
  ['one for no audience', () => bearer(signed(() => ({ claims: { aud: undefined } as never })))],
  ['one of algorithm none', () => bearer(async () => unsignedToken({ alg: 'none' }, await goodClaims()))],
  [
    'one of algorithm NoNe with a key id',
    () => bearer(async () => unsignedToken({ alg: 'NoNe', kid: issuerKey.kid }, await goodClaims())),
  ],
  ['one without its signature', () => bearer(async () => `${(await token(acme)).split('.').slice(0, 2).join('.')}.`)],
  ['one with another signature', () => bearer(async () => (await token(acme)).replace(/.{20}$/, 'A'.repeat(20)))],
  ['one with claims exchanged', () => bearer(withClaims)],
  [
    'HS256 with the public key in PEM',
    () => bearer(signed(() => ({ header: { alg: 'HS256' }, key: Buffer.from(publicPem) }))),
  ],
  [
    'HS256 with the modulus',
    () => bearer(signed(() => ({ header: { alg: 'HS256' }, key: Buffer.from(issuerKey.n ?? '', 'base64url') }))),
  ],
  [
    'HS256 with nothing',
    () => bearer(async () => unsignedToken({ alg: 'HS256', kid: issuerKey.kid }, await goodClaims(), 'eA')),
  ],
  ["a stranger's key under the issuer's id", () => bearer(signed(() => ({ key: stranger })))],
  ["a stranger's key under its own id", () => bearer(signed(() => ({ key: stranger, header: { kid: 'stranger' } })))],
  ["the issuer's key under an unknown id", () => bearer(signed(() => ({ header: { kid: 'unknown' } })))],
  [
    "the issuer's key under a path for an id",
    () => bearer(signed(() => ({ header: { kid: '../../../../dev/null' } }))),
  ],
  ['no key id', () => bearer(signed(() => ({ header: { kid: undefined as never } })))],
  [
    'a key that the token brings along',
    () => bearer(signed(() => ({ key: stranger, header: { jwk: publicPart(stranger), kid: 'stranger' } }))),
  ],
  [
    'a key that the token points to',
    () => bearer(signed(() => ({ key: stranger, header: { jku: attackerUrl, x5u: attackerUrl, kid: 'stranger' } }))),
  ],
];

async function withClaims(): Promise<string> {
  const [header, , signature] = (await token(organization())).split('.');
  return [header, Buffer.from(JSON.stringify(await goodClaims())).toString('base64url'), signature].join('.');
}

describe('a request whose token is', () => {
  it.each(refused)('%s is a 401 of the gateway', async (_, header) => {
    const answer = await send('GET', list, { headers: { authorization: await header() } });

    expect([answer.status, JSON.parse(answer.text)]).toEqual([401, { message: 'Unauthorized' }]);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    expect(await logOf('list-transcriptions')).not.toContain(acme);
    expect(asked).toBe(0);
  });
});

describe('every endpoint', () => {
  it.each(endpointList.map(({ method, path, operationId }) => ({ method, path, operationId })))(
    '$method $path calls no function without a good token, and says nothing of the request',
    async ({ method, path, operationId }) => {
      const stale = organization();
      const expired = await signedToken(stale, { claims: { exp: now() - 1 } });
      const url = path.replace('{transcriptionId}', 'not-an-id');
      const bodies = method === 'POST' ? ['{', JSON.stringify({ transcriptionIds: [] })] : [undefined];
      for (const body of bodies) {
        for (const authorization of [undefined, `Bearer ${expired}`]) {
          const answer = await send(method, url, { body, headers: { authorization } });
          expect([answer.status, JSON.parse(answer.text)]).toEqual([401, { message: 'Unauthorized' }]);
        }
      }
      expect(await logOf(operationId)).not.toContain(stale);
    },
  );
});

describe('a good token', () => {
  const accepted: readonly (readonly [what: string, header: () => Promise<string>])[] = [
    ['of the issuer', async () => `Bearer ${await token(organization())}`],
    ['under a scheme in small letters', async () => `bearer ${await signedToken(organization())}`],
    [
      'for several audiences',
      async () => `Bearer ${await signedToken(organization(), { claims: { aud: ['other', 'roomscribe'] } })}`,
    ],
    ['that became valid now', async () => `Bearer ${await signedToken(organization(), { claims: { nbf: now() } })}`],
  ];
  it.each(accepted)('%s is let through', async (_, header) => {
    expect((await send('GET', list, { headers: { authorization: await header() } })).status).toBe(200);
  });

  it.each([
    ['no organization', undefined],
    ['an empty one', ''],
    ['a null one', null],
    ['a list of one', ['acme']],
    ['a list of two', ['acme', 'other']],
    ['text like a list', '[acme other]'],
    ['two words', 'acme other'],
    ['an object', { id: 'acme' }],
    ['65 letters', 'a'.repeat(65)],
    ['300 letters', 'a'.repeat(300)],
    ['a key within a key', 'acme#/daily'],
    ['a line break', 'acme\n'],
    ['letters beyond ASCII', 'акме'],
    ['a NUL', 'acme\0'],
  ])('that names %s is a 401 of the service', async (_, claim) => {
    const authorization = `Bearer ${await signedToken('x', { claims: { client_id: claim } })}`;

    const answer = await send('GET', list, { headers: { authorization } });

    expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthorized']);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });
});
