import { inChunks } from '#shared/runtime/chunk.ts';
import type { NoticeKey, NoticeStore } from '../notices/ports.ts';
import type { DueWebhookStore, SendRuns } from './delivery-ports.ts';
import { type RelayDependencies, type Relayed, relayNotices } from './relay-notices.ts';

/** What sweeping needs. */
export type SweepDependencies = RelayDependencies & {
  readonly notices: NoticeStore;
  readonly due: DueWebhookStore;
  readonly sendRuns: SendRuns;
  readonly now?: () => Date;
};

const noticesAtOnce = 50;
const webhooksAtOnce = 20;
/** When a webhook is due again if the message that asks for its run is lost. */
const dueAgainMs = 5 * 60_000;

/** What a sweep has done. `oldest`: when the oldest notice was made that was due. */
export type Swept = {
  readonly healed: number;
  readonly oldest?: string | undefined;
  readonly failed: number;
  readonly runs: number;
  readonly error?: unknown;
};

/** Relays the notices that were not relayed in time. `mayGoOn` says whether there is time for more. */
export async function sweepNotices(
  deps: Pick<SweepDependencies, 'notices' | 'now'> & RelayDependencies,
  mayGoOn: () => boolean,
): Promise<Pick<Swept, 'healed' | 'oldest' | 'failed' | 'error'>> {
  const { notices, now = () => new Date() } = deps;
  const outcomes: Relayed[] = [];
  let oldest: string | undefined;
  for await (const keys of inChunks(notices.listDue(now()), noticesAtOnce)) {
    for (const { createdAt } of keys) if (oldest === undefined || createdAt < oldest) oldest = createdAt;
    if (!mayGoOn()) break;
    const relay = async (some: readonly NoticeKey[]) => relayNotices(deps, [...(await notices.findAll(some)).values()]);
    try {
      outcomes.push(await relay(keys));
    } catch {
      // A notice that cannot be read holds up no others.
      for (const key of keys) outcomes.push(await relay([key]).catch(unread));
    }
  }
  const sum = (count: (outcome: Relayed) => number) => outcomes.reduce((total, outcome) => total + count(outcome), 0);
  return {
    healed: sum(({ relayed }) => relayed.length),
    oldest,
    failed: sum(({ failed, unmarked }) => failed.length + unmarked),
    error: outcomes.find(({ error }) => error !== undefined)?.error,
  };
}

const unread = (error: unknown): Relayed => ({ relayed: [], failed: [], unmarked: 1, error });

/** Asks for runs of the webhooks whose time has come. Each is due again after minutes, until a run has ended. */
export async function sweepWebhooks(
  { due, sendRuns, now = () => new Date() }: Pick<SweepDependencies, 'due' | 'sendRuns' | 'now'>,
  mayGoOn: () => boolean,
): Promise<Pick<Swept, 'runs' | 'failed' | 'error'>> {
  let [runs, failed]: [number, number] = [0, 0];
  let lastError: unknown;
  for await (const some of inChunks(due.listDue(now()), webhooksAtOnce)) {
    if (!mayGoOn()) break;
    const until = new Date(now().getTime() + dueAgainMs).toISOString();
    const asked = some.map(async (webhook) => {
      const { organizationId, webhookId } = webhook;
      await sendRuns(organizationId, [{ organizationId, webhookId }]);
      await due.postpone(webhook, until);
    });
    for (const outcome of await Promise.allSettled(asked)) {
      if (outcome.status === 'fulfilled') runs += 1;
      else {
        failed += 1;
        lastError = outcome.reason;
      }
    }
  }
  return { runs, failed, error: lastError };
}
