import type { PlannedFile, SourcePlan } from '#shared/domain/media/planned-file.ts';

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
