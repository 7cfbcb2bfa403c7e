import { log, withLogContext } from '#shared/runtime/logger.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import { hasTimeLeft, type Timed } from '#shared/runtime/time-left.ts';
import {
  type SweepDependencies,
  type Swept,
  sweepNotices,
  sweepWebhooks,
} from '#shared/use-cases/webhooks/sweep-notices.ts';

/**
 * Relays notices that the stream has lost, and asks for runs of webhooks whose time has come, until none is left or its time is up. The
 * next run handles the rest. Two runs may overlap: what is sent twice is told apart by its receiver.
 */
export const createHandler = (deps: SweepDependencies) => (_event: unknown, context: Timed) =>
  withLogContext({ worker: 'sweep-notices' }, async () => {
    const mayGoOn = () => hasTimeLeft(context);
    const { now = () => new Date() } = deps;
    const webhooks = await outcomeOf(() => sweepWebhooks(deps, mayGoOn));
    const notices = await outcomeOf(() => sweepNotices(deps, mayGoOn));
    const error = webhooks.error ?? notices.error;
    const { runs = 0, healed = 0, oldest } = { ...webhooks, ...notices };
    if (healed > 0) recordMetrics({ NoticesHealed: healed });
    if (oldest !== undefined) recordMetrics({ NoticeAge: (now().getTime() - Date.parse(oldest)) / 1000 });
    if (error !== undefined) log.error('sweep failed in part', error);
    log.info('notices swept', { healed, runs, failed: webhooks.failed + notices.failed });
  });

type Outcome = Partial<Swept> & { readonly failed: number };

/** Neither part holds up the other one. */
async function outcomeOf(sweep: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await sweep();
  } catch (error) {
    return { failed: 1, error };
  }
}
