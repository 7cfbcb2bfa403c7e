import { mixedFileLimits } from '../media/media-plan.ts';
import type { TranscriptionPart } from './parts/transcription-part.ts';
import type { WorkPlan } from './parts/work-plan.ts';
import { billableSeconds, type TranscriptionRecord } from './transcription.ts';

/** Transcribe bills at least 15 seconds for each job (https://aws.amazon.com/transcribe/pricing/). So a recording with equal dates counts, too. */
const fewestSeconds = 15;

type Counted = Pick<TranscriptionRecord, 'startDate' | 'endDate' | 'workId' | 'countedSeconds'>;

/**
 * The seconds that a transcription of a recording counts against its organization's ceiling, on the day of its creation: those of the
 * dates, until they are corrected. None if it takes over a work, whose seconds are counted already.
 */
export function countedSeconds(record: Counted): number {
  if (record.countedSeconds !== undefined) return record.countedSeconds;
  return record.workId === undefined ? secondsOfDates(record) : 0;
}

/** The counted seconds of a transcription that fails. None if its job was started, or if the day of the count has ended. */
export function secondsToGiveBack(record: TranscriptionRecord, now: Date): number {
  const isSameDay = record.createdAt.slice(0, 10) === now.toISOString().slice(0, 10);
  return record.jobStartedAt === undefined && isSameDay ? countedSeconds(record) : 0;
}

/**
 * What the one job of a plain recording counts. Undefined if that is about what is counted already, so that no write is needed, or less: the
 * length of a file that is not read as a whole comes from its header or is an estimate, and a customer can make it say any.
 */
export function correctedSeconds(record: Counted, recordedSeconds: number): number | undefined {
  const seconds = billedSeconds(recordedSeconds);
  const counted = countedSeconds(record);
  // A taken-over work was counted by its dates, by the transcription that began it.
  if (record.workId !== undefined || seconds <= counted * 1.1) return undefined;
  return seconds;
}

/** The seconds that Transcribe bills for the one job of a plain recording: those of the file or, if they are not known, of the dates. */
export function billedOfJob({
  recordedSeconds,
  startDate,
  endDate,
}: Pick<TranscriptionRecord, 'recordedSeconds' | 'startDate' | 'endDate'>): number {
  return billedSeconds(recordedSeconds ?? billableSeconds(startDate, endDate ?? startDate));
}

/** The seconds that Transcribe bills for a work in parts. It bills no job that failed, and a part without a file had none. */
export function billedOfParts(
  parts: readonly Pick<TranscriptionPart, 'state' | 'file' | 'submittedSeconds'>[],
): number {
  return parts
    .filter(({ state, file }) => state === 'done' && file !== undefined)
    .reduce((sum, { submittedSeconds }) => sum + billedSeconds(submittedSeconds), 0);
}

/** The seconds of all parts, to the millisecond: the lengths of packets are fractions, whose sum is not exact. */
export function submittedOfParts(parts: readonly Pick<TranscriptionPart, 'submittedSeconds'>[]): number {
  const seconds = parts.reduce((sum, { submittedSeconds }) => sum + submittedSeconds, 0);
  return Math.round(seconds * 1000) / 1000;
}

/**
 * What the parts of a prepared work count. That is less than is counted already only if all of their files were prepared, and so
 * measured. A transcription that has taken the work over counts only what the one that began it has not: nothing if that
 * one had corrected its count.
 */
export function secondsOfParts(
  record: Counted,
  { sources }: Pick<WorkPlan, 'sources'>,
  parts: readonly TranscriptionPart[],
  isCounted = false,
): number {
  const seconds = parts.reduce(
    (sum, { file, submittedSeconds }) => sum + (file ? billedSeconds(submittedSeconds) : 0),
    0,
  );
  const isMeasured = sources.every(({ plan }) => plan.kind !== 'as_is');
  if (record.workId === undefined) return isMeasured ? seconds : Math.max(seconds, countedSeconds(record));
  return isCounted ? countedSeconds(record) : Math.max(0, seconds - secondsOfDates(record));
}

/** A recording of more than a day is refused by its files, so dates count a day at most. */
function secondsOfDates({ startDate, endDate }: Counted): number {
  return Math.min(mixedFileLimits.recordingSeconds, billedSeconds(billableSeconds(startDate, endDate ?? startDate)));
}

function billedSeconds(seconds: number): number {
  return Math.max(fewestSeconds, Math.ceil(seconds));
}
