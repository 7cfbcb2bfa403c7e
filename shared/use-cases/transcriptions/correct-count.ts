import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { type Pause, retry, tryAgain } from '#shared/runtime/retry.ts';
import type { CountCorrection } from './ports.ts';
import { dayCountRetries } from './refuse-transcription.ts';

/**
 * Makes a transcription count so many seconds. Returns the record as it is stored then, or why it was not changed. Does nothing if
 * it counts them already.
 */
export async function correctCount(
  { counts, pause }: { readonly counts: CountCorrection; readonly pause?: Pause | undefined },
  record: TranscriptionRecord,
  countedSeconds: number,
): Promise<TranscriptionRecord | 'exceeded' | 'ended'> {
  if (record.countedSeconds === countedSeconds) return record;
  const outcome = await retry(
    async () => {
      const corrected = await counts.correct(record, countedSeconds);
      return corrected === 'lost-race' ? tryAgain : corrected;
    },
    { ...dayCountRetries, pause },
  );
  return outcome === 'corrected' ? { ...record, countedSeconds } : outcome;
}
