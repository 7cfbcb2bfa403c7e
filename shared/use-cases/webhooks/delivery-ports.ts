import type { NoticeReplayMessage, WebhookRunMessage } from '#shared/contracts/messages.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { DeliveryFailureCode } from '#shared/contracts/webhooks/webhooks.ts';
import type { DeliveryRecord, StoredReplay, WebhookKey, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import type { Failing } from '#shared/domain/webhooks/webhook-parking.ts';
import type { Send } from '../notices/ports.ts';

export type SendRuns = Send<WebhookRunMessage>;

export type SendReplays = Send<NoticeReplayMessage>;

/** The deliveries of all webhooks. A delivery is named by its webhook and its notice. */
export type DeliveryStore = {
  /** Stores a delivery that waits. Returns false, and changes nothing, if there is one of the same notice. */
  plan(delivery: DeliveryRecord): Promise<boolean>;
  /** Stores a delivery of a replay in place of the one before. Returns false if this replay has already done so. */
  planAgain(delivery: DeliveryRecord): Promise<boolean>;
  /** Reads a delivery with strong consistency. */
  find(webhook: WebhookKey, deliveryKey: string): Promise<DeliveryRecord | undefined>;
  findAll(webhook: WebhookKey, deliveryKeys: readonly string[]): Promise<readonly DeliveryRecord[]>;
  /**
   * Keys of deliveries that are due, page by page: those that were not replayed before those that were, each by their time. Between pages of
   * a replay, those that were not are listed again: new ones come meanwhile. So a key can come repeatedly.
   */
  listDue(webhook: WebhookKey, now: () => Date): AsyncIterable<readonly string[]>;
  /** Keys of all deliveries that wait, page by page. */
  listWaiting(webhook: WebhookKey): AsyncIterable<readonly string[]>;
  /** When the next delivery is due, without those of these keys. The index lags behind. */
  nextDueAt(webhook: WebhookKey, except: ReadonlySet<string>): Promise<string | undefined>;
  /** Stores what came of an attempt. Returns false if the delivery is not as it was before the attempt. */
  store(before: DeliveryRecord, after: DeliveryRecord): Promise<boolean>;
  /** Gives up a delivery that waits and was planned by then. Returns false if there is no such delivery. */
  giveUp(
    webhook: WebhookKey,
    deliveryKey: string,
    end: { readonly failureCode: DeliveryFailureCode; readonly plannedUntil: Date },
  ): Promise<boolean>;
};

/** What came of asking for a webhook's turn. `woken`: another run has it and will look again. `postponed`: it is slow, and its next run is due soon. */
export type TurnOutcome = { readonly webhook: WebhookRecord } | 'gone' | 'parked' | 'postponed' | 'woken';

/** What a run leaves behind. Without `failing`, the failures of the webhook stay as they are. */
export type RunEnd = {
  readonly failing?: Failing | undefined;
  readonly dueAt: string | undefined;
  readonly lookAgainAt: string | undefined;
  /** Until when the webhook counts as slow, if the run has found it to be. */
  readonly slowUntil?: string | undefined;
  readonly postponedUntil?: string | undefined;
};

/**
 * What came of ending a turn. Unless it has ended, nothing is stored. `woken`: somebody asked for a turn. `changed`: its owner has entered
 * another address, or has disabled or enabled it, so the failures of this run do not count, and another run is due. `lost`: another run has the turn.
 */
export type TurnEnd = 'ended' | 'woken' | 'changed' | 'lost';

/** The places that the slow webhooks of an organization share. */
export type SlowPlaceStore = {
  /** Takes a place and returns it. Undefined if other runs have them all. */
  take(webhook: WebhookKey, run: { readonly runId: string; readonly now: Date }): Promise<number | undefined>;
  /** Does nothing if another run has the place. */
  free(webhook: WebhookKey, held: { readonly runId: string; readonly place: number }): Promise<void>;
};

/** Who makes deliveries to a webhook. */
export type RunStore = {
  /** Reads a webhook with strong consistency. */
  find(webhook: WebhookKey): Promise<WebhookRecord | undefined>;
  /** Takes the turn of a webhook, which is due again if the run dies. If another run has the turn, that one is woken. */
  takeTurn(webhook: WebhookKey, run: { readonly runId: string; readonly now: Date }): Promise<TurnOutcome>;
  /** Ends the turn of a webhook, given as it was at the begin of the turn. */
  endTurn(
    webhook: WebhookRecord,
    runId: string,
    end: RunEnd,
    options?: { readonly evenIfWoken?: boolean; readonly evenIfChanged?: boolean },
  ): Promise<TurnEnd>;
  /** Ends the turn and disables the webhook, which is told by a notice in the same transaction. False if its owner has changed it. */
  disable(webhook: WebhookRecord, runId: string, failing: Failing, now: Date): Promise<boolean>;
};

/** Webhooks whose time has come. */
export type DueWebhookStore = {
  listDue(now: Date): AsyncIterable<WebhookKey & { readonly dueAt: string }>;
  /** Moves the time. Does nothing if it has changed. */
  postpone(due: WebhookKey & { readonly dueAt: string }, until: string): Promise<void>;
};

/** The webhooks of organizations. */
export type WebhookReader = {
  /** All webhooks of an organization, as they were at a time or later. */
  listOf(organizationId: OrganizationId, asOf: string): Promise<readonly WebhookRecord[]>;
};

/** How far a replay has come: from the end of the page `before` to that of the page `after`. */
export type ReplayProgress = Pick<StoredReplay, 'replayId' | 'state' | 'planned' | 'after' | 'before'>;

/** The replays of webhooks. */
export type ReplayStore = {
  /** Reads a webhook with strong consistency. */
  find(webhook: WebhookKey): Promise<WebhookRecord | undefined>;
  /** Stores how far the replay has come. Returns false unless it is the webhook's replay, runs, and has come to `before`. */
  progress(webhook: WebhookKey, progress: ReplayProgress): Promise<boolean>;
};
