import type { Failure } from '#shared/contracts/transcriptions/transcription.ts';
import { leftWorkDueAt } from '#shared/domain/transcriptions/parts/work.ts';
import { secondsToGiveBack } from '#shared/domain/transcriptions/recognized-seconds.ts';
import { isInProgress, type TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { type Pause, retry, tryAgain } from '#shared/runtime/retry.ts';
import type { TranscriptionRefusal, TranscriptionStore } from './ports.ts';

/** What `refuseTranscription` needs. */
export type RefusalDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'abandon'>;
  readonly refusal: TranscriptionRefusal;
  readonly now?: () => Date;
  readonly pause?: Pause;
};

/** How long to compete with others that count in the same day. */
export const dayCountRetries = {
  maxAttempts: 6,
  maxPauseMs: (failedAttempts: number) => 25 * 2 ** failedAttempts,
  exhausted: 'Too many concurrent requests count in the same day. The message comes again.',
} as const;

/**
 * Fails a transcription before it has cost anything, and gives its seconds back. It stays due, so that the reconciler removes what
 * is left. Returns false if it is no longer in progress.
 */
export async function refuseTranscription(
  { transcriptions, refusal, now = () => new Date(), pause }: RefusalDependencies,
  record: TranscriptionRecord,
  reason: Failure,
): Promise<boolean> {
  // An earlier delivery of the message may have started the job, and died before it could say so. Or another run prepares the media.
  const dueAt = leftWorkDueAt(record, now());
  let current = record;
  const { applied } = await retry(
    async () => {
      const seconds = secondsToGiveBack(current, now());
      if (seconds === 0) return transcriptions.abandon(current, reason, dueAt);
      const outcome = await refusal.abandonAndGiveBack(current, reason, dueAt, seconds);
      if (outcome === 'lost-race') return tryAgain;
      if (outcome.applied || !isInProgress(outcome.stored)) return outcome;
      current = outcome.stored; // another run has corrected what it counts
      return tryAgain;
    },
    { ...dayCountRetries, pause },
  );
  return applied;
}
