/** The words of one speaker until another speaks. Times are seconds from the start of the recording. */
export type Turn = {
  readonly speaker: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
};

/** The content of a transcript's `json` file. */
export type TranscriptDocument = {
  readonly transcriptionId: string;
  readonly roomName: string;
  readonly roomSessionId: string;
  readonly startDate: string;
  readonly endDate: string | null;
  readonly durationInSeconds: number;
  /** BCP 47, such as `en-US`. Null if the engine named no language. */
  readonly languageCode: string | null;
  readonly turns: readonly Turn[];
};
