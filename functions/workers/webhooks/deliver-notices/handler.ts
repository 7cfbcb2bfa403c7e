import { WebhookRunMessage } from '#shared/contracts/messages.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { log } from '#shared/runtime/logger.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import type { MadeAttempt } from '#shared/use-cases/webhooks/make-deliveries.ts';
import { type RunDependencies, runWebhook } from '#shared/use-cases/webhooks/run-webhook.ts';
import { measuredOf } from './measured-attempts.ts';

type Deps = Omit<RunDependencies, 'report'> & { readonly queue: WorkerQueue };

/**
 * Makes the deliveries of one webhook that are due. A message may come repeatedly, late, and while another one of the same webhook is
 * handled. If the process dies between a call and its storing, the receiver gets the notice again.
 */
export const createHandler = ({ queue, ...deps }: Deps) =>
  worker(
    {
      name: 'deliver-notices',
      schema: WebhookRunMessage,
      queue,
      factsOf: ({ organizationId, webhookId }) => ({ organizationId, webhookId }),
    },
    async (message) => {
      const attempts: MadeAttempt[] = [];
      const report = (made: MadeAttempt) => {
        attempts.push(made);
        logAttempt(made);
      };
      try {
        const outcome = await runWebhook({ ...deps, report }, message);
        if (outcome === 'disabled') recordMetrics({ WebhooksDisabled: 1 });
        log.info('webhook run', { outcome, attempts: attempts.length });
      } finally {
        recordMetrics(measuredOf(attempts));
      }
    },
  );

function logAttempt({ after, answer }: MadeAttempt): void {
  const { noticeId, state, attempts, failureCode, nextAttemptAt } = after;
  const { answerCode, latencyMs } = answer ?? {};
  log.info('delivery tried', {
    ...{ noticeId, state, attempts, failureCode: failureCode ?? undefined, nextAttemptAt },
    ...{ answerCode: answerCode ?? undefined, latencyMs: latencyMs ?? undefined },
  });
}
