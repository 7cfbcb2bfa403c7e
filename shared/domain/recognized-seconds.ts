import { maxRecordingSeconds } from './failures.ts';
import { billableSeconds, type TranscriptionRecord } from './transcription.ts';

/** Transcribe has billed each job for at least 15 seconds. So a recording whose dates are equal also counts. */
const fewestSeconds = 15;

/** The seconds that a transcription of a recording counts against its organization's ceiling. A recording that is refused for its length counts none. */
export function countedSeconds({ startDate, endDate }: Pick<TranscriptionRecord, 'startDate' | 'endDate'>): number {
  const seconds = billableSeconds(startDate, endDate ?? startDate);
  return seconds > maxRecordingSeconds ? 0 : Math.max(fewestSeconds, seconds);
}
