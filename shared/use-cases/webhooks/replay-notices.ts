import type { NoticeReplayMessage } from '#shared/contracts/messages.ts';
import type { Replay } from '#shared/contracts/webhooks/webhooks.ts';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { deliveryKeyOf, plannedDelivery, wantsType } from '#shared/domain/webhooks/delivery.ts';
import type { WebhookKey, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import type { NoticeStore } from '../notices/ports.ts';
import type { DeliveryStore, ReplayStore, SendReplays, SendRuns } from './delivery-ports.ts';

/** What replaying needs. */
export type ReplayDependencies = {
  readonly replays: ReplayStore;
  readonly notices: Pick<NoticeStore, 'page'>;
  readonly deliveries: Pick<DeliveryStore, 'planAgain'>;
  readonly sendReplays: SendReplays;
  readonly sendRuns: SendRuns;
  readonly now?: () => Date;
};

/** What came of a message. `replaced`: the webhook is gone, or this is not its replay any more. `repeated`: its page is planned. `stopped`: it is disabled. */
export type ReplayOutcome = 'replaced' | 'repeated' | 'stopped' | 'planned' | 'finished';

const pageSize = 100;
const writesAtOnce = 10;

/**
 * Plans the deliveries of the next notices of a replay, stores how far it has come, and then asks for the rest by a message. A message is
 * for the page that follows what is stored. If a repeat is for the page before, the message for the next one may be missing, and only that
 * is sent. So each message sends one at most, and repeats do not multiply.
 */
export async function replayNotices(deps: ReplayDependencies, message: NoticeReplayMessage): Promise<ReplayOutcome> {
  const { replays, sendReplays, sendRuns } = deps;
  const { organizationId, webhookId, replayId, after: before } = message;
  const key: WebhookKey = { organizationId, webhookId };
  const webhook = await replays.find(key);
  const { replay } = webhook ?? {};
  if (!webhook || replay?.replayId !== replayId || replay.state !== 'running') return 'replaced';
  const { from, to, planned } = replay;
  const sendNext = (after: string, soFar: number) =>
    sendReplays(organizationId, [{ ...key, replayId, after, planned: soFar }]);
  if (before !== replay.after) {
    if (before === replay.before && replay.after !== undefined) await sendNext(replay.after, planned);
    return 'repeated';
  }
  if (webhook.state === 'disabled') {
    await replays.progress(key, { replayId, planned, state: 'failed', before });
    return 'stopped';
  }
  const page = await deps.notices.page({ organizationId, from, to, after: before, limit: pageSize });
  const wanted = page.notices.filter((notice) => isReplayed(webhook, replay, notice));
  await plan(deps, webhook, wanted, replayId);
  const last = wanted.at(-1);
  // Names one of them, because the index of deliveries may not show the others yet.
  const deliveryKey = last && deliveryKeyOf({ createdAt: last.createdAt, noticeId: last.id });
  if (deliveryKey) await sendRuns(organizationId, [{ ...key, deliveryKey }]);
  const plannedSoFar = planned + wanted.length;
  const { after } = page;
  const state = after === undefined ? 'finished' : 'running';
  if (!(await replays.progress(key, { replayId, planned: plannedSoFar, state, after, before }))) return 'repeated';
  if (after === undefined) return 'finished';
  await sendNext(after, plannedSoFar);
  return 'planned';
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
