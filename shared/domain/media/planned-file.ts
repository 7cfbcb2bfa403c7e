import type { FileLocation } from '#shared/contracts/events.ts';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import type { MediaContainer, MediaFacts, MediaSpan, OutputContainer } from './media-plan.ts';

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

/** What was found out about a file, or why it cannot be transcribed. */
export type Inspected =
  | { readonly file: FileVersion; readonly facts: MediaFacts }
  | {
      readonly refused: FailureCode;
      readonly file?: FileVersion | undefined;
      /** Its true length, if that is known. */
      readonly seconds?: number | undefined;
    };
