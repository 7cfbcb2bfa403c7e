import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { importJWK, type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { inject } from 'vitest';
import { endpoints } from './machine.ts';

/** The private key of the machine's own issuer: its tokens are as good as the issuer's. */
export const issuerKey: JWK = JSON.parse(
  await readFile(path.join(path.dirname(inject('machine').logFolder), 'issuer-key.json'), 'utf8'),
);

export type Facts = {
  /** Over the claims of a good token; one that is undefined is left out. */
  readonly claims?: JWTPayload;
  /** Over the header of a good token. */
  readonly header?: Partial<JWTHeaderParameters>;
  /** The issuer's own unless another is given. */
  readonly key?: JWK | Uint8Array;
};

/** A token of an organization, good but for what the test is about. */
export async function signedToken(
  organizationId: string,
  { claims, header, key = issuerKey }: Facts = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const good = {
    iss: endpoints.issuer,
    aud: 'roomscribe',
    client_id: organizationId,
    sub: organizationId,
    iat: now,
    exp: now + 600,
  };
  const protectedHeader = { alg: 'RS256', typ: 'JWT', kid: String(issuerKey.kid), ...header };
  return new SignJWT(present({ ...good, ...claims }))
    .setProtectedHeader(present(protectedHeader) as JWTHeaderParameters)
    .sign(key instanceof Uint8Array ? key : await importJWK(key, protectedHeader.alg));
}

/** A token that nobody has signed: header and claims as they are given, and this in place of a signature. */
export function unsignedToken(header: object, claims: object, signature = ''): string {
  return [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(signature)
    .join('.');
}

/** The claims in a token, unchecked. */
export function claimsOf(token: string): JWTPayload {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}

function present(facts: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
