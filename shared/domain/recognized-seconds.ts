import { maxRecordingSeconds } from './failures.ts';
import { billableSeconds, type TranscriptionRecord } from './transcription.ts';

/** Transcribe bills at least 15 seconds for each job (https://aws.amazon.com/transcribe/pricing/). So a recording with equal dates counts, too. */
const fewestSeconds = 15;

/**
 * The seconds that a transcription of a recording counts against its organization's ceiling, on the day of its creation. None if the
 * recording is refused for its length, or if the transcription takes over a job.
 */
export function countedSeconds({
  startDate,
  endDate,
  workId,
}: Pick<TranscriptionRecord, 'startDate' | 'endDate' | 'workId'>): number {
  const seconds = billableSeconds(startDate, endDate ?? startDate);
  return seconds > maxRecordingSeconds || workId !== undefined ? 0 : Math.max(fewestSeconds, seconds);
}

/** The counted seconds of a transcription that fails. None if its job was started, or if the day of the count has ended. */
export function secondsToGiveBack(record: TranscriptionRecord, now: Date): number {
  const isSameDay = record.createdAt.slice(0, 10) === now.toISOString().slice(0, 10);
  return record.jobStartedAt === undefined && isSameDay ? countedSeconds(record) : 0;
}
