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
} from '../common/fields.ts';
import { excludes, inPlainNames, isLater, sortsBy, spellingsOf } from '../common/query-rules.ts';
import { Speaker } from '../transcript/speaker.ts';
import {
  Transcription,
  TranscriptionState,
  TranscriptionType,
  transcriptFormats,
  transcriptionFilters,
  transcriptionSortFields,
} from './transcription.ts';
import { TranscriptionOptions } from './transcription-options.ts';

// What the operations on transcriptions take and return. Workers do not load it.

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
