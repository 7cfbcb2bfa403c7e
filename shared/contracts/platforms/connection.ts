import * as z from 'zod/mini';
import { UtcTimestamp } from '../common/fields.ts';
import { OrganizationId } from '../organization/organization.ts';

/** The platforms whose webhooks become events. Each has a folder in shared/platforms. */
export const platformNames = ['livekit', 'daily', 'whereby', 'jaas', 'jitsi', 'bigbluebutton'] as const;
/** Name of a platform. */
export type PlatformName = (typeof platformNames)[number];

/** The id of a connection: 32 random bytes in base64url. It is part of a URL, and no secret by itself. */
export const ConnectionId = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'must be the id of a connection'));

/** How a connection reads its platform, by name. Each platform's `settings` schema says which there are. */
export const ConnectionSettings = z.record(z.string(), z.string());
export type ConnectionSettings = z.infer<typeof ConnectionSettings>;

/** One platform of one organization, whose webhooks this service receives. Its secrets are in Secrets Manager. */
export const Connection = z.object({
  connectionId: ConnectionId,
  organizationId: OrganizationId,
  platform: z.enum(platformNames),
  settings: ConnectionSettings,
  createdAt: UtcTimestamp,
});
export type Connection = z.infer<typeof Connection>;

/** One secret of a connection. `id` names it where the platform does: an API key of LiveKit. */
export const ConnectionSecret = z.object({
  id: z.optional(z.string()),
  value: z.string(),
  createdAt: UtcTimestamp,
});
export type ConnectionSecret = z.infer<typeof ConnectionSecret>;

/** What Secrets Manager keeps for a connection, as JSON: its secrets, the oldest first. Two are valid during a rotation. */
export const ConnectionSecrets = z.object({ secrets: z.array(ConnectionSecret).check(z.minLength(1), z.maxLength(2)) });
export type ConnectionSecrets = z.infer<typeof ConnectionSecrets>;

/** The secrets in the text of Secrets Manager, the oldest first. Undefined if it has another form: the error of a parser can quote a secret. */
export function secretsIn(text: string | undefined): readonly ConnectionSecret[] | undefined {
  try {
    return ConnectionSecrets.parse(JSON.parse(text ?? '')).secrets;
  } catch {
    return undefined;
  }
}

/**
 * The address that a connection's platform posts to. Platforms may add paths and queries. It names the platform, because a request needs a
 * path below the connection.
 */
export function hookUrl(apiUrl: string, { connectionId, platform }: Pick<Connection, 'connectionId' | 'platform'>) {
  return `${apiUrl}/v1/hooks/${connectionId}/${platform}`;
}

/** Path of a webhook. Platforms add what they like below the connection. */
export const HookPath = z.object({ connectionId: z.string(), proxy: z.string() });

/** The largest body of a webhook, in bytes. */
export const maxHookBytes = 1024 * 1024;

/** A verified webhook as it is stored, less the secrets that platforms put in them. */
export const StoredHook = z.object({
  connectionId: ConnectionId,
  organizationId: OrganizationId,
  platform: z.enum(platformNames),
  receivedAt: UtcTimestamp,
  /** SHA-256 of the raw body in hex: the id of a webhook that has none. */
  digest: z.string(),
  payload: z.unknown(),
});
export type StoredHook = z.infer<typeof StoredHook>;
