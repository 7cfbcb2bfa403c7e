import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import writeFileAtomic from 'write-file-atomic';
import { errorCode } from '#tools/shared/error-details.ts';

/** A user pool that the issuer stands for. */
export type PoolOptions = {
  /** Stores the private key, so that tokens stay valid after a restart. */
  readonly keyFile: string;
  /** The `iss` claim of its tokens: the address of the user pool on AWS. */
  readonly issuer: string;
  /** The scope of its tokens. */
  readonly scope: string;
};

/** The keys of a user pool, and what signs its access tokens. */
export type Pool = {
  readonly keys: object;
  readonly keysPath: string;
  readonly sign: (subject: string, claims: JWTPayload, lifeSeconds: number) => Promise<string>;
};

/** Opens a user pool with the key in its file, or with a new key. */
export async function openPool({ keyFile, issuer, scope }: PoolOptions): Promise<Pool> {
  const privateJwk = await loadKey(keyFile);
  const privateKey = await importJWK(privateJwk, 'RS256');
  const { kty, n, e, kid } = privateJwk;
  return {
    keys: { keys: [{ kty, n, e, kid, alg: 'RS256', use: 'sig' }] },
    keysPath: `${new URL(issuer).pathname}/.well-known/jwks.json`,
    sign: (subject, claims, lifeSeconds) =>
      new SignJWT({ ...claims, token_use: 'access', scope, version: 2 })
        .setProtectedHeader({ alg: 'RS256', ...(kid !== undefined && { kid }) })
        .setIssuer(issuer)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime(`${lifeSeconds}s`)
        .setJti(randomUUID())
        .sign(privateKey),
  };
}

async function loadKey(file: string): Promise<JWK> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(privateKey);
    const key = { ...jwk, kid: await calculateJwkThumbprint(jwk) };
    await writeFileAtomic(file, JSON.stringify(key), { mode: 0o600 });
    return key;
  }
}
