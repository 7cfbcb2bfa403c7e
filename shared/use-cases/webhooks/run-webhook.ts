import { randomUUID } from 'node:crypto';
import type { WebhookRunMessage } from '#shared/contracts/messages.ts';
import { isDeliveryDue } from '#shared/domain/webhooks/delivery.ts';
import { followUpOf } from '#shared/domain/webhooks/run-end.ts';
import type { DeliveryRecord, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { isKnownSlow, mayStartAfter, postponedUntil, slowUntil } from '#shared/domain/webhooks/webhook-pace.ts';
import { type Failing, hasFailedForDays, isParked } from '#shared/domain/webhooks/webhook-parking.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import type { RunStore, SendRuns, SlowPlaceStore } from './delivery-ports.ts';
import { isNew, type Made, type MakeDependencies, makeDeliveries, type Run } from './make-deliveries.ts';

/** What a run needs. */
export type RunDependencies = Omit<MakeDependencies, 'now' | 'random'> & {
  readonly runs: RunStore;
  readonly slowPlaces: SlowPlaceStore;
  readonly sendRuns: SendRuns;
  /** After so many days of failures a webhook is disabled. */
  readonly disableDays: number;
  readonly now?: () => Date;
  readonly random?: () => number;
  readonly newId?: () => string;
};

/**
 * What came of a run. `done`: the named delivery does not wait. `gone`: there is no webhook. `parked`: it is not called now. `postponed`:
 * it is slow, and others of its organization have the places for that. `woken`: another run goes on with it. `disabled`: this run has
 * disabled it.
 */
export type RunOutcome = 'done' | 'gone' | 'parked' | 'postponed' | 'woken' | 'ran' | 'disabled';

const writesAtOnce = 10;
/** How long a run calls a webhook without a look at what its owner has changed. */
const rereadMs = 1_000;

/**
 * Makes the deliveries of a webhook that are due, if no other run does. So a webhook that answers slowly takes one place at most. A webhook
 * is due from the begin of a run, so that one whose run dies is called again. At the end it is due when its next delivery is. So a dead
 * letter of webhookRuns is one for which DynamoDB itself has failed, before the turn was taken: only then its delivery needs the redrive,
 * or the next notice for the webhook.
 */
export async function runWebhook(dependencies: RunDependencies, message: WebhookRunMessage): Promise<RunOutcome> {
  const { organizationId, webhookId, deliveryKey } = message;
  const { now = () => new Date(), random = Math.random, newId = randomUUID } = dependencies;
  const deps = { ...dependencies, now, random };
  const key = { organizationId, webhookId };
  const named = deliveryKey === undefined ? undefined : await deps.deliveries.find(key, deliveryKey);
  if (deliveryKey !== undefined && !(named && (isDeliveryDue(named, now()) || isNew(named)))) return 'done';
  const startedAt = now();
  const runId = newId();
  const turn = await deps.runs.takeTurn(key, { runId, now: startedAt });
  if (typeof turn === 'string') return turn;
  const { webhook } = turn;
  if (webhook.state !== 'enabled' || !isKnownSlow(webhook, startedAt))
    return makeRun(deps, { webhook, runId, startedAt, named, deliveryKey });
  const place = await deps.slowPlaces.take(key, { runId, now: startedAt });
  if (place === undefined) return postpone(deps, webhook, runId);
  try {
    return await makeRun(deps, { webhook, runId, startedAt, named, deliveryKey });
  } finally {
    await deps.slowPlaces.free(key, { runId, place });
  }
}

/** A run that has the turn. */
type Begun = {
  readonly webhook: WebhookRecord;
  readonly runId: string;
  readonly startedAt: Date;
  readonly named: DeliveryRecord | undefined;
  readonly deliveryKey: string | undefined;
};

async function makeRun(deps: Deps, { webhook, runId, startedAt, named, deliveryKey }: Begun): Promise<RunOutcome> {
  const mayStart = (isSlow: boolean) => mayStartAfter(deps.now().getTime() - startedAt.getTime(), isSlow);
  const run = { webhook, deliveryKey, mayStart, hasChanged: changesSince(webhook, startedAt, deps) };
  const isEnabled = webhook.state === 'enabled';
  const made = isEnabled ? await makeDeliveries(deps, run) : await giveUpWaiting(deps, { ...run, startedAt });
  if (isEnabled && (await isDisabled(deps, { webhook, runId, failing: made.failing, hasTried: made.hasTried })))
    return 'disabled';
  const mayHaveMissed =
    made.error !== undefined || made.isStale === true || (made.hasTried && !isAlone(webhook, named));
  await endRun(deps, { webhook, runId, made, mayHaveMissed });
  if (made.error !== undefined) throw made.error;
  return 'ran';
}

/** Ends a turn for which its organization has no place. One message brings the next run; the others that come meanwhile are done. */
async function postpone(deps: Deps, webhook: WebhookRecord, runId: string): Promise<RunOutcome> {
  const { runs, sendRuns, now, random } = deps;
  const until = postponedUntil(now(), random());
  const found = { failing: {}, nextDueAt: until, hasTried: true, mayHaveMissed: true, lookAgainAt: undefined };
  const { delaySeconds = 0, ...end } = followUpOf(found, now());
  const ended = { ...end, failing: undefined, postponedUntil: until };
  if ((await runs.endTurn(webhook, runId, ended, { evenIfWoken: true, evenIfChanged: true })) !== 'ended')
    return 'postponed';
  const { organizationId, webhookId } = webhook;
  await sendRuns(organizationId, [{ organizationId, webhookId }], { delaySeconds });
  return 'postponed';
}

/** Reads the webhook once a second at most, and tells whether it is to be called in another way, or not at all. */
function changesSince(webhook: WebhookRecord, startedAt: Date, { runs, now }: Deps): () => Promise<boolean> {
  let readAt = startedAt.getTime();
  let hasChanged = Promise.resolve(false);
  return () => {
    if (now().getTime() - readAt >= rereadMs) {
      readAt = now().getTime();
      hasChanged = runs.find(webhook).then((found) => !found || !isCalledAlike(found, webhook));
    }
    return hasChanged;
  };
}

function isCalledAlike(one: WebhookRecord, other: WebhookRecord): boolean {
  const names = ['state', 'url', 'signature', 'secretVersion', 'previousSecretUntil'] as const;
  return names.every((name) => one[name] === other[name]);
}

/**
 * True if no delivery relies on this run to find it: a message names each new one, and wakes this run if it comes meanwhile. Those of replays
 * have one message for many. Those of a parked webhook have none.
 */
function isAlone(before: WebhookRecord, named: DeliveryRecord | undefined): boolean {
  return named !== undefined && named.replayId === undefined && before.failingSince === undefined;
}

type Deps = MakeDependencies & Pick<RunDependencies, 'runs' | 'slowPlaces' | 'sendRuns' | 'disableDays'>;

/** Disables a webhook that has failed for days. Its next run gives up what waits. */
async function isDisabled(
  { runs, sendRuns, disableDays, now }: Deps,
  { webhook, runId, failing, hasTried }: { webhook: WebhookRecord; runId: string; failing: Failing; hasTried: boolean },
): Promise<boolean> {
  if (!hasTried || !hasFailedForDays(failing, disableDays, now())) return false;
  if (!(await runs.disable(webhook, runId, failing, now()))) return false;
  const { organizationId, webhookId } = webhook;
  await sendRuns(organizationId, [{ organizationId, webhookId }]);
  return true;
}

/**
 * The deliveries of a disabled webhook do not wait any more. They can be replayed once it is enabled. What is planned after the begin of the
 * run is left to another run, because the webhook may be enabled by then.
 */
async function giveUpWaiting(
  { deliveries, now }: Deps,
  { webhook, startedAt, deliveryKey, mayStart, hasChanged }: Run & { readonly startedAt: Date },
): Promise<Made> {
  const settled = new Set<string>();
  const end = { failureCode: 'webhook_disabled', plannedUntil: startedAt } as const;
  let [isCut, isStale] = [false, false];
  const giveUp = async (key: string) => {
    if (settled.has(key)) return;
    settled.add(key);
    if (!(await deliveries.giveUp(webhook, key, end))) isStale = true;
  };
  for await (const some of waitingOf(deliveries, webhook, deliveryKey)) {
    isCut = !mayStart(false) || (await hasChanged());
    if (isCut) break;
    await Promise.all(some.map(giveUp));
  }
  const nextDueAt = isCut ? now().toISOString() : undefined;
  return { failing: {}, settled, nextDueAt, hasTried: settled.size > 0, isStale };
}

/** Keys of deliveries that wait, some at a time: the named one first. */
async function* waitingOf(deliveries: Deps['deliveries'], webhook: WebhookRecord, deliveryKey: string | undefined) {
  if (deliveryKey !== undefined) yield [deliveryKey];
  for await (const keys of deliveries.listWaiting(webhook)) yield* chunk(keys, writesAtOnce);
}

/** How a run ends. `mayHaveMissed`: the index may not show all that is due yet. */
type End = {
  readonly webhook: WebhookRecord;
  readonly runId: string;
  readonly made: Made;
  readonly mayHaveMissed: boolean;
};

/** Stores what follows, ends the turn, and then asks for the next run: a process that dies in between has stored when that is due. */
async function endRun(deps: Deps, { webhook, runId, made, mayHaveMissed }: End): Promise<void> {
  const { deliveries, runs, sendRuns, now, random } = deps;
  const { failing, settled, hasTried, error } = made;
  const isEnabled = webhook.state === 'enabled';
  const indexed = isEnabled && error === undefined ? await deliveries.nextDueAt(webhook, settled) : undefined;
  const nextDueAt = [made.nextDueAt, indexed].filter((time) => time !== undefined).sort()[0];
  const found = { failing, nextDueAt, hasTried, mayHaveMissed, lookAgainAt: webhook.lookAgainAt };
  let { delaySeconds, ...end } = followUpOf(found, now());
  let changed = isEnabled && hasTried ? failing : undefined;
  const slow = made.isSlow && { slowUntil: slowUntil(now()) };
  // After a slow run that has left some, others of the organization may have its place. What comes meanwhile relies on the next run.
  const pausedUntil = made.isSlow && error === undefined ? postponedUntil(now(), random()) : undefined;
  const pauseNow = () => delaySeconds === 0 && { postponedUntil: pausedUntil };
  const conditions = { evenIfWoken: false, evenIfChanged: false };
  for (;;) {
    const outcome = await runs.endTurn(
      webhook,
      runId,
      { failing: changed, ...end, ...slow, ...pauseNow() },
      conditions,
    );
    if (outcome === 'ended' || outcome === 'lost') break;
    if (outcome === 'woken') conditions.evenIfWoken = true;
    else {
      conditions.evenIfChanged = true;
      changed = undefined;
    }
    const isStillParked = changed !== undefined && isParked(changed, now());
    ({ delaySeconds, ...end } = followUpOf({ ...found, failing: changed ?? {}, mayHaveMissed: true }, now()));
    if (!isStillParked) delaySeconds = 0;
  }
  if (delaySeconds === undefined || error !== undefined) return; // the message comes again by itself
  const { organizationId, webhookId } = webhook;
  const pauseMs = pausedUntil === undefined ? 0 : Date.parse(pausedUntil) - now().getTime();
  const pausedSeconds = Math.max(delaySeconds, Math.ceil(pauseMs / 1_000));
  await sendRuns(organizationId, [{ organizationId, webhookId }], { delaySeconds: pausedSeconds });
}
