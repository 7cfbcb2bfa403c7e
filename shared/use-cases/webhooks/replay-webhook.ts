import { randomUUID } from 'node:crypto';
import type { NoticeReplayMessage } from '#shared/contracts/messages.ts';
import { noticeDays } from '#shared/contracts/notices/notice-version.ts';
import type { Replay, ReplayWebhook } from '#shared/contracts/webhooks/webhooks.ts';
import type { WebhookKey } from '#shared/domain/webhooks/webhook.ts';
import { newReplay, type ReplayScope } from '#shared/domain/webhooks/webhook-changes.ts';
import {
  InvalidRequest,
  NoticeNotFound,
  ReplayInProgress,
  TooManyReplays,
  WebhookIsDisabled,
  WebhookNotFound,
} from '#shared/runtime/errors.ts';
import type { NoticeFinder } from '../notices/ports.ts';
import type { ReplayCeiling } from '../organization/ports.ts';
import type { WebhookStore } from './ports.ts';

const hourMs = 3_600_000;
const keptMs = noticeDays * 24 * hourMs;

/** What `replayWebhook` needs. Tests replace the clock and the id. */
export type ReplayDependencies = {
  readonly webhooks: Pick<WebhookStore, 'find' | 'startReplay' | 'failReplay'>;
  readonly notices: NoticeFinder;
  readonly ceiling: ReplayCeiling;
  readonly sendReplay: (message: NoticeReplayMessage) => Promise<void>;
  readonly now?: () => Date;
  readonly newId?: () => string;
};

/**
 * Begins to deliver notices to a webhook again: one, or those of a period. A worker goes on with it. Throws `WebhookNotFound`,
 * `NoticeNotFound`, `WebhookIsDisabled`, `ReplayInProgress`, `TooManyReplays`, and `InvalidRequest` for a period of which no notice can be left.
 */
export async function replayWebhook(
  { webhooks, notices, ceiling, sendReplay, now = () => new Date(), newId = randomUUID }: ReplayDependencies,
  key: WebhookKey,
  body: ReplayWebhook,
): Promise<Replay> {
  const at = now();
  if (!(await webhooks.find(key))) throw new WebhookNotFound();
  const replay = newReplay(await scopeOf(notices, key, body, at), { replayId: newId(), now: at });
  const giveBack = replay.noticeId === null ? await take(ceiling, key) : undefined;
  try {
    await start(webhooks, key, replay, at);
    await send({ webhooks, sendReplay }, key, replay);
  } catch (error) {
    await giveBack?.().catch(() => {}); // if this fails too, it stays counted until the day ends
    throw error;
  }
  return replay;
}

/** Counts a replay of a period. Returns what takes it off the count again. */
async function take(ceiling: ReplayCeiling, { organizationId }: WebhookKey): Promise<() => Promise<void>> {
  const { allowance, giveBack } = await ceiling.take(organizationId);
  if (allowance.isExceeded) throw new TooManyReplays(allowance);
  return giveBack;
}

async function send(
  { webhooks, sendReplay }: Pick<ReplayDependencies, 'webhooks' | 'sendReplay'>,
  key: WebhookKey,
  { replayId }: Replay,
): Promise<void> {
  try {
    await sendReplay({ ...key, replayId });
  } catch (error) {
    // Otherwise it would keep others off for an hour. If this fails too, it does, and the first error tells why.
    await webhooks.failReplay(key, replayId).catch(() => {});
    throw error;
  }
}

/** The notice or the period that the body names. The contract makes sure that it names one of them. */
async function scopeOf(
  notices: NoticeFinder,
  { organizationId }: WebhookKey,
  { noticeId, createdAt = '', from, to }: ReplayWebhook,
  now: Date,
): Promise<ReplayScope> {
  if (from !== undefined) {
    checkStart(from, now);
    return { from, to };
  }
  if (noticeId === undefined || !(await notices.exists(organizationId, { id: noticeId, createdAt })))
    throw new NoticeNotFound(noticeDays);
  return { noticeId, from: createdAt };
}

function checkStart(from: string, now: Date): void {
  const refusal = (message: string) => new InvalidRequest([{ path: 'from', message }]);
  const earliest = now.getTime() - keptMs - hourMs; // an hour for clocks, and for those who ask for all
  if (Date.parse(from) < earliest)
    throw refusal(`must be at most ${noticeDays} days ago: notices are kept for ${noticeDays} days`);
  if (Date.parse(from) >= now.getTime()) throw refusal('must be in the past');
}

async function start(
  webhooks: ReplayDependencies['webhooks'],
  key: WebhookKey,
  replay: Replay,
  now: Date,
): Promise<void> {
  const outcome = await webhooks.startReplay(key, replay, new Date(now.getTime() - hourMs));
  if (outcome === 'not_found') throw new WebhookNotFound();
  if (outcome === 'disabled') throw new WebhookIsDisabled();
  if (outcome === 'in_progress') throw new ReplayInProgress();
}
