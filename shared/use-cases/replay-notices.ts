import { chunk } from '../chunk.ts';
import type { NoticeReplayMessage } from '../contracts/messages.ts';
import type { Replay } from '../contracts/webhooks.ts';
import { deliveryKeyOf, plannedDelivery, wantsType } from '../domain/delivery.ts';
import type { OrganizationNotice } from '../domain/notice.ts';
import type { WebhookKey, WebhookRecord } from '../domain/webhook.ts';
import type { DeliveryStore, NoticeStore, ReplayStore, SendReplays, SendRuns } from './notice-ports.ts';

/** What replaying needs. */
export type ReplayDependencies = {
  readonly replays: ReplayStore;
  readonly notices: Pick<NoticeStore, 'page'>;
  readonly deliveries: Pick<DeliveryStore, 'planAgain'>;
  readonly sendReplays: SendReplays;
  readonly sendRuns: SendRuns;
  readonly now?: () => Date;
};

/** What came of a message. `replaced`: the webhook is gone, or this is not its replay any more. `stopped`: it is disabled. */
export type ReplayOutcome = 'replaced' | 'stopped' | 'planned' | 'finished';

const pageSize = 100;
const writesAtOnce = 10;

/**
 * Plans the deliveries of the next notices of a replay, and asks for the rest by a message. A repeat plans nothing again, and stores the
 * same progress.
 */
export async function replayNotices(deps: ReplayDependencies, message: NoticeReplayMessage): Promise<ReplayOutcome> {
  const { replays, sendReplays, sendRuns } = deps;
  const { organizationId, webhookId, replayId, after, planned = 0 } = message;
  const key: WebhookKey = { organizationId, webhookId };
  const webhook = await replays.find(key);
  const { replay } = webhook ?? {};
  if (!webhook || replay?.replayId !== replayId || replay.state !== 'running') return 'replaced';
  if (webhook.state === 'disabled') {
    await replays.progress(key, { replayId, planned, state: 'failed' });
    return 'stopped';
  }
  const { from, to } = replay;
  const page = await deps.notices.page({ organizationId, from, to, after, limit: pageSize });
  const wanted = page.notices.filter((notice) => isReplayed(webhook, replay, notice));
  await plan(deps, webhook, wanted, replayId);
  const last = wanted.at(-1);
  // Names one of them, because the index of deliveries may not show the others yet.
  const deliveryKey = last && deliveryKeyOf({ createdAt: last.createdAt, noticeId: last.id });
  if (deliveryKey) await sendRuns(organizationId, [{ ...key, deliveryKey }]);
  const plannedSoFar = planned + wanted.length;
  if (page.after !== undefined)
    await sendReplays(organizationId, [{ ...key, replayId, after: page.after, planned: plannedSoFar }]);
  const state = page.after === undefined ? 'finished' : 'running';
  const isStored = await replays.progress(key, { replayId, planned: plannedSoFar, state });
  if (!isStored) return 'replaced';
  return state === 'finished' ? 'finished' : 'planned';
}

/** A notice that is asked for by its id is replayed even if the webhook does not want its type. */
function isReplayed(webhook: WebhookRecord, { noticeId }: Replay, notice: OrganizationNotice): boolean {
  return noticeId === null ? wantsType(webhook, notice) : notice.id === noticeId;
}

async function plan(
  { deliveries, now = () => new Date() }: ReplayDependencies,
  webhook: WebhookRecord,
  notices: readonly OrganizationNotice[],
  replayId: string,
): Promise<void> {
  for (const some of chunk(notices, writesAtOnce))
    await Promise.all(some.map((notice) => deliveries.planAgain(plannedDelivery(webhook, notice, now(), replayId))));
}
