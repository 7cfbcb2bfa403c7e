import type { FileLocation } from '#shared/contracts/events.ts';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { failureCodeOf } from '#shared/domain/media/media-failure.ts';
import {
  type MediaLimits,
  mixedFileLimits,
  planMedia,
  planPieces,
  trackLimits,
} from '#shared/domain/media/media-plan.ts';
import type { Inspected, SourcePlan } from '#shared/domain/media/planned-file.ts';
import { maxTracks } from '../recording.ts';
import { type Clock, hasWrongDate, onClock } from '../recording-clock.ts';
import { type PlacedFile, type Stretch, stretchesOf } from './stretches.ts';
import type { PlannedSource, WorkPlan } from './work-plan.ts';

/** A file of a recording: its mixed file, or a track. */
export type SourceFile = {
  /** Whose microphone or screen it is. Null for the mixed file. */
  readonly participantId: string | null;
  readonly isScreen: boolean;
  readonly location: FileLocation;
  readonly startDate: string;
  readonly endDate?: string | undefined;
};

/** A file of a recording, and what was found out about it. */
export type InspectedFile = SourceFile & { readonly inspected: Inspected };

/** The longest pieces of a mixed file and of tracks, in seconds. */
export type PieceSeconds = { readonly mixed: number; readonly track: number };

/** What a stage and the options of a transcription allow. `channels` is how many channels a mixed file must have, if that matters. */
export type WorkLimits = PieceSeconds & { readonly channels?: number | undefined };

const { recordingSeconds, recordingBytes, jobSeconds } = mixedFileLimits;
const mostParticipants = 100;
const mostParts = 1000;
/** Clocks and rounding. A larger difference is a hole, or a wrong date. */
const toleranceSeconds = 1;

/** Why a recording has too many files, before any of them is read. */
export function refusalOfFiles(files: readonly Pick<SourceFile, 'participantId'>[]): FailureCode | undefined {
  const participants = new Set(files.map(({ participantId }) => participantId)).size;
  return files.length > maxTracks || participants > mostParticipants ? 'too_many_tracks' : undefined;
}

/** The file, refused if its audio cannot be transcribed. */
export function checked(source: InspectedFile, pieces: WorkLimits): InspectedFile {
  const { participantId, inspected } = source;
  if ('refused' in inspected) return source;
  const { file, facts } = inspected;
  const plan = planMedia(facts, limitsOf(participantId, pieces));
  if (plan.kind !== 'refused') return source;
  const seconds = facts.seconds > 0 ? facts.seconds : undefined;
  return { ...source, inspected: { refused: failureCodeOf(plan.code), file, seconds } };
}

/**
 * Plans the parts of a work, or refuses the whole of it. The same files have the same plan. `startDate` is the recording's. A screen
 * without audio is no part: nothing of it is missing.
 */
export function planWork(
  startDate: string,
  files: readonly InspectedFile[],
  pieces: WorkLimits,
): WorkPlan | { readonly refused: FailureCode } {
  const refused = refusalOfFiles(files);
  if (refused) return { refused };
  const all = files.map((file) => place(checked(file, pieces), Date.parse(startDate)));
  if (all.reduce((sum, { file }) => sum + file.bytes, 0) > recordingBytes) return { refused: 'recording_too_large' };
  const heard = all.filter((placed) => !(placed.isScreen && isRefused(placed, 'no_audio')));
  if (heard.length === 0) return { refused: 'no_audio' };
  if (heard.every((placed) => isRefused(placed, 'recording_too_long'))) return { refused: 'recording_too_long' };
  const clock = onClock(heard, startDate);
  const plan = plannedWith(startDate, clock, pieces);
  if (plan.partCount <= mostParts) return plan;
  // Longer pieces take longer, but are fewer.
  const longest = plannedWith(startDate, clock, { ...pieces, mixed: jobSeconds, track: jobSeconds });
  return longest.partCount <= mostParts ? longest : { refused: 'too_many_tracks' };
}

/** Whether a file is not as long as its dates say: it has holes, or a date is wrong. */
export function isApproximate(seconds: number, startDate: string, endDate: string | null | undefined): boolean {
  if (endDate === null || endDate === undefined) return false;
  return Math.abs(seconds - secondsBetween(startDate, endDate)) > toleranceSeconds;
}

/** A file with its place after `from`. One that is refused has the length of its dates, unless its true length is known. */
function place({ inspected, ...source }: InspectedFile, from: number): PlacedFile {
  const { participantId, isScreen, location, startDate, endDate } = source;
  // The mixed file is the recording, so it begins with it.
  const offset = participantId === null ? 0 : (Date.parse(startDate) - from) / 1000;
  const whose = { participantId, isScreen };
  if ('refused' in inspected) {
    const length = inspected.seconds ?? secondsBetween(startDate, endDate ?? startDate);
    const placed = { offset, seconds: Math.min(recordingSeconds, length) };
    const file = { ...location, bytes: 0, etag: '', ...inspected.file, ...placed };
    return { ...whose, file, refused: inspected.refused, isApproximate: false };
  }
  const { facts } = inspected;
  const file = { ...inspected.file, offset, seconds: facts.seconds };
  return { ...whose, file, facts, isApproximate: isApproximate(facts.seconds, startDate, endDate) };
}

function isRefused({ facts, ...placed }: PlacedFile, code: FailureCode): boolean {
  return 'refused' in placed && placed.refused === code;
}

function secondsBetween(startDate: string, endDate: string): number {
  return Math.max(0, (Date.parse(endDate) - Date.parse(startDate)) / 1000);
}

/** From time 0, or an earlier file, to the end of the last file that can be read. */
function lengthOf(placed: readonly PlacedFile[]): number {
  const readable = placed.flatMap(({ facts, file }) => (facts ? [file] : []));
  const from = Math.min(0, ...readable.map(({ offset }) => offset));
  return Math.max(0, ...readable.map(({ offset, seconds }) => offset + seconds)) - from;
}

function plannedWith(startDate: string, { placed, clockStart }: Clock, pieces: WorkLimits): WorkPlan {
  const sources: PlannedSource[] = [];
  let firstPart = 1;
  for (const stretch of stretchesOf(placed, pieces.track)) {
    const source = sourceOf(stretch, firstPart, pieces);
    sources.push(source);
    firstPart += partsOf(source.plan);
  }
  const recordedSeconds = Math.round(lengthOf(placed) * 1000) / 1000;
  const facts = { recordedSeconds, clockStart, hasWrongDate: hasWrongDate(startDate, clockStart) };
  return { sources, partCount: firstPart - 1, ...facts };
}

/** The limits of a mixed file in a stage, and of how many channels: a file that is longer than a piece is cut, so that its pieces are recognized side by side. */
export function limitsOfMixedFile(pieceSeconds: number, channels?: number): MediaLimits {
  return { ...mixedFileLimits, pieceSeconds, jobSeconds: Math.min(jobSeconds, pieceSeconds), channels };
}

function limitsOf(participantId: string | null, { mixed, track, channels }: WorkLimits): MediaLimits {
  return participantId === null ? limitsOfMixedFile(mixed, channels) : { ...trackLimits, pieceSeconds: track };
}

/** How many parts a source has. */
export function partsOf(plan: SourcePlan): number {
  return plan.kind === 'prepare' ? plan.pieces.length : 1;
}

function sourceOf(stretch: Stretch, firstPart: number, pieces: WorkLimits): PlannedSource {
  const [{ participantId, isScreen }] = stretch;
  const files = stretch.map(({ file }) => file);
  const source = { participantId, isScreen, files, plan: planOf(stretch, limitsOf(participantId, pieces)), firstPart };
  return { ...source, isApproximate: stretch.some((placed) => placed.isApproximate) };
}

function planOf([first, ...others]: Stretch, limits: MediaLimits): SourcePlan {
  const { seconds, offset } = first.file;
  if (!first.facts) return { kind: 'refused', code: first.refused, seconds };
  const last = others.at(-1)?.file;
  const bytes = [first, ...others].reduce((sum, { file }) => sum + file.bytes, 0);
  const joined = last && planPieces(first.facts.audio[0], last.offset + last.seconds - offset, limits, bytes);
  const plan = joined ?? planMedia(first.facts, limits);
  if (plan.kind === 'refused') return { kind: 'refused', code: failureCodeOf(plan.code), seconds };
  return plan.kind === 'as_is' ? { ...plan, seconds } : plan;
}
