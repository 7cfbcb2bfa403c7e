import { mixedFileLimits } from '../media/media-plan.ts';
import type { PlacedFile } from './parts/stretches.ts';

const { recordingSeconds } = mixedFileLimits;
/** Clocks of recorders differ. What begins so little before the recording does not move its clock. */
const toleranceSeconds = 1;
/** A clock that begins so far from the recording's `startDate` shows that a date is wrong. */
const wrongDateSeconds = 60;

/** Files on the clock of their recording, and the date of its time 0. */
export type Clock = { readonly placed: readonly PlacedFile[]; readonly clockStart: string };

/**
 * Moves files, whose offsets count from `startDate`, to the clock of the recording. It begins at `startDate`, or at the first file that
 * can be read if that one began before, or if from `startDate` on the files would last over 24 hours. A file outside of the 24 hours
 * that hold the most files has a wrong date: it is refused.
 */
export function onClock(files: readonly PlacedFile[], startDate: string): Clock {
  const readable = files.flatMap(({ facts, file }) => (facts ? [file] : []));
  const first = startOfMost(readable);
  if (first === undefined) return { placed: files, clockStart: startDate };
  const end = Math.max(...readable.filter(within(first)).map(({ offset, seconds }) => offset + seconds));
  const begin = first < -toleranceSeconds || end > recordingSeconds ? first : 0;
  const placed = files.map((each): PlacedFile => {
    const { participantId, isScreen, isApproximate, facts, file: before } = each;
    const file = { ...before, offset: Math.round((before.offset - begin) * 1000) / 1000 };
    if (!facts || within(first)(before)) return { ...each, file };
    return { participantId, isScreen, isApproximate, file, refused: 'recording_too_long' };
  });
  return { placed, clockStart: new Date(Date.parse(startDate) + begin * 1000).toISOString() };
}

/** Whether the clock of a recording begins so far from its `startDate` that one of the dates is wrong. */
export function hasWrongDate(startDate: string, clockStart: string): boolean {
  return Math.abs(Date.parse(clockStart) - Date.parse(startDate)) > wrongDateSeconds * 1000;
}

type Span = { readonly offset: number; readonly seconds: number };

/** The start of the 24 hours that hold the most files, and of several such, the one that is nearest to 0. Undefined without files. */
function startOfMost(files: readonly Span[]): number | undefined {
  const starts = [...new Set(files.map(({ offset }) => offset))];
  const counted = starts.map((start) => ({ start, count: files.filter(within(start)).length }));
  return counted.toSorted((one, other) => other.count - one.count || Math.abs(one.start) - Math.abs(other.start))[0]
    ?.start;
}

function within(start: number) {
  return ({ offset, seconds }: Span) => offset >= start && offset + seconds <= start + recordingSeconds;
}
