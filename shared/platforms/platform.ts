import type * as z from 'zod/mini';
import type { FileLocation, RoomEvent } from '../contracts/events.ts';
import type {
  Connection,
  ConnectionSecret,
  ConnectionSettings,
  PlatformName,
  StoredHook,
} from '../contracts/platforms/connection.ts';
import type { PlatformSession } from '../domain/platforms/platform-session.ts';

/** A webhook as it arrived. Nothing in it can be trusted before `isAuthentic` returned true. */
export type SignedRequest = {
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly rawQueryString: string;
  /** The bytes that a signature covers. */
  readonly rawBody: Buffer;
  /** The address that the platform was given, without a query. */
  readonly url: string;
};

/** A verified webhook and its connection. */
export type Hook = Pick<StoredHook, 'payload' | 'receivedAt' | 'digest'> & { readonly connection: Connection };

/** What a translation may know besides the webhook. */
export type HookState = {
  /** The sessions of the room that `roomOf` names. */
  readonly sessions: readonly PlatformSession[];
  /** The webhook has waited long enough for news that would decide which session it belongs to. Default: false. */
  readonly hasWaited?: boolean;
  /** The content of the file that `manifestOf` names, or undefined if it cannot be read. */
  readonly manifest?: unknown;
};

/**
 * A room, the time of the webhook, and the latest start of a session that it can belong to: its time and a tolerance. Default: any time and
 * any start.
 */
export type NeededRoom = { readonly roomName: string; readonly time?: string; readonly latestStart?: string };

/** An event as the room-events queue takes it. */
export type NewEvent = z.input<typeof RoomEvent>;

/** What a webhook means. A webhook without meaning for this service has no events. */
export type Translation = {
  readonly events: readonly NewEvent[];
  /** Sessions to remember before the events are sent. Only platforms whose events do not name their session need them. */
  readonly sessions?: readonly PlatformSession[];
  /** The webhook belongs to a session that is not known yet. It waits until one of its room is remembered. */
  readonly waits?: true;
  /** The open session that takes a waiting webhook if nothing else was announced after a while. Default: it goes on waiting. */
  readonly mayBe?: { readonly roomName: string; readonly roomSessionId: string };
  /** Participants who could not join, which the platform counts and insights do not show. */
  readonly failedJoins?: number;
  /** Parts of the webhook, such as single occupants, that cannot be read and have no events. */
  readonly unreadable?: number | undefined;
};

/** How a connection gets a secret: this service makes it, the platform shows it, or it is a pair of an id and a secret of the platform. */
export type SecretOrigin = 'generated' | 'given' | 'given-with-id';

/** One platform: its signatures, its payloads and their translation. All functions are pure. */
export type Platform = {
  readonly name: PlatformName;
  /** The name as people write it. */
  readonly title: string;
  readonly secretOrigin: SecretOrigin;
  /** Makes a secret in the form that the platform takes. Default: 32 random bytes in base64url. */
  readonly newSecret?: (randomBytes: Buffer) => string;
  /** Says why a given secret cannot be one of this platform, in words that follow "The secret". Undefined if it can. */
  readonly problemOfSecret?: (secret: Pick<ConnectionSecret, 'id' | 'value'>) => string | undefined;
  /** Every setting that a connection can have. All of them are optional texts with the defaults of the translator. */
  readonly settings: z.ZodMiniType;
  /** True for a request with which the platform tries the address. It is answered, and does nothing else. It is asked of short bodies only. */
  readonly isProbe?: (request: SignedRequest) => boolean;
  /**
   * True if the request was signed with this secret, within the platform's tolerance of `now`. Settings of the connection can weaken what is
   * asked of a signature: default none. It never throws.
   */
  readonly isAuthentic: (
    request: SignedRequest,
    secret: ConnectionSecret,
    now: Date,
    settings?: ConnectionSettings,
  ) => boolean;
  /** The payload of an authentic request. Default: its body as JSON. Throws `InvalidRequest` if it cannot be read. */
  readonly read?: (request: SignedRequest) => unknown;
  /** Names of fields, at any depth and in any spelling, with secrets and links that grant access. They are neither stored nor logged. */
  readonly secretFields: readonly string[];
  /** The room whose sessions `translate` needs; undefined if it needs none. Never throws. */
  readonly roomOf?: (hook: Hook) => NeededRoom | undefined;
  /** A small JSON file that `translate` needs. It is read if the service may read it. Never throws. */
  readonly manifestOf?: (hook: Hook) => FileLocation | undefined;
  /** Translates a webhook. Unknown types and fields mean nothing. Throws for a payload of a known type that lacks what it needs. */
  readonly translate: (hook: Hook, state: HookState) => Translation;
};
