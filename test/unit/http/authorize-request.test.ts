import { createHmac } from 'node:crypto';
import { FetchError } from 'aws-jwt-verify/error';
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { exportSPKI, UnsecuredJWT } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createHandler } from '#functions/authorizers/authorize-request/handler.ts';
import { accessTokenVerifier, TokenRefused } from '#shared/adapters/organization/access-tokens.ts';
import { callerOf } from '#shared/http/caller.ts';
import { httpEvent } from '../../support/http/http-events.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';
import {
  accessTokenClaims,
  type Claims,
  keysOfPool,
  makeKey,
  peoplePool,
  personTokenClaims,
  pool,
  signed,
} from '../../support/operations/cognito-tokens.ts';

const key = await makeKey('key-1');
const unknownKey = await makeKey('key-1');
const longKey = await makeKey('key-2', 'RS512');
const names = { organizationClaim: 'client_id' };
const now = Math.floor(Date.now() / 1000);
/** The expiry of any token of these tests. One test says which. */
const tokenExpiry = expect.stringMatching(/^\d{10}$/);

const authorizer = (jwks = keysOfPool([key, longKey]), people?: typeof peoplePool) => {
  const handler = createHandler({
    verify: accessTokenVerifier({ ...pool, people }, jwks),
    refusalReason: (error) => (error instanceof TokenRefused ? error.reason : undefined),
    organizationClaim: 'client_id',
  });
  return (identity?: string) =>
    handler({
      version: '2.0',
      type: 'REQUEST',
      identitySource: identity === undefined ? undefined : [identity],
      requestContext: { requestId: 'request-1' },
    } as unknown as APIGatewayRequestAuthorizerEventV2); // the authorizer reads no other fields
};
const bearer = async (claims: Claims = {}, header: object = {}, by = key) =>
  `Bearer ${await signed(by, accessTokenClaims(claims), header)}`;
const facts = (lines: readonly LogLine[]) => lines.map((line) => line.facts);
const otherPool = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_OtherPool';

afterEach(() => vi.restoreAllMocks());

describe('with a valid token, the authorizer', () => {
  test('allows the request and returns the organization', async () => {
    const verdict = await authorizer()(await bearer());
    expect(verdict).toEqual({ isAuthorized: true, context: { client_id: '1h57kf5cpq17m0eml12example', tokenExpiry } });
  });

  test('passes on when the token expires, because the gateway keeps the result', async () => {
    const { context } = await authorizer()(await bearer({ exp: now + 61 }));
    expect(context).toMatchObject({ tokenExpiry: String(now + 61) });
  });

  test.each(['bearer ', 'BEARER ', 'Bearer  '])('accepts the scheme "%s"', async (scheme) => {
    expect(await authorizer()(scheme + (await signed(key, accessTokenClaims())))).toMatchObject({ isAuthorized: true });
  });

  test('accepts additional scopes', async () => {
    expect(await authorizer()(await bearer({ scope: `other/read ${pool.scope}` }))).toMatchObject({
      isAuthorized: true,
    });
  });

  test('accepts any client of the pool', async () => {
    const check = authorizer();
    for (let client = 0; client < 120; client += 1) {
      const client_id = `client${client}`;
      expect(await check(await bearer({ client_id }))).toEqual({
        isAuthorized: true,
        context: { client_id, tokenExpiry },
      });
    }
  });

  test('passes the organization to the endpoint, which reads it from the context alone', async () => {
    const { context } = await authorizer()(await bearer());
    const event = httpEvent();
    event.requestContext = { ...event.requestContext, authorizer: { lambda: context } };
    expect(callerOf(event, names)).toEqual({ organizationId: '1h57kf5cpq17m0eml12example' });
    event.requestContext = { ...event.requestContext, authorizer: { lambda: null } };
    expect(() => callerOf(event, names)).toThrow('does not name an organization');
  });
});

const hmac = async () => {
  const secret = await exportSPKI(key.publicKey);
  const [head, body] = [{ alg: 'HS256', kid: key.kid }, accessTokenClaims()].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `Bearer ${head}.${body}.${createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url')}`;
};
const withChangedPart = async (part: number, change: (text: string) => string) => {
  const parts = (await signed(key, accessTokenClaims())).split('.');
  parts[part] = Buffer.from(change(Buffer.from(parts[part] ?? '', 'base64url').toString('latin1')), 'latin1').toString(
    'base64url',
  );
  return `Bearer ${parts.join('.')}`;
};

const forged: readonly (readonly [name: string, reason: string, make: () => string | Promise<string> | undefined])[] = [
  ['no token', 'scheme', () => undefined],
  ['a token without a scheme', 'scheme', async () => (await bearer()).slice(7)],
  ['an empty token', 'scheme', () => 'Bearer '],
  ['text that is not a token', 'malformed', () => 'Bearer abc'],
  ['two tokens', 'scheme', async () => `${await bearer()}, ${await bearer()}`],
  ['two tokens without a space', 'malformed', async () => `${await bearer()},${(await bearer()).slice(7)}`],
  ['a token of another scheme', 'scheme', async () => `Basic ${(await bearer()).slice(7)}`],
  ['an expired token', 'expired', () => bearer({ exp: now - 1 })],
  ['a token without an expiry', 'other', () => bearer({ exp: undefined })],
  ['a token that is not valid yet', 'not yet valid', () => bearer({ nbf: now + 60 })],
  ['a token of another pool', 'issuer', () => bearer({ iss: otherPool })],
  [
    'a token of another pool with the key of that pool',
    'key',
    () => bearer({ iss: otherPool }, { kid: 'key-of-other-pool' }, unknownKey),
  ],
  ['a token without an issuer', 'issuer', () => bearer({ iss: undefined })],
  ['an ID token', 'kind', () => bearer({ token_use: 'id', aud: '1h57kf5cpq17m0eml12example' })],
  ['a token without token_use', 'kind', () => bearer({ token_use: undefined })],
  ['a token of another scope', 'scope', () => bearer({ scope: 'other/access' })],
  ['a token of a scope with the same prefix', 'scope', () => bearer({ scope: `${pool.scope}.more` })],
  ['a token without a scope', 'scope', () => bearer({ scope: undefined })],
  ['a token without a client', 'other', () => bearer({ client_id: undefined })],
  ['a token of two clients', 'other', () => bearer({ client_id: ['one', 'two'] })],
  ['a token signed with an unknown key under a known key ID', 'signature', () => bearer({}, {}, unknownKey)],
  ['a token with an unknown key ID', 'key', () => bearer({}, { kid: 'unknown' })],
  ['a token without a key ID', 'other', () => bearer({}, { kid: undefined })],
  ['a token signed with another algorithm', 'other', () => bearer({}, {}, longKey)],
  ['a token signed with the public key as an HMAC secret', 'other', hmac],
  ['an unsigned token', 'malformed', () => `Bearer ${new UnsecuredJWT(accessTokenClaims()).encode()}`],
  ['a token with changed claims', 'signature', () => withChangedPart(1, (text) => text.replace('example', 'exampel'))],
  [
    'a token with a changed signature',
    'signature',
    () => withChangedPart(2, (text) => `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`),
  ],
];

describe.each(forged)('with %s, the authorizer', (_name, reason, make) => {
  test(`passes on why it refused it (${reason}), and no organization, and logs nothing of the token`, async () => {
    const token = await make();
    const { lines } = captureLogLines();
    expect(await authorizer()(token)).toEqual({ isAuthorized: true, context: { tokenRefusal: reason } });
    expect(facts(lines())).toMatchObject([{ message: 'token refused', correlationId: 'request-1', reason }]);
    if (token && token.length > 20) expect(JSON.stringify(lines())).not.toContain(token.slice(-20));
  });
});

test('the authorizer throws if it cannot check a token', async () => {
  const { lines } = captureLogLines();
  const failing = keysOfPool([], () => Promise.reject(new FetchError('https://keys', 'no answer')));
  await expect(authorizer(failing)(await bearer())).rejects.toThrow('no answer');
  const garbage = keysOfPool([], async () => new TextEncoder().encode('{"no":"keys"}').buffer);
  await expect(authorizer(garbage)(await bearer())).rejects.toThrow();
  expect(facts(lines())).toMatchObject([{ message: 'token not checked' }, { message: 'token not checked' }]);
});

test('the authorizer fetches the keys once, and once more for unknown keys', async () => {
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

describe('a token of a person', () => {
  const peopleKey = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_People001/.well-known/jwks.json';
  const keyOfPeople = makeKey('key-of-people');
  /** Each pool has a key of its own. */
  const keysOfBoth = async () => {
    const of = { people: await keyOfPeople, machines: key };
    return keysOfPool([], async (uri) => {
      const { publicJwk } = uri === peopleKey ? of.people : of.machines;
      return new TextEncoder().encode(JSON.stringify({ keys: [publicJwk] })).buffer;
    });
  };
  const verdict = async (claims: Claims, by = keyOfPeople) => {
    captureLogLines();
    return authorizer(await keysOfBoth(), peoplePool)(`Bearer ${await signed(await by, personTokenClaims(claims))}`);
  };
  const personId = personTokenClaims().sub;

  test.each([
    [['acme:reader'], 'reader'],
    [['acme:editor'], 'editor'],
    [['acme:reader', 'acme:editor', 'others'], 'editor'],
  ])('of the groups %j passes on the organization, the person and the role %s', async (groups, role) => {
    expect(await verdict({ 'cognito:groups': groups })).toEqual({
      isAuthorized: true,
      context: { client_id: 'acme', personId, role, tokenExpiry },
    });
  });

  test.each([
    [undefined, 'none'],
    [[], 'none'],
    [['acme'], 'none'],
    [['acme:reader', 'other:editor'], 'several'],
  ])(
    'of the groups %j passes on that the person has no organization, and logs the id alone',
    async (groups, reason) => {
      const { lines } = captureLogLines();
      const check = authorizer(await keysOfBoth(), peoplePool);
      const claims = personTokenClaims({ 'cognito:groups': groups, email: 'anna@example.com' });
      expect(await check(`Bearer ${await signed(await keyOfPeople, claims)}`)).toEqual({
        isAuthorized: true,
        context: { membershipRefusal: reason, tokenExpiry },
      });
      expect(facts(lines())).toMatchObject([
        { message: 'person refused', correlationId: 'request-1', personId, reason },
      ]);
      expect(JSON.stringify(lines())).not.toContain('anna');
    },
  );

  test.each<readonly [string, string, Claims]>([
    ['of another client of the pool', 'client', { client_id: 'another-client' }],
    ['without a client', 'client', { client_id: undefined }],
    ['that is an ID token', 'kind', { token_use: 'id', aud: peoplePool.clientId }],
    ['of the scopes of the sign-in alone', 'scope', { scope: 'openid aws.cognito.signin.user.admin' }],
    ['that has expired', 'expired', { exp: now - 1 }],
    ['without a person', 'other', { sub: undefined }],
    ['with groups that are no list', 'other', { 'cognito:groups': 'acme:editor' }],
  ])('%s is refused', async (_, reason, claims) => {
    expect(await verdict(claims)).toEqual({ isAuthorized: true, context: { tokenRefusal: reason } });
  });

  test('signed by a key of the machines is refused, and a token of a machine signed by a key of the people', async () => {
    const refused = { isAuthorized: true, context: { tokenRefusal: 'key' } };
    expect(await verdict({}, Promise.resolve(key))).toEqual(refused);
    const machine = await signed(await keyOfPeople, accessTokenClaims());
    expect(await authorizer(await keysOfBoth(), peoplePool)(`Bearer ${machine}`)).toEqual(refused);
  });

  test('is refused in a stage without a console', async () => {
    captureLogLines();
    const token = await signed(await keyOfPeople, personTokenClaims());
    const verdict = await authorizer(await keysOfBoth())(`Bearer ${token}`);
    expect(verdict).toEqual({ isAuthorized: true, context: { tokenRefusal: 'key' } });
  });

  test('of the machines has no person, whatever its claims say', async () => {
    const claims = { 'cognito:groups': ['other:editor'], personId: 'p-1', role: 'reader', client_id: 'acme' };
    const check = authorizer(await keysOfBoth(), peoplePool);
    expect(await check(`Bearer ${await signed(key, accessTokenClaims(claims))}`)).toEqual({
      isAuthorized: true,
      context: { client_id: 'acme', tokenExpiry },
    });
  });
});
