import * as z from 'zod/mini';
import { UtcTimestamp, Uuid } from '../common/fields.ts';
import { fraction, Speaker } from '../transcript/speaker.ts';
import { MissingSpan } from './transcription.ts';

const seconds = z.number().check(z.nonnegative());
const count = z.int().check(z.nonnegative());

/** A word as it is written, with the punctuation after it. `confidence` is null if the engine does not say how sure it is. */
export const Word = z.object({
  text: z.string(),
  startSeconds: seconds,
  endSeconds: seconds,
  confidence: z.nullable(fraction),
});
export type Word = z.infer<typeof Word>;

/**
 * The words of one speaker until another speaks. `speaker` is that of an element of `speakers`. Times are seconds from the start of the
 * recording, or from `clockStartDate`.
 */
export const Turn = z.object({
  speaker: z.string(),
  startSeconds: seconds,
  endSeconds: seconds,
  text: z.string(),
  words: z.array(Word),
});
export type Turn = z.infer<typeof Turn>;

/** The content of a transcript's `json` file. */
export const TranscriptDocument = z.object({
  transcriptionId: Uuid,
  roomName: z.string(),
  roomSessionId: Uuid,
  startDate: UtcTimestamp,
  endDate: z.nullable(UtcTimestamp),
  durationInSeconds: count,
  /** BCP 47, such as `en-US`. Null if the engine named no language. */
  languageCode: z.nullable(z.string()),
  /** All languages, the one that was spoken longest first. Only if several were heard. */
  languages: z.optional(z.array(z.string())),
  /** The length of the recording by its files. This field and the following three: only of a transcription that was made in parts. */
  recordedSeconds: z.optional(seconds),
  /** The date of time 0. It is not `startDate` if a track began before, or if a date is wrong. */
  clockStartDate: z.optional(UtcTimestamp),
  /** What the transcript lacks. */
  missing: z.optional(z.array(MissingSpan)),
  /** True if a file has holes, so that times after the first one are not exact, or if a date is wrong. */
  approximateTimes: z.optional(z.boolean()),
  /** Everyone who speaks, in the order of their first turns. */
  speakers: z.array(Speaker),
  /** By their start. Turns of several tracks can overlap. */
  turns: z.array(Turn),
  /** What microphones heard of other speakers, for example from a loudspeaker. It is not in `turns`. Only of a recording with tracks or `channels`. */
  echoes: z.optional(z.array(Turn)),
});
export type TranscriptDocument = z.infer<typeof TranscriptDocument>;
