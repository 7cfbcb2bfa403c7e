import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { importJWK, type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { inject } from 'vitest';
import { endpoints } from '../machine.ts';

/** The private key of the local issuer. Tokens signed with it are as valid as the issuer's. */
export const issuerKey: JWK = JSON.parse(
  await readFile(path.join(path.dirname(inject('machine').logFolder), 'issuer-key.json'), 'utf8'),
);

export type Facts = {
  /** Overrides the claims of a valid token. A claim that is undefined is omitted. */
  readonly claims?: JWTPayload;
  /** Overrides the header of a valid token. */
  readonly header?: Partial<JWTHeaderParameters>;
  /** The signing key. Defaults to the key of the issuer. */
  readonly key?: JWK | Uint8Array;
};

/** A token of an organization. It is valid except for the given facts. */
export async function signedToken(
  organizationId: string,
  { claims, header, key = issuerKey }: Facts = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const good = {
    iss: endpoints.issuer,
    scope: 'roomscribe/access',
    token_use: 'access',
    client_id: organizationId,
    sub: organizationId,
    iat: now,
    exp: now + 600,
  };
  const protectedHeader = { alg: 'RS256', kid: String(issuerKey.kid), ...header };
  return new SignJWT(present({ ...good, ...claims }))
    .setProtectedHeader(present(protectedHeader) as JWTHeaderParameters)
    .sign(key instanceof Uint8Array ? key : await importJWK(key, protectedHeader.alg));
}

/** An unsigned token with the given header, claims and signature text. */
export function unsignedToken(header: object, claims: object, signature = ''): string {
  return [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(signature)
    .join('.');
}

/** The claims of a token, without verification. */
export function claimsOf(token: string): JWTPayload {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}

function present(facts: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
