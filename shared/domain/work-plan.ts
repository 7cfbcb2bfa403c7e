import type { FileLocation } from '../contracts/events.ts';
import type { FailureCode } from '../contracts/transcription.ts';
import type { MediaContainer, MediaSpan, OutputContainer } from './media-plan.ts';

/** One version of a file. */
export type FileVersion = FileLocation & {
  readonly bytes: number;
  readonly etag: string;
};

/** One version of a file, and where it lies on the clock of the recording. */
export type PlannedFile = FileVersion & {
  /** The time of its beginning, in seconds of the recording's clock. Below 0 if it began a little before the recording. */
  readonly offset: number;
  /** Its true length. */
  readonly seconds: number;
};

/** What is done with the files of a source. Spans are seconds from the beginning of the first file. */
export type SourcePlan =
  /** One file that Transcribe takes as it is: one part. */
  | { readonly kind: 'as_is'; readonly container: MediaContainer; readonly seconds: number }
  /** Files that are joined and cut into pieces: one part for each piece. */
  | { readonly kind: 'prepare'; readonly output: OutputContainer; readonly pieces: readonly MediaSpan[] }
  /** Files that cannot be transcribed: one part, which has failed. */
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly seconds: number };

/** The mixed file of a recording, or files of one participant that are joined into one stretch. */
export type PlannedSource = {
  /** Whose microphone or screen it is. Null for the mixed file. */
  readonly participantId: string | null;
  /** True for what a participant's screen played. It is a speaker of its own. */
  readonly isScreen: boolean;
  readonly files: readonly PlannedFile[];
  readonly plan: SourcePlan;
  /** The number of its first part. The others follow. */
  readonly firstPart: number;
  /** True if a file is not as long as its dates say, so that times after a hole are not exact. */
  readonly isApproximate: boolean;
};

/** What a work consists of. It is decided once and never changes, so every run makes the same parts. */
export type WorkPlan = {
  readonly sources: readonly PlannedSource[];
  readonly partCount: number;
  /** The length of the recording by its files. */
  readonly recordedSeconds: number;
  /** The date of time 0 of the clock. */
  readonly clockStart: string;
  /** True if the clock begins so far from the recording's `startDate` that one of the dates is wrong. */
  readonly hasWrongDate: boolean;
};
