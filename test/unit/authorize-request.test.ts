import { createHmac } from 'node:crypto';
import { FetchError } from 'aws-jwt-verify/error';
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { exportSPKI, UnsecuredJWT } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createHandler } from '#functions/authorizers/authorize-request/handler.ts';
import { accessTokenVerifier, TokenRefused } from '#shared/adapters/cognito/access-tokens.ts';
import { organizationOf } from '#shared/http/request.ts';
import { accessTokenClaims, type Claims, keysOfPool, makeKey, pool, signed } from '../support/cognito-tokens.ts';
import { httpEvent } from '../support/http-events.ts';
import { captureLogLines, type LogLine } from '../support/log-lines.ts';

const key = await makeKey('key-1');
const stranger = await makeKey('key-1');
const longKey = await makeKey('key-2', 'RS512');
const now = Math.floor(Date.now() / 1000);

const authorizer = (jwks = keysOfPool([key, longKey])) => {
  const handler = createHandler({
    verify: accessTokenVerifier(pool, jwks),
    refusalReason: (error) => (error instanceof TokenRefused ? error.reason : undefined),
    organizationClaim: 'client_id',
  });
  return (identity?: string) =>
    handler({
      version: '2.0',
      type: 'REQUEST',
      identitySource: identity === undefined ? undefined : [identity],
      requestContext: { requestId: 'request-1' },
    } as unknown as APIGatewayRequestAuthorizerEventV2); // nothing else of it is looked at
};
const bearer = async (claims: Claims = {}, header: object = {}, by = key) =>
  `Bearer ${await signed(by, accessTokenClaims(claims), header)}`;
const facts = (lines: readonly LogLine[]) => lines.map((line) => line.facts);
const otherPool = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_OtherPool';

afterEach(() => vi.restoreAllMocks());

describe('a good token', () => {
  test('lets the request in and says which organization it is of', async () => {
    const verdict = await authorizer()(await bearer());
    expect(verdict).toEqual({ isAuthorized: true, context: { client_id: '1h57kf5cpq17m0eml12example' } });
  });

  test.each(['bearer ', 'BEARER ', ''])('may follow "%s"', async (scheme) => {
    expect(await authorizer()(scheme + (await signed(key, accessTokenClaims())))).toMatchObject({ isAuthorized: true });
  });

  test('may have other scopes besides', async () => {
    expect(await authorizer()(await bearer({ scope: `other/read ${pool.scope}` }))).toMatchObject({
      isAuthorized: true,
    });
  });

  test('of any client is good: there is no list of them', async () => {
    const check = authorizer();
    for (let client = 0; client < 120; client += 1) {
      const client_id = `client${client}`;
      expect(await check(await bearer({ client_id }))).toEqual({ isAuthorized: true, context: { client_id } });
    }
  });

  test('gives the endpoint its organization, which it reads from the context alone', async () => {
    const { context } = await authorizer()(await bearer());
    const event = httpEvent();
    event.requestContext = { ...event.requestContext, authorizer: { lambda: context } };
    expect(organizationOf(event, 'client_id')).toBe('1h57kf5cpq17m0eml12example');
    event.requestContext = { ...event.requestContext, authorizer: { lambda: null } };
    expect(() => organizationOf(event, 'client_id')).toThrow('does not name an organization');
  });
});

const hmac = async () => {
  const secret = await exportSPKI(key.publicKey);
  const [head, body] = [{ alg: 'HS256', kid: key.kid }, accessTokenClaims()].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `Bearer ${head}.${body}.${createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url')}`;
};
const withOther = async (part: number, change: (text: string) => string) => {
  const parts = (await signed(key, accessTokenClaims())).split('.');
  parts[part] = Buffer.from(change(Buffer.from(parts[part] ?? '', 'base64url').toString('latin1')), 'latin1').toString(
    'base64url',
  );
  return `Bearer ${parts.join('.')}`;
};

const forged: readonly (readonly [name: string, reason: string, make: () => string | Promise<string> | undefined])[] = [
  ['none at all', 'malformed', () => undefined],
  ['an empty one', 'malformed', () => 'Bearer '],
  ['one that is not a token', 'malformed', () => 'Bearer abc'],
  ['two at once', 'malformed', async () => `${await bearer()},${await bearer()}`],
  ['one of another scheme', 'malformed', async () => `Basic ${(await bearer()).slice(7)}`],
  ['an expired one', 'expired', () => bearer({ exp: now - 1 })],
  ['one without an end', 'other', () => bearer({ exp: undefined })],
  ['one that is not valid yet', 'not yet valid', () => bearer({ nbf: now + 60 })],
  ['one of another pool', 'issuer', () => bearer({ iss: otherPool })],
  [
    "another pool's, with a key of its own",
    'key',
    () => bearer({ iss: otherPool }, { kid: 'key-of-other-pool' }, stranger),
  ],
  ['one of no issuer', 'issuer', () => bearer({ iss: undefined })],
  ['an ID token', 'kind', () => bearer({ token_use: 'id', aud: '1h57kf5cpq17m0eml12example' })],
  ['one of no kind', 'kind', () => bearer({ token_use: undefined })],
  ['one of another scope', 'scope', () => bearer({ scope: 'other/access' })],
  ['one of a scope that begins alike', 'scope', () => bearer({ scope: `${pool.scope}.more` })],
  ['one of no scope', 'scope', () => bearer({ scope: undefined })],
  ['one of no client', 'other', () => bearer({ client_id: undefined })],
  ['one of two clients', 'other', () => bearer({ client_id: ['one', 'two'] })],
  ["one signed with a stranger's key", 'signature', () => bearer({}, {}, stranger)],
  ['one under an unknown key', 'key', () => bearer({}, { kid: 'unknown' })],
  ['one under no key', 'other', () => bearer({}, { kid: undefined })],
  ['one signed by another algorithm', 'other', () => bearer({}, {}, longKey)],
  ['one signed with the public key as a secret', 'other', hmac],
  ['one unsigned', 'malformed', () => `Bearer ${new UnsecuredJWT(accessTokenClaims()).encode()}`],
  ['one whose claims were changed', 'signature', () => withOther(1, (text) => text.replace('example', 'exampel'))],
  [
    'one whose signature was changed',
    'signature',
    () => withOther(2, (text) => `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`),
  ],
];

describe.each(forged)('%s', (_name, reason, make) => {
  test(`is refused (${reason}), and nothing of it is logged`, async () => {
    const token = await make();
    const { lines } = captureLogLines();
    expect(await authorizer()(token)).toEqual({ isAuthorized: false, context: {} });
    expect(facts(lines())).toMatchObject([{ message: 'token refused', correlationId: 'request-1', reason }]);
    if (token && token.length > 20) expect(JSON.stringify(lines())).not.toContain(token.slice(-20));
  });
});

test('a token that cannot be checked lets nobody in, and is an error', async () => {
  const { lines } = captureLogLines();
  const failing = keysOfPool([], () => Promise.reject(new FetchError('https://keys', 'no answer')));
  await expect(authorizer(failing)(await bearer())).rejects.toThrow('no answer');
  const garbage = keysOfPool([], async () => new TextEncoder().encode('{"no":"keys"}').buffer);
  await expect(authorizer(garbage)(await bearer())).rejects.toThrow();
  expect(facts(lines())).toMatchObject([{ message: 'token not checked' }, { message: 'token not checked' }]);
});

test('keys are fetched once, and once more for an unknown one', async () => {
  captureLogLines();
  let fetched = 0;
  const bytes = new TextEncoder().encode(JSON.stringify({ keys: [key.publicJwk] }));
  const check = authorizer(
    keysOfPool([], async () => {
      fetched += 1;
      return bytes.buffer;
    }),
  );
  for (let turn = 0; turn < 3; turn += 1) await check(await bearer());
  expect(fetched).toBe(1);
  for (let turn = 0; turn < 3; turn += 1) await check(await bearer({}, { kid: `unknown-${turn}` }));
  expect(fetched).toBe(2);
  expect(await check(await bearer())).toMatchObject({ isAuthorized: true });
});
