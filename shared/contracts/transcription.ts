import * as z from 'zod/mini';
import { oneOf, pageOf, queryInteger, RoomName, sortOrder, Timestamp, UtcTimestamp, Uuid } from './fields.ts';
import { excludes, isLater, sortsBy } from './query-rules.ts';

/** The states of a transcription: `in_progress` ends, once, as `ready` or `failed`. */
export const TranscriptionState = oneOf(['in_progress', 'ready', 'failed']);

/** Why a transcription failed. Codes are stable: clients branch on them. */
export const failureCodes = [
  'unsupported_media',
  'media_unreadable',
  'recording_missing',
  'recording_too_long',
  'recording_too_large',
  'no_speech',
  'engine_error',
] as const;
/** One of the reasons. */
export type FailureCode = (typeof failureCodes)[number];

/** What a failed transcription says about itself: a stable code, and a sentence that says what to do next. */
export const Failure = z.object({ code: z.enum(failureCodes), message: z.string() });
export type Failure = z.infer<typeof Failure>;

/** Where the files are: kept by the service, or in a bucket of the customer's that the service does not touch. */
export const StorageType = z.enum(['SERVICE_HOSTED', 'SELF_HOSTED']);
export type StorageType = z.infer<typeof StorageType>;

/** Made from a recording, or handed in from a live session. */
export const TranscriptionType = oneOf(['LIVE_TRANSCRIPTION', 'RECORDING_TRANSCRIPTION']);
export type TranscriptionType = z.infer<typeof TranscriptionType>;

/** A transcription as the API shows it; `null` where a value is not known (yet). */
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
  failure: z.optional(Failure),
});
export type Transcription = z.infer<typeof Transcription>;

/** The formats a transcript can be downloaded in; all carry the same turns and speakers. */
export const transcriptFormats = ['md', 'txt', 'vtt', 'srt', 'json'] as const;
/** One of the formats. */
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** What a list of transcriptions can be narrowed to one value of; the table has indexes for each, and for no two of them. */
export const transcriptionFilters = ['roomName', 'state', 'type', 'roomSessionId', 'recordingId'] as const;
/** One of them. */
export type TranscriptionFilter = (typeof transcriptionFilters)[number];

/** The fields that transcriptions can be sorted by; the table has an index for each, with and without a room name. */
export const transcriptionSortFields = ['startDate', 'roomName', 'durationInSeconds'] as const;
/** One of the fields. */
export type TranscriptionSortField = (typeof transcriptionSortFields)[number];

/** Body of create. */
export const CreateTranscription = z.object({ recordingId: Uuid });

/** Query of list. All of it is answered by one index, so what no index answers is refused. */
export const ListTranscriptions = z
  .strictObject({
    roomName: z.optional(RoomName),
    state: z.optional(TranscriptionState),
    type: z.optional(TranscriptionType),
    roomSessionId: z.optional(Uuid),
    recordingId: z.optional(Uuid),
    startDateFrom: z.optional(Timestamp),
    startDateTo: z.optional(Timestamp),
    cursor: z.optional(z.string()),
    limit: z._default(queryInteger(1, 100), 50),
    sortBy: z.prefault(sortOrder(transcriptionSortFields), 'startDate:desc'),
  })
  .check(
    ...transcriptionFilters.slice(1).map((name, index) => excludes(name, transcriptionFilters.slice(0, index + 1))),
    isLater('startDateTo', 'startDateFrom'),
    sortsBy('startDate', [...transcriptionFilters.slice(1), 'startDateFrom', 'startDateTo']),
  );
export type ListTranscriptions = z.infer<typeof ListTranscriptions>;

/** One page; `cursor` is null on the last. */
export const TranscriptionPage = pageOf(Transcription);
export type TranscriptionPage = z.infer<typeof TranscriptionPage>;

/** Path of the operations on one transcription. */
export const TranscriptionPath = z.strictObject({ transcriptionId: Uuid });

/** Query of access-link. S3 allows no link over seven days; ours end at 12 hours. */
export const CreateAccessLink = z.strictObject({
  validForSeconds: z._default(queryInteger(1, 43_200), 3_600),
  format: z.optional(oneOf(transcriptFormats)),
});

/** A download link and the moment it stops working, in epoch milliseconds. */
export const AccessLink = z.object({ accessLink: z.string().check(z.regex(/^https?:\/\//)), expires: z.int() });
export type AccessLink = z.infer<typeof AccessLink>;

/** The most ids that one bulk delete takes. */
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
