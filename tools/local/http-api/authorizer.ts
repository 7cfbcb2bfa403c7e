import { JwtVerifier } from 'aws-jwt-verify';
import { JwtBaseError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { JwtHeader, JwtPayload } from 'aws-jwt-verify/jwt-model';
import * as z from 'zod';
import type { Authorizer } from '../template/stack.ts';

/** The claims of a valid token, or the challenge for an invalid one. */
export type Verdict = { readonly claims: JwtPayload } | { readonly challenge: string };

/** Checks the `Authorization` header of a request. */
export type Authorize = (header: string | undefined) => Promise<Verdict>;

/**
 * The JWT authorizer of an HTTP API. Checks RS256, `iss`, `exp`, `nbf`, `iat`, and `aud` or, without it, `client_id`:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export async function createAuthorizer({ issuer, audience }: Authorizer): Promise<Authorize> {
  const verifier = JwtVerifier.create(
    {
      issuer,
      jwksUri: await discoverKeys(issuer),
      audience: null, // `assertClaims` checks it, and client_id
      customJwtCheck: ({ header, payload }) => assertClaims(header, payload, audience),
    },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchBytes } }) },
  );
  return async (header) => {
    const token = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    if (token === undefined) return { challenge: 'Bearer' };
    try {
      return { claims: await verifier.verify(token) };
    } catch (error) {
      if (!(error instanceof JwtBaseError)) throw error;
      const reason = error.message.replaceAll(/[^\x20-\x7e]|["\\]/g, "'");
      return { challenge: `Bearer scope="" error="invalid_token" error_description="${reason}"` };
    }
  };
}

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

async function discoverKeys(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const discovery = Discovery.parse(JSON.parse(Buffer.from(await fetchBytes(address)).toString('utf8')));
  if (discovery.issuer !== issuer)
    throw new Error(`${address} belongs to the issuer ${discovery.issuer}, not to ${issuer}.`);
  return discovery.jwks_uri;
}

/** Fetches JSON over HTTP. The fetcher of the library supports HTTPS only. */
async function fetchBytes(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address, { signal: AbortSignal.timeout(1500), redirect: 'error' });
  if (!response.ok) throw new Error(`${address} returned ${response.status}.`);
  return response.arrayBuffer();
}

/** Thrown for a token that has a valid signature and claims that this API does not accept. */
class InvalidClaim extends JwtBaseError {
  override readonly name = 'InvalidClaim';
}

function assertClaims(header: JwtHeader, payload: JwtPayload, audience: readonly string[]): void {
  const now = Date.now() / 1000;
  if (header.alg !== 'RS256') throw new InvalidClaim(`signing method ${header.alg} is invalid`);
  if (payload.exp === undefined) throw new InvalidClaim('the token has no expiration');
  if (payload.iat !== undefined && payload.iat > now + 1)
    throw new InvalidClaim('the token is used before it was issued');
  const audiences = payload.aud ?? payload.client_id;
  const named = (Array.isArray(audiences) ? audiences : [audiences]).filter((name) => typeof name === 'string');
  if (!named.some((name) => audience.includes(name))) throw new InvalidClaim('invalid audience');
}
