import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection, ConnectionSecret, StoredHook } from '#shared/contracts/platforms/connection.ts';
import type { PlatformSession } from '#shared/domain/platforms/platform-session.ts';

/** The connections of all organizations. */
export type ConnectionStore = {
  /** Reads a connection with strong consistency. A text that cannot be an id costs no read. */
  find(connectionId: string): Promise<Connection | undefined>;
};

/** The secrets of connections, in Secrets Manager. */
export type SecretStore = {
  /** The valid secrets, the newest first. They may be a minute old, unless `fresh`. Empty if there are none. */
  read(connectionId: string, options?: { readonly fresh?: boolean }): Promise<readonly ConnectionSecret[]>;
};

/** The bodies of webhooks, in S3. They expire after days. */
export type HookStore = {
  /** Stores a webhook and returns its key. `requestId` makes the key unique. */
  put(hook: StoredHook, requestId: string): Promise<string>;
  /** Reads a webhook. Undefined if it has expired or was removed. */
  get(key: string): Promise<StoredHook | undefined>;
};

/** Reads small JSON files that platforms write beside recordings. */
export type ManifestReader = {
  /** The content; undefined if it is missing, too large, no JSON, or not to be read by this service. */
  read(location: FileLocation): Promise<unknown>;
};

/** A webhook that waits for a session of its room. `mark` tells this wait from an earlier or later one of the same webhook. */
export type ParkedHook = {
  readonly key: string;
  readonly mark: string;
  /** The time of the webhook, if only some sessions of the room can be its own. */
  readonly time?: string | undefined;
};

/** A webhook that waits since a time. Waits without a break are one wait, with another mark each time. */
export type Wait = ParkedHook & { readonly since: string };

/** The start or the end of a session was learnt. `id` names the change, and `session` is all that is known of it. */
export type SessionChange = { readonly id: string; readonly session: PlatformSession };

/** One room of one connection. */
export type PlatformRoom = {
  readonly organizationId: OrganizationId;
  readonly connectionId: string;
  readonly roomName: string;
};

/** The sessions that platforms have announced, and the webhooks that wait for one. Rows expire. */
export type PlatformSessionStore = {
  /**
   * The remembered sessions of a room that had started by `latestStart`, or at any time, with strong consistency. Of many, only the last
   * ones, sorted by their starts.
   */
  sessionsOf(room: PlatformRoom, latestStart?: string): Promise<readonly PlatformSession[]>;
  /**
   * Remembers a session. Of several reports, the earliest start, the latest end and the last count hold, in any order, and participants are
   * added, up to `maxRememberedParticipants`. Returns the change of its start or end for which the waiting webhooks of the room must be
   * sent again. Returns undefined if there is none, or they were sent.
   */
  remember(room: PlatformRoom, session: PlatformSession): Promise<SessionChange | undefined>;
  /** The waiting webhooks were sent again for this change. Until this call, `remember` returns the change also to a repeated report. */
  settle(room: PlatformRoom, session: PlatformSession, change: string): Promise<void>;
  /** Lets a webhook wait, until its body expires. A repeated call lets it wait once, with a new mark, since the first call. */
  park(
    room: PlatformRoom,
    hook: { readonly key: string; readonly time?: string | undefined; readonly receivedAt: string },
  ): Promise<Wait>;
  /** The waiting webhooks of a room, page by page, with strong consistency. */
  parked(room: PlatformRoom): AsyncIterable<readonly ParkedHook[]>;
  /** Ends waits. A webhook that waits again since then, with another mark, still waits. */
  unpark(room: PlatformRoom, hooks: readonly ParkedHook[]): Promise<void>;
};
