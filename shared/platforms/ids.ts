import { createHash } from 'node:crypto';
import { v5 } from 'uuid';
import { Uuid } from '../contracts/common/fields.ts';
import type { Connection } from '../contracts/platforms/connection.ts';

/** The namespace of the UUIDs that are derived from ids of platforms. It never changes. */
const namespace = '7b1f0c1e-6d3b-4a57-9a57-0f5d0b9b8c66';

/** The longest text that a translator works with, in UTF-16 units. It is longer than any text of an event. */
const longestText = 8192;

/**
 * The text itself, or the beginning of a longer one with the hash of the whole. So a text stays the same in every webhook, two texts stay
 * two, and what a translator does for each of thousands of events takes no longer for a long one.
 */
export function shortened(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 65)}#${eventIdOf(text)}`;
}

/**
 * The UUID of a session or recording: UUIDv5 of organization, platform and the platform's id. The same id always has the same UUID, so
 * doubles and replays change nothing.
 */
export function uuidOf({ organizationId, platform }: Connection, platformId: string): string {
  return v5(`${organizationId}|${platform}|${platformId}`.toWellFormed(), namespace); // v5 throws for a lone surrogate
}

/** The UUID of a session whose platform may have UUIDs of its own. Those stay as they are, so that people find them again. */
export function sessionUuidOf(connection: Connection, platformId: string): string {
  const own = Uuid.safeParse(platformId);
  return own.success ? own.data : uuidOf(connection, platformId);
}

/** An event id of 64 hexadecimal digits, from what the event says. Events with the same parts are the same event. */
export function eventIdOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
