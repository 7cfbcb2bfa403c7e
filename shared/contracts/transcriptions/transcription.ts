import * as z from 'zod/mini';
import { oneOf, UtcTimestamp, Uuid } from '../common/fields.ts';

/**
 * The states of a transcription. It changes once, from `in_progress` to `ready` or `failed`. Only a live transcription that failed
 * with `end_not_reported` changes again if its end arrives.
 */
export const TranscriptionState = oneOf(['in_progress', 'ready', 'failed']);

/** The reasons for which a transcription fails. Codes are stable, because clients branch on them. */
export const failureCodes = [
  'unsupported_media',
  'media_unreadable',
  'media_encrypted',
  'no_audio',
  'recording_missing',
  'recording_too_long',
  'recording_too_large',
  'too_many_tracks',
  'not_two_channels',
  'too_many_minutes',
  'no_speech',
  'vocabulary_not_found',
  'end_not_reported',
  'engine_not_enabled',
  'engine_access_denied',
  'engine_error',
] as const;
/** A reason for which a transcription failed. */
export type FailureCode = (typeof failureCodes)[number];

/** Why a transcription failed: a stable code, and a sentence that says what to do next. */
export const Failure = z.object({ code: z.enum(failureCodes), message: z.string() });
export type Failure = z.infer<typeof Failure>;

/**
 * A stretch of a recording that is not in the transcript, in seconds on the clock of the transcript, and why. `participantId` is null for
 * a mixed file, which has no `source`.
 */
export const MissingSpan = z.object({
  participantId: z.nullable(z.string()),
  source: z.optional(z.enum(['microphone', 'screen'])),
  from: z.number(),
  to: z.number(),
  code: z.enum(failureCodes),
});
export type MissingSpan = z.infer<typeof MissingSpan>;

/** Who stores the files: the service, or the customer in a bucket that the service does not touch. */
export const StorageType = z.enum(['SERVICE_HOSTED', 'SELF_HOSTED']);
export type StorageType = z.infer<typeof StorageType>;

/** The source of a transcription: a recording, or a live session that was transcribed elsewhere. */
export const TranscriptionType = oneOf(['LIVE_TRANSCRIPTION', 'RECORDING_TRANSCRIPTION']);
export type TranscriptionType = z.infer<typeof TranscriptionType>;

/** A transcription in API responses. A value that is not known (yet) is `null`. */
export const Transcription = z.object({
  transcriptionId: Uuid,
  roomSessionId: Uuid,
  roomName: z.string(),
  createdAt: UtcTimestamp,
  startDate: UtcTimestamp,
  endDate: z.nullable(UtcTimestamp),
  state: TranscriptionState,
  durationInSeconds: z.int().check(z.nonnegative()),
  type: TranscriptionType,
  filename: z.nullable(z.string()),
  storageType: StorageType,
  /** The length of the recording by its files. Not known before the files were looked at. */
  recordedSeconds: z.optional(z.number().check(z.nonnegative())),
  /** The seconds of all files that were given to the engine: more than recorded where pieces overlap, less where silence was left out. */
  submittedSeconds: z.optional(z.number().check(z.nonnegative())),
  /** What the transcript lacks: the first stretches, as many as a row has space for. Only if something is missing. */
  missing: z.optional(z.array(MissingSpan)),
  /** True if a file has holes, so that times after the first one are not exact, or if a date is wrong. */
  approximateTimes: z.optional(z.boolean()),
  failure: z.optional(Failure),
});
export type Transcription = z.infer<typeof Transcription>;

/** The download formats of a transcript. All have the same turns and speakers. */
export const transcriptFormats = ['md', 'txt', 'vtt', 'srt', 'json'] as const;
/** A download format of a transcript. */
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** The fields by which a list of transcriptions can be filtered, one at a time. The table has indexes for each field alone. */
export const transcriptionFilters = ['roomName', 'state', 'type', 'roomSessionId', 'recordingId'] as const;
/** A field by which transcriptions can be filtered. */
export type TranscriptionFilter = (typeof transcriptionFilters)[number];

/** The fields by which transcriptions can be sorted. The table has an index for each, with and without a room name. */
export const transcriptionSortFields = ['startDate', 'roomName', 'durationInSeconds'] as const;
/** A field by which transcriptions can be sorted. */
export type TranscriptionSortField = (typeof transcriptionSortFields)[number];
