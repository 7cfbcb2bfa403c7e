import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import type { MediaContainer } from '#shared/domain/media/media-plan.ts';

/** Identifies a work, by the id of the transcription that began it. */
export type WorkKey = { readonly organizationId: OrganizationId; readonly workId: string };

/** Identifies a part of a work, by its number from 1. */
export type PartKey = WorkKey & { readonly part: number };

/** The states of a part. It changes from `waiting` to `running`, and once to `done` or `failed`. */
export const partStates = ['waiting', 'running', 'done', 'failed'] as const;
/** A state of a part. */
type PartState = (typeof partStates)[number];

/** One Transcribe job of a transcription that has several, or whose media had to be prepared. */
export type TranscriptionPart = PartKey & {
  readonly state: PartState;
  /** Whose microphone or screen it is. Null for a part of the mixed file. */
  readonly participantId: string | null;
  /** The stretch of the recording's clock, in seconds. */
  readonly from: number;
  readonly to: number;
  /** What Transcribe reads. None if nothing is left without silence, or if the part could not be prepared. */
  readonly file?: FileLocation | undefined;
  /** The container of that file, also if the file's name says another one. */
  readonly container?: MediaContainer | undefined;
  /** The seconds of that file: what Transcribe bills. */
  readonly submittedSeconds: number;
  readonly jobStartedAt?: string | undefined;
  /** Why it failed. */
  readonly failureCode?: FailureCode | undefined;
};

/** The head of a work that has parts. It exists from the moment at which the parts are planned. */
export type Work = WorkKey & {
  /** The key of the plan in the transcripts bucket. */
  readonly planKey: string;
  readonly partCount: number;
  /** How many parts are done or failed. */
  readonly endedParts: number;
  /** True once its parts count against the organization's ceiling. */
  readonly isCounted?: boolean | undefined;
};

/** True if the part is done or failed. It does not change any more. */
export function hasEnded({ state }: Pick<TranscriptionPart, 'state'>): boolean {
  return state === 'done' || state === 'failed';
}

/** The number of the part whose turn comes when this one has ended, if the work has that many. */
export function nextInTurn(part: number, partsAtOnce: number): number {
  return part + partsAtOnce;
}

/**
 * The waiting parts whose turn it is, in the order of the list: the first ones of the work, and those that follow a part that has ended. So
 * a work has about `partsAtOnce` jobs at a time.
 */
export function partsToStart(parts: readonly TranscriptionPart[], partsAtOnce: number): TranscriptionPart[] {
  const follows = new Set(parts.filter(hasEnded).map(({ part }) => nextInTurn(part, partsAtOnce)));
  return parts.filter(({ state, part }) => state === 'waiting' && (part <= partsAtOnce || follows.has(part)));
}
