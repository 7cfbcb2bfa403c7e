import { type JwksCache, SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Claims of a token. A claim can be missing or have a value that no issuer would sign. */
export type Claims = Readonly<Record<string, unknown>>;

/** A fake user pool of machines, and the rules for its tokens. */
export const pool = { userPoolId: 'eu-west-1_TestPool1', region: 'eu-west-1', scope: 'roomscribe/access' };
/** A fake user pool of people, and the client of the console. */
export const peoplePool = { userPoolId: 'eu-west-1_People001', clientId: '7consoleclient0000example' };
const issuer = `https://cognito-idp.${pool.region}.amazonaws.com/${pool.userPoolId}`;

/** Creates a key pair with a key id. The public key has the format of a JWKS. */
export async function makeKey(kid: string, alg = 'RS256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A key pair that signs tokens. */
export type Key = Awaited<ReturnType<typeof makeKey>>;

/** A cache that already holds the keys of the pool. It calls `fetch` for any other key. */
export function keysOfPool(keys: readonly Key[], fetch?: (uri: string) => Promise<ArrayBuffer>): JwksCache {
  const bytes = new TextEncoder().encode(JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) }));
  return new SimpleJwksCache({ fetcher: { fetch: fetch ?? (async () => bytes.buffer) } });
}

/**
 * The claims of an access token for client credentials, as Cognito documents them. A claim that is undefined is
 * omitted.
 */
export function accessTokenClaims(changes: Claims = {}): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    sub: '1h57kf5cpq17m0eml12example',
    token_use: 'access',
    scope: pool.scope,
    auth_time: now,
    iss: issuer,
    iat: now,
    exp: now + 3600,
    version: 2,
    jti: '5fa47b7c-0f0c-4a44-9a0a-6a7c2f9f2f10',
    client_id: '1h57kf5cpq17m0eml12example',
    ...changes,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}

/** The claims of an access token that Cognito documents for a person after a login. */
export function personTokenClaims(changes: Claims = {}): JWTPayload {
  return accessTokenClaims({
    sub: '6f1b2c3d-0000-4000-8000-000000000001',
    username: '6f1b2c3d-0000-4000-8000-000000000001',
    iss: `https://cognito-idp.${pool.region}.amazonaws.com/${peoplePool.userPoolId}`,
    client_id: peoplePool.clientId,
    scope: `openid ${pool.scope}`,
    'cognito:groups': ['acme:reader'],
    ...changes,
  });
}

/** Signs claims with a key. `header` overrides the header of the token. */
export function signed({ kid, alg, privateKey }: Key, claims: JWTPayload, header: object = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ kid, alg, ...header }).sign(privateKey);
}
