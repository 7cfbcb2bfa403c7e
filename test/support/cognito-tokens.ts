import { type JwksCache, SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Claims that may be left out, or be what no issuer would sign. */
export type Claims = Readonly<Record<string, unknown>>;

/** A user pool whose tokens are signed here, and the rules that they must keep. */
export const pool = { userPoolId: 'eu-west-1_TestPool1', region: 'eu-west-1', scope: 'roomscribe/access' };
const issuer = `https://cognito-idp.${pool.region}.amazonaws.com/${pool.userPoolId}`;

/** A key pair under an id, its public half as a JWKS has it. */
export async function makeKey(kid: string, alg = 'RS256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A key that signs tokens, with the half that a JWKS shows. */
export type Key = Awaited<ReturnType<typeof makeKey>>;

/** The keys of the pool as though they were fetched; `fetch` is asked when one is not among them. */
export function keysOfPool(keys: readonly Key[], fetch?: (uri: string) => Promise<ArrayBuffer>): JwksCache {
  const bytes = new TextEncoder().encode(JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) }));
  return new SimpleJwksCache({ fetcher: { fetch: fetch ?? (async () => bytes.buffer) } });
}

/** The claims of an access token by client credentials, as Cognito documents them; one that is undefined is left out. */
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

/** Claims signed with a key; `header` overrides what says with which. */
export function signed({ kid, alg, privateKey }: Key, claims: JWTPayload, header: object = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ kid, alg, ...header }).sign(privateKey);
}
