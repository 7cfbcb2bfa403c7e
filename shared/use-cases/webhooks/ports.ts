import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Attempt, Replay } from '#shared/contracts/webhooks/webhooks.ts';
import type { WebhookKey, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';

/** One call of a webhook. */
export type WebhookCall = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What came of a call, and how long the receiver asked to wait before the next one. */
export type WebhookAnswer = Attempt & { readonly retryAfterSeconds?: number | undefined };

/** Calls the addresses of webhooks. */
export type WebhookCaller = {
  /** Why an address may not be called; undefined if it may. It continues the sentence `url …`. An address may still turn out to be refused when it is called. */
  refusalOf(url: string): string | undefined;
  /** Calls an address once, for ten seconds at most. Never throws for what the receiver does. */
  call(call: WebhookCall): Promise<WebhookAnswer>;
};

/** The secret of the stage, from which those of webhooks are derived. */
export type StageSecretReader = { read(): Promise<string> };

/** New values of a webhook's attributes. `undefined` removes one. */
export type WebhookChange = { readonly [Name in Exclude<keyof WebhookRecord, keyof WebhookKey>]?: WebhookRecord[Name] };

/** A new secret of a webhook: its version, until when the one before is used, the request that asks for it, and when that came. */
export type Rotation = Required<
  Pick<WebhookRecord, 'secretVersion' | 'previousSecretUntil' | 'rotationId' | 'rotatedAt'>
>;

/** What came of the start of a replay. */
export type ReplayStart = 'started' | 'not_found' | 'disabled' | 'in_progress';

/** The webhooks of organizations. Every change is of single attributes: runs change others of the same webhook at the same time. */
export type WebhookStore = {
  /** Reads with strong consistency. */
  find(key: WebhookKey): Promise<WebhookRecord | undefined>;
  /** Changes a webhook and returns it. Undefined if there is none. */
  change(key: WebhookKey, change: WebhookChange): Promise<WebhookRecord | undefined>;
  /** Stores a rotation unless there was another one since `asRead`. Returns whether it was stored. */
  rotate(asRead: WebhookRecord, rotation: Rotation): Promise<boolean>;
  /** Removes a webhook. Does nothing if there is none. */
  remove(key: WebhookKey): Promise<void>;
  /** Begins a replay unless another one is running that has made progress since `staleBefore`. A repetition of the call changes nothing. */
  startReplay(key: WebhookKey, replay: Replay, staleBefore: Date): Promise<ReplayStart>;
  /** Marks a replay as failed, if it is still the webhook's replay. */
  failReplay(key: WebhookKey, replayId: string): Promise<void>;
};

/** All webhooks of an organization, and how many were created before. The number tells whether another one was created since. */
export type WebhookCensus = { readonly creations: number; readonly webhooks: readonly WebhookRecord[] };

/** Creates webhooks, of which an organization may have only some. */
export type WebhookCreation = {
  /** Reads with strong consistency. */
  count(organizationId: OrganizationId): Promise<WebhookCensus>;
  /** Stores a webhook unless another one was created since the census. Returns whether it is stored. */
  create(webhook: WebhookRecord, census: WebhookCensus): Promise<boolean>;
};
