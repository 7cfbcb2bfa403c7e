import { HookMessage } from '#shared/contracts/messages.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { log } from '#shared/runtime/logger.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import { type TranslateHookDependencies, translateHook } from '#shared/use-cases/platforms/translate-hook.ts';

type Deps = TranslateHookDependencies & { readonly queue: WorkerQueue };

/** Turns the webhooks of platforms into events. A webhook may come repeatedly, late and in any order. */
export const createHandler = ({ queue, ...deps }: Deps) =>
  worker(
    {
      name: 'translate-hooks',
      schema: HookMessage,
      queue,
      factsOf: ({ organizationId, connectionId, key, offset }) => ({ organizationId, connectionId, key, offset }),
    },
    async (message, assertTimeLeft) => {
      const outcome = await translateHook(deps, message, assertTimeLeft);
      if (outcome.gone) {
        log.info('webhook dropped', { gone: outcome.gone });
        return;
      }
      const { events, isParked, failedJoins, dropped, foreignFiles } = outcome;
      log.info('webhook translated', { events, isParked });
      if (foreignFiles > 0) {
        log.warn('webhook named files that its connection may not name', undefined, { foreignFiles });
        recordMetrics({ HookFilesRefused: foreignFiles });
      }
      if (dropped > 0) {
        log.warn('webhook with events that are not valid', undefined, { dropped });
        recordMetrics({ HookEventsDropped: dropped });
      }
      if (isParked) recordMetrics({ HooksParked: 1 });
      if (failedJoins > 0) recordMetrics({ FailedJoins: failedJoins });
    },
  );
