import type { MissingSpan } from './transcription.ts';

/** The words of one speaker until another speaks. Times are seconds from the start of the recording, or from `clockStartDate`. */
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
  /** By their start. Turns of several tracks can overlap. */
  readonly turns: readonly Turn[];
  /** The length of the recording by its files. This field and the following ones: only of a transcription that was made in parts. */
  readonly recordedSeconds?: number | undefined;
  /** The date of time 0. It is not `startDate` if a track began before, or if a date is wrong. */
  readonly clockStartDate?: string | undefined;
  /** What the transcript lacks. */
  readonly missing?: readonly MissingSpan[] | undefined;
  /** True if a file has holes, so that times after the first one are not exact, or if a date is wrong. */
  readonly approximateTimes?: boolean | undefined;
  /** Who each speaker is. Only of a recording with a track for each participant. */
  readonly speakers?: readonly TrackSpeaker[] | undefined;
  /** What microphones heard of other speakers, for example from a loudspeaker. It is not in `turns`. Only of a recording with tracks. */
  readonly echoes?: readonly Turn[] | undefined;
};

/** A speaker of a recording with tracks: the microphone of a participant, or what their screen played. */
export type TrackSpeaker = {
  readonly speaker: string;
  readonly participantId: string;
  readonly source: 'microphone' | 'screen';
};
