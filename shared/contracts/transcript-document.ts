/** What one speaker said without being interrupted. Times are seconds from the recording's start. */
export type Turn = {
  readonly speaker: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
};

/** A transcript as its `json` file has it. */
export type TranscriptDocument = {
  readonly transcriptionId: string;
  readonly roomName: string;
  readonly roomSessionId: string;
  readonly startDate: string;
  readonly endDate: string | null;
  readonly durationInSeconds: number;
  /** BCP 47, such as `en-US`; null where the engine named none. */
  readonly languageCode: string | null;
  readonly turns: readonly Turn[];
};
