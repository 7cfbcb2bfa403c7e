import { log, withLogContext } from '#shared/runtime/logger.ts';
import { type Measured, recordMetrics } from '#shared/runtime/metrics.ts';
import { hasTimeLeft, type Timed } from '#shared/runtime/time-left.ts';
import type { Due, DueStore } from '#shared/use-cases/transcriptions/ports.ts';
import {
  type ReconcileDependencies,
  type Reconciled,
  reconcileTranscription,
} from '#shared/use-cases/transcriptions/reconcile-transcription.ts';

type Deps = ReconcileDependencies & { readonly due: DueStore };

/** The metrics of outcomes that mean a lost message, event or end. The other outcomes are routine. */
const measuredOf: Readonly<Record<Reconciled, Measured>> = {
  'sent-again': { JobsHealed: 1 },
  'result-sent': { JobsHealed: 1 },
  'given-up': { JobsGivenUp: 1, TranscriptionsFailed: 1 },
  settled: {},
  'cleaned-up': {},
  postponed: {},
  denied: {}, // an alarm tells of it if the transcription is given up
};

/**
 * Handles overdue transcriptions, shard by shard, until none is left or its time is up. The next run handles the rest. A
 * schedule invokes it, possibly late, and two runs may overlap. A failed transcription does not delay the others.
 */
export const createHandler = (deps: Deps) => async (_event: unknown, context: Timed) => {
  const counts = { handled: 0, failed: 0 };
  const reconcile = async (due: Due) => {
    try {
      const outcome = await reconcileTranscription(deps, due);
      log.info('overdue transcription', { outcome });
      recordMetrics(measuredOf[outcome]);
      counts.handled++;
    } catch (error) {
      log.error('overdue transcription failed', error);
      counts.failed++;
    }
  };
  for await (const due of deps.due.listDue((deps.now ?? (() => new Date()))())) {
    if (!hasTimeLeft(context)) break;
    const { organizationId, transcriptionId } = due;
    await withLogContext({ worker: 'reconcile-transcriptions', organizationId, transcriptionId }, () => reconcile(due));
  }
  log.info('reconciled', counts);
};
