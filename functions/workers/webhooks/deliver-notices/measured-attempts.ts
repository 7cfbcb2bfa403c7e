import type { Measured } from '#shared/runtime/metrics.ts';
import type { MadeAttempt } from '#shared/use-cases/webhooks/make-deliveries.ts';

/**
 * The metrics of the attempts of a run. The lag is that of the service: only first attempts count, and neither replays nor webhooks that
 * had failed before, whose deliveries wait for their receivers.
 */
export function measuredOf(attempts: readonly MadeAttempt[]): Measured {
  const count = (isCounted: (made: MadeAttempt) => boolean) => attempts.filter(isCounted).length;
  const counts = {
    DeliveriesMade: count(({ after }) => after.state === 'delivered'),
    DeliveriesFailed: count(({ answer }) => answer?.succeeded === false),
    DeliveriesGivenUp: count(({ after }) => after.state === 'failed'),
    WebhooksParked: count(({ parks }) => parks),
  };
  const lags = attempts
    .filter(({ after, answer, wasFailing }) => answer && after.attempts === 1 && !after.replayId && !wasFailing)
    .map(({ after }) => Math.max(0, Date.parse(after.lastAttemptAt ?? '') - Date.parse(after.createdAt)));
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([, value]) => value > 0)),
    ...(lags.length > 0 && { DeliveryLag: lags }),
  };
}
