import * as z from 'zod/mini';
import {
  Identifier,
  oneOf,
  pageOf,
  queryInteger,
  RoomName,
  sortOrder,
  Timestamp,
  UtcTimestamp,
  Uuid,
} from './fields.ts';
import { excludes, inPlainNames, isLater, sortsBy, spellingsOf } from './query-rules.ts';
import { Speaker } from './speaker.ts';
import { TranscriptionOptions } from './transcription-options.ts';

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

/** One transcription, with who speaks in it, and how it was made. Only a transcript that the service has made has `speakers` and `language`. */
export const TranscriptionDetail = z.extend(Transcription, {
  /** Everyone who speaks, in the order of their first turns. */
  speakers: z.optional(z.array(Speaker)),
  /** BCP 47, such as `en-US`. Null if the engine named no language. */
  language: z.optional(z.nullable(z.string())),
  /** All languages, the one that was spoken longest first. Only if several were heard. */
  languages: z.optional(z.array(z.string())),
  /** The options that took effect. A live transcription has none. */
  options: z.optional(TranscriptionOptions),
});
export type TranscriptionDetail = z.infer<typeof TranscriptionDetail>;

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

/** Body of create. */
export const CreateTranscription = z.object({ recordingId: Uuid, options: z.optional(TranscriptionOptions) });

const [byRoomName, ...otherFilters] = transcriptionFilters;
const earlierFilters = (index: number) => [byRoomName, 'roomName[exact]', ...otherFilters.slice(0, index)];
const started = spellingsOf('startDate');

/** Query of list. One index must answer all of it, so a combination without an index is refused. */
export const ListTranscriptions = inPlainNames(
  z
    .strictObject({
      roomName: z.optional(RoomName),
      'roomName[exact]': z.optional(RoomName),
      state: z.optional(TranscriptionState),
      type: z.optional(TranscriptionType),
      roomSessionId: z.optional(Uuid),
      recordingId: z.optional(Uuid),
      startDateFrom: z.optional(Timestamp),
      'startDate[from]': z.optional(Timestamp),
      startDateTo: z.optional(Timestamp),
      'startDate[to]': z.optional(Timestamp),
      cursor: z.optional(z.string()),
      limit: z._default(queryInteger(1, 100), 50),
      sortBy: z.prefault(sortOrder(transcriptionSortFields), 'startDate:desc'),
    })
    .check(
      ...otherFilters.map((name, index) => excludes(name, earlierFilters(index))),
      isLater(started.to, started.from),
      sortsBy('startDate', [...otherFilters, ...started.from, ...started.to]),
    ),
  { 'roomName[exact]': 'roomName', 'startDate[from]': 'startDateFrom', 'startDate[to]': 'startDateTo' },
);
export type ListTranscriptions = z.infer<typeof ListTranscriptions>;

/** One page of transcriptions. `cursor` is null on the last page. */
export const TranscriptionPage = pageOf(Transcription);
export type TranscriptionPage = z.infer<typeof TranscriptionPage>;

/** Path of the operations on one transcription. */
export const TranscriptionPath = z.strictObject({ transcriptionId: Uuid });

/** Path of a speaker. `speaker` is that of an element of `speakers`. */
export const SpeakerPath = z.strictObject({
  transcriptionId: Uuid,
  speaker: z.string().check(z.maxLength(64, 'must have at most 64 characters')),
});

/** Query of access-link. */
export const CreateAccessLink = z.strictObject({
  validForSeconds: z._default(queryInteger(1, 43_200), 3_600),
  format: z.optional(oneOf(transcriptFormats)),
});

/** A download link and its expiry in epoch milliseconds. */
export const AccessLink = z.object({ accessLink: z.string(), expires: z.int() });
export type AccessLink = z.infer<typeof AccessLink>;

/** Query of recording-link. */
export const CreateRecordingLink = z.strictObject({ participantId: z.optional(Identifier) });

/** A link to the file of a recording, and when it expires. `contentType` is a type of audio or video, if it is known. */
export const RecordingLink = z.object({
  url: z.string(),
  expiresAt: UtcTimestamp,
  contentType: z.optional(z.string()),
});
export type RecordingLink = z.infer<typeof RecordingLink>;

/** The token of a link of this API: 256 random bits in base64url. The last of its 43 characters has two bits that are zero. */
export const LinkToken = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be the token of a link'));

/** Path of a link of this API. */
export const LinkPath = z.strictObject({ token: LinkToken });

/** Maximum number of ids in one bulk delete. */
const maxBulkDeleteIds = 10_000;

/** Body of bulk delete. */
export const BulkDeleteTranscriptions = z.object({
  transcriptionIds: z
    .array(Uuid)
    .check(
      z.minLength(1, 'must name at least one transcription'),
      z.maxLength(maxBulkDeleteIds, `must name at most ${maxBulkDeleteIds} transcriptions`),
    ),
});
