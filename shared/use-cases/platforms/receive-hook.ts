import { createHash } from 'node:crypto';
import { noticeIdPrefix } from '#shared/contracts/notices/notice-version.ts';
import {
  type Connection,
  type ConnectionSecret,
  hookUrl,
  type PlatformName,
  type StoredHook,
} from '#shared/contracts/platforms/connection.ts';
import { webhookHeaders } from '#shared/contracts/webhooks/webhook-headers.ts';
import type { Platform, SignedRequest } from '#shared/platforms/platform.ts';
import { redact } from '#shared/platforms/redact.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import type { ConnectionStore, SecretStore } from './ports.ts';

/** A webhook before it is verified. The path names its connection. */
export type UnverifiedHook = Omit<SignedRequest, 'url'> & { readonly connectionId: string };

/** What verifies webhooks. */
export type VerifyDependencies = {
  readonly connections: ConnectionStore;
  readonly secrets: SecretStore;
  readonly platforms: Readonly<Record<PlatformName, Platform>>;
  /** The URL of the API, without a slash at its end. */
  readonly apiUrl: string;
  readonly now: () => Date;
};

/**
 * Whom a webhook comes from: `unknown` names no connection, `forged` has no valid signature of its connection, `probe` is a platform's
 * trial of the address, which nobody signs, and `authentic` is signed with a secret of the connection.
 */
export type Verdict =
  | { readonly origin: 'unknown' }
  | { readonly origin: 'forged'; readonly connection: Connection }
  | { readonly origin: 'probe'; readonly connection: Connection }
  | { readonly origin: 'authentic'; readonly connection: Connection; readonly request: SignedRequest };

/** A probe is a few words. Nothing longer is parsed before its signature is verified. */
const maxProbeBytes = 1024;

/**
 * Verifies a webhook as its platform signs it, with every valid secret of its connection. If no secret that is kept in memory fits, it reads
 * them again, so that a new secret works at once.
 */
export async function verifyHook(
  { connections, secrets, platforms, apiUrl, now }: VerifyDependencies,
  { connectionId, ...unverified }: UnverifiedHook,
): Promise<Verdict> {
  const connection = await connections.find(connectionId);
  if (!connection) return { origin: 'unknown' };
  const platform = platforms[connection.platform];
  const request = { ...unverified, url: hookUrl(apiUrl, connection) };
  if (request.rawBody.length <= maxProbeBytes && platform.isProbe?.(request)) return { origin: 'probe', connection };
  const receivedAt = now();
  const fits = (some: readonly ConnectionSecret[]) =>
    some.some((each) => platform.isAuthentic(request, each, receivedAt, connection.settings));
  const known = await secrets.read(connectionId);
  if (fits(known)) return { origin: 'authentic', connection, request };
  const fresh = await secrets.read(connectionId, { fresh: true });
  return fresh !== known && fits(fresh)
    ? { origin: 'authentic', connection, request }
    : { origin: 'forged', connection };
}

/**
 * True for a notice or a test of this service. Notices look like webhooks of Whereby, so a webhook that is aimed at this service would be
 * told of what its own notices made true, without end. The id in the body tells it, too, if something between has removed the header.
 */
export function isOwnNotice({ headers, rawBody }: Pick<SignedRequest, 'headers' | 'rawBody'>): boolean {
  if (headers[webhookHeaders.id]?.startsWith(noticeIdPrefix)) return true;
  if (!rawBody.includes(noticeIdPrefix)) return false;
  try {
    const { id } = JSON.parse(rawBody.toString()) ?? {};
    return typeof id === 'string' && id.startsWith(noticeIdPrefix);
  } catch {
    return false; // a platform's own format
  }
}

/** A verified webhook as it is stored: without the secrets in it. Throws `InvalidRequest` if its platform cannot read it. */
export function storedHook(platform: Platform, connection: Connection, request: SignedRequest, now: Date): StoredHook {
  const { connectionId, organizationId, platform: name } = connection;
  return {
    connectionId,
    organizationId,
    platform: name,
    receivedAt: now.toISOString(),
    digest: createHash('sha256').update(request.rawBody).digest('hex'),
    payload: redact((platform.read ?? readJson)(request), platform.secretFields),
  };
}

function readJson({ rawBody }: SignedRequest): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch (cause) {
    throw new InvalidRequest([{ path: 'body', message: 'must be JSON in UTF-8' }], { cause });
  }
}
