import { type OrganizationNotice, UnreadableNotice } from '#shared/domain/notices/notice.ts';
import { deliveryAfter, deliveryKeyOf, deliveryWithout, isDeliveryDue } from '#shared/domain/webhooks/delivery.ts';
import type { DeliveryRecord, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { isSlowCall } from '#shared/domain/webhooks/webhook-pace.ts';
import { type Failing, failingAfter, isParked, isProbed } from '#shared/domain/webhooks/webhook-parking.ts';
import { webhookCallOf } from '#shared/domain/webhooks/webhook-signature.ts';
import type { NoticeKey, NoticeStore } from '../notices/ports.ts';
import type { DeliveryStore } from './delivery-ports.ts';
import type { StageSecretReader, WebhookAnswer, WebhookCaller } from './ports.ts';

/** An attempt that was made: the delivery before and after it, what came of the call, and whether it parked the webhook. */
export type MadeAttempt = {
  readonly before: DeliveryRecord;
  readonly after: DeliveryRecord;
  /** Undefined if the notice is gone, so that nothing was called. */
  readonly answer?: WebhookAnswer | undefined;
  readonly parks: boolean;
  /** True if the webhook had failed before this run, so that the delivery may have waited for that. */
  readonly wasFailing: boolean;
};

/** What making deliveries needs. */
export type MakeDependencies = {
  readonly deliveries: DeliveryStore;
  readonly notices: Pick<NoticeStore, 'findAll'>;
  readonly caller: WebhookCaller;
  readonly secret: StageSecretReader;
  /** Is told of every attempt. */
  readonly report: (made: MadeAttempt) => void;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
};

/**
 * One run: its webhook, the delivery that its message names, and whether it may start another call. `hasChanged`: its owner has said
 * something else about the webhook since.
 */
export type Run = {
  readonly webhook: WebhookRecord;
  readonly deliveryKey: string | undefined;
  readonly mayStart: (isSlow: boolean) => boolean;
  readonly hasChanged: () => Promise<boolean>;
};

/** What deliveries of a run have left. */
export type Made = {
  readonly failing: Failing;
  /** Deliveries that were tried, or that are not due although the index says so. */
  readonly settled: ReadonlySet<string>;
  /** The first of the next attempts that the run knows of. */
  readonly nextDueAt: string | undefined;
  readonly hasTried: boolean;
  /** A call took long. */
  readonly isSlow?: boolean;
  /** The run has ended because its owner has changed the webhook, or has left a delivery that was planned meanwhile. */
  readonly isStale?: boolean;
  readonly error?: unknown;
};

const callsAtOnce = 10;

type Due = { readonly delivery: DeliveryRecord; readonly notice: OrganizationNotice | undefined };

/**
 * Makes the deliveries of a webhook that are due, ten at once. Each result is stored at once. A webhook that was parked is called once first,
 * and by ten only after a success. The run stops when the webhook is parked or changed, when a store fails, or when its time is over.
 */
export async function makeDeliveries(deps: MakeDependencies, run: Run): Promise<Made> {
  const { deliveries, caller, report, now, random } = deps;
  const { webhook, mayStart } = run;
  const settled = new Set<string>();
  let failing: Failing = webhook;
  const wasFailing = webhook.failingSince !== undefined;
  let nextDueAt: string | undefined;
  let [hasTried, hasFailed, isSlow, isStale] = [false, false, false, false];
  let error: unknown;

  const waitFor = ({ state, nextAttemptAt }: DeliveryRecord) => {
    if (state !== 'waiting' || nextAttemptAt === undefined) return;
    if (nextDueAt === undefined || nextAttemptAt < nextDueAt) nextDueAt = nextAttemptAt;
  };
  let stageSecret: string;
  try {
    stageSecret = await deps.secret.read();
  } catch (cause) {
    return { failing, settled, nextDueAt: now().toISOString(), hasTried, error: cause };
  }
  const call = async (before: DeliveryRecord, notice: OrganizationNotice) => {
    const startedAt = now();
    const answer = await caller.call(webhookCallOf(webhook, notice, stageSecret, startedAt));
    isSlow ||= isSlowCall(now().getTime() - startedAt.getTime());
    const known = failing;
    failing = failingAfter(known, answer, now(), random());
    const after = deliveryAfter(before, { ...answer, now: now(), random: random() });
    return { before, after, answer, parks: (failing.parkings ?? 0) > (known.parkings ?? 0), wasFailing };
  };
  const attempt = async ({ delivery, notice }: Due) => {
    hasTried = true;
    const made = notice
      ? await call(delivery, notice)
      : { before: delivery, after: deliveryWithout(delivery, 'notice_gone'), parks: false, wasFailing };
    const isStored = await deliveries.store(made.before, made.after);
    report(made);
    if (!isStored) return; // planned again meanwhile
    settled.add(deliveryKeyOf(delivery));
    waitFor(made.after);
  };

  const source = dueOf(deps, run, (key, delivery) => {
    settled.add(key);
    if (delivery) waitFor(delivery);
  });
  const mayGoOn = () => !hasFailed && !isStale && mayStart(isSlow) && !isParked(failing, now());
  /** Makes the next delivery. False if there is none. */
  const attemptNext = async (): Promise<boolean> => {
    try {
      const { value, done } = await source.next();
      if (done) return false;
      if (await run.hasChanged()) isStale = true;
      if (mayGoOn()) await attempt(value);
      return true;
    } catch (cause) {
      hasFailed = true;
      error = cause;
      return false;
    }
  };
  const work = async (isWanted = () => true) => {
    while (isWanted() && mayGoOn() && (await attemptNext()));
  };
  await work(() => isProbed(failing));
  await Promise.all(Array.from({ length: callsAtOnce }, () => work()));
  return { failing, settled, nextDueAt, hasTried: hasTried || settled.size > 0, isSlow, isStale, error };
}

/** The deliveries that are due, with their notices: the named one first. `skip` is told of those that turn out not to be due. */
async function* dueOf(
  { deliveries, notices, now }: MakeDependencies,
  { webhook, deliveryKey }: Run,
  skip: (key: string, delivery: DeliveryRecord | undefined) => void,
): AsyncGenerator<Due, undefined> {
  const seen = new Set<string>();
  const load = async (keys: readonly string[]): Promise<readonly Due[]> => {
    const unseen = keys.filter((key) => !seen.has(key));
    for (const key of unseen) seen.add(key);
    const found = await deliveries.findAll(webhook, unseen);
    const byKey = new Map(found.map((delivery) => [deliveryKeyOf(delivery), delivery]));
    const due = unseen.flatMap((key) => {
      const delivery = byKey.get(key);
      if (delivery && (isDeliveryDue(delivery, now()) || isNew(delivery))) return [delivery];
      skip(key, delivery);
      return [];
    });
    const { organizationId } = webhook;
    const told = await readable(
      notices,
      due.map((delivery) => ({ organizationId, noticeKey: deliveryKeyOf(delivery) })),
    );
    return due.map((delivery) => ({ delivery, notice: told.get(deliveryKeyOf(delivery)) }));
  };
  if (deliveryKey !== undefined) yield* await load([deliveryKey]);
  for await (const keys of deliveries.listDue(webhook, now)) yield* await load(keys);
  return undefined;
}

/** The notices that can be read: one that cannot holds up no others. Those that are missing count as gone. */
async function readable(
  notices: MakeDependencies['notices'],
  keys: readonly NoticeKey[],
): Promise<ReadonlyMap<string, OrganizationNotice>> {
  try {
    return await notices.findAll(keys);
  } catch (error) {
    if (!(error instanceof UnreadableNotice)) throw error;
    if (keys.length === 1) return new Map();
    const middle = Math.ceil(keys.length / 2);
    const halves = [keys.slice(0, middle), keys.slice(middle)];
    const found = await Promise.all(halves.map((half) => readable(notices, half)));
    return new Map(found.flatMap((half) => [...half]));
  }
}

/** True if a delivery waits for its first attempt. It is due even if the clock of whoever planned it is ahead. */
export function isNew({ state, attempts }: DeliveryRecord): boolean {
  return state === 'waiting' && attempts === 0;
}
