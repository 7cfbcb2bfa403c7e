import type * as z from 'zod/mini';
import type * as errors from '../shared/contracts/common/errors.ts';
import type * as rowFormats from '../shared/contracts/common/row-formats.ts';
import type { endpoints } from '../shared/contracts/endpoints.ts';
import type * as insights from '../shared/contracts/insights/insights.ts';
import type * as network from '../shared/contracts/insights/session-network.ts';
import type * as usage from '../shared/contracts/insights/usage-days.ts';
import type * as notices from '../shared/contracts/notices.ts';
import type * as refused from '../shared/contracts/platforms/refused-events.ts';
import type * as speakers from '../shared/contracts/transcript/speaker.ts';
import type * as transcript from '../shared/contracts/transcriptions/transcript-document.ts';
import type * as transcriptions from '../shared/contracts/transcriptions/transcription.ts';
import type * as operations from '../shared/contracts/transcriptions/transcription-operations.ts';
import type * as webhooks from '../shared/contracts/webhooks/webhooks.ts';

type Endpoints = typeof endpoints;

/** The response body of each operation, if it has one. */
export type Answers = {
  readonly [Name in keyof Endpoints]: Endpoints[Name] extends { readonly response: infer Schema extends z.ZodMiniType }
    ? z.output<Schema>
    : undefined;
};

/** The query of each operation, if it has one. */
export type Queries = {
  readonly [Name in keyof Endpoints]: Endpoints[Name] extends { readonly query: infer Schema extends z.ZodMiniType }
    ? {
        [Key in keyof z.input<Schema>]: Key extends keyof z.output<Schema>
          ? z.output<Schema>[Key] extends number
            ? number | Extract<z.input<Schema>[Key], undefined>
            : z.input<Schema>[Key]
          : z.input<Schema>[Key];
      }
    : undefined;
};

/** The request body of each operation, if it has one. */
export type Bodies = {
  readonly [Name in keyof Endpoints]: Endpoints[Name] extends { readonly body: infer Schema extends z.ZodMiniType }
    ? z.input<Schema>
    : undefined;
};

/** A transcription. `null` is a value that is not known yet. `failure` exists only if `state` is `failed`. */
export type Transcription = z.infer<typeof transcriptions.Transcription>;
/** A transcription, with who speaks in it. `speakers` and `language` exist only of a ready transcript that the service has made. */
export type TranscriptionDetail = z.infer<typeof operations.TranscriptionDetail>;
/** Changes once, from `in_progress` to `ready` or `failed`. */
export type TranscriptionState = Transcription['state'];
/** Generated from a recording, or sent by the platform from a live session. */
export type TranscriptionType = Transcription['type'];
/** Whether the service stores the file, or your own bucket. */
export type StorageType = Transcription['storageType'];
/** Why a transcription failed: a stable code, and a message that says what to do next. */
export type Failure = z.infer<typeof transcriptions.Failure>;
/** A stretch of a recording that is not in the transcript, and why. */
export type MissingSpan = z.infer<typeof transcriptions.MissingSpan>;
/** The code of a failure. */
export type FailureCode = transcriptions.FailureCode;
/** A file format of transcripts. */
export type TranscriptFormat = transcriptions.TranscriptFormat;
/** The uninterrupted speech of one speaker. Times are seconds from the start of the recording, or from `clockStartDate`. */
export type Turn = transcript.Turn;
/** The content of a transcript's `json` file. */
export type TranscriptDocument = transcript.TranscriptDocument;
/** Who speaks in a transcript: the participant, if it is known, and how it is known. */
export type Speaker = speakers.Speaker;
/** A word with the punctuation after it. */
export type Word = transcript.Word;
/** A download link that needs no token, and its expiry in epoch milliseconds. */
export type AccessLink = z.infer<typeof operations.AccessLink>;

/** A link to the file of a recording, and when it expires. `contentType` is missing if it is not known to be audio or video. */
export type RecordingLink = z.infer<typeof operations.RecordingLink>;

/** A room with the totals of all its sessions. `null` is a value that is not known yet. */
export type RoomInsight = z.infer<typeof insights.RoomInsight>;
/** One session of a room. `endedAt` is null while the session continues. */
export type RoomSessionInsight = z.infer<typeof insights.RoomSessionInsight>;
/** A person in a session. `leftAt` is null while the person is there. */
export type SessionParticipant = z.infer<typeof insights.SessionParticipant>;
/** Whether figures rest on the platform's word alone, and what it did not tell. */
export type Completeness = z.infer<typeof insights.Completeness>;
/** What a participant did, and when. */
export type ParticipantEvent = z.infer<typeof insights.ParticipantEvent>;
/** One connection of a participant: its events, and four series of equal length, with one element per `sampleRateMs`, `null` if it has no sample. */
export type ParticipantSessionDetail = z.infer<typeof insights.ParticipantSessionDetail>;
/** The network of a session in one minute, over all participants. A figure without samples is `null`. */
export type SessionMinute = z.infer<typeof network.SessionMinute>;
/** What was used in a room on a day (UTC): minutes of ended sessions, and seconds that Amazon Transcribe bills. */
export type UsageDay = z.infer<typeof usage.UsageDay>;

/** An event that the service refused, and the reasons. `null` is an id that could not be read from the event. */
export type RefusedEvent = z.infer<typeof refused.RefusedEvent>;

/** What the service tells: that something has happened. `type` narrows `data`. A later version of the service can have other types. */
export type Notice = z.infer<typeof notices.Notice>;
/** A transcription was started. */
export type TranscriptionStartedNotice = Extract<Notice, { readonly type: 'transcription.started' }>;
/** A transcription is ready. */
export type TranscriptionFinishedNotice = Extract<Notice, { readonly type: 'transcription.finished' }>;
/** A transcription has failed. */
export type TranscriptionFailedNotice = Extract<Notice, { readonly type: 'transcription.failed' }>;
/** A transcription was deleted. */
export type TranscriptionDeletedNotice = Extract<Notice, { readonly type: 'transcription.deleted' }>;
/** Who speaks in a transcript was corrected. */
export type TranscriptionSpeakersChangedNotice = Extract<Notice, { readonly type: 'transcription.speakers.changed' }>;
/** A session has begun. */
export type RoomSessionStartedNotice = Extract<Notice, { readonly type: 'room.session.started' }>;
/** A session has ended, with all that insights show of it. */
export type RoomSessionEndedNotice = Extract<Notice, { readonly type: 'room.session.ended' }>;
/** A recording was reported. */
export type RecordingReceivedNotice = Extract<Notice, { readonly type: 'recording.received' }>;
/** A recording was refused. */
export type RecordingRefusedNotice = Extract<Notice, { readonly type: 'recording.refused' }>;
/** The service has disabled a webhook. */
export type WebhookDisabledNotice = Extract<Notice, { readonly type: 'webhook.disabled' }>;
/** The body of a test of a webhook, which is signed as a notice is. */
export type TestNotice = z.infer<typeof webhooks.TestNotice>;
/** A type of notices. */
export type NoticeType = Notice['type'];
/** An address that gets notices. */
export type Webhook = z.infer<typeof webhooks.Webhook>;
/** A webhook that was just created, with its secret, which is shown only now. */
export type CreatedWebhook = z.infer<typeof webhooks.CreatedWebhook>;
/** A new secret of a webhook, which is shown only now, and until when the previous one is used beside it. */
export type RotatedSecret = z.infer<typeof webhooks.RotatedSecret>;
/** What came of a test of a webhook. */
export type WebhookTest = z.infer<typeof webhooks.WebhookTest>;
/** One notice for one webhook, and what came of its last attempt. */
export type Delivery = z.infer<typeof webhooks.Delivery>;
/** Why a delivery failed. */
export type DeliveryFailureCode = webhooks.DeliveryFailureCode;
/** A replay of notices to a webhook, and how far it has come. */
export type Replay = z.infer<typeof webhooks.Replay>;

/** The recording to transcribe. */
export type CreateTranscription = Bodies['createTranscription'];
/** The filters and the order of a list of transcriptions. Use one exact filter at a time. */
export type ListTranscriptions = Queries['listTranscriptions'];
/** The format of the file, and the lifetime of the link. */
export type CreateAccessLink = Queries['createAccessLink'];
/** The participant whose track a link to the recording opens. Without one, it is the mixed file. */
export type CreateRecordingLink = Queries['createRecordingLink'];
/** Who a speaker is: either a `participantId` of the session, or a `displayName`. */
export type CorrectSpeaker = Bodies['correctSpeaker'];
/** The filters and the order of a list of rooms. */
export type ListRoomInsights = Queries['listRoomInsights'];
/** The room, the filters and the order of a list of sessions. */
export type ListRoomSessionInsights = Queries['listRoomSessionInsights'];
/** The session, the external id or both, by which participants are listed. */
export type ListParticipants = Queries['listParticipants'];
/** The participant, and the range of the samples (`from` and `to`). */
export type GetParticipant = Queries['getParticipant'];
/** The session, and the range of its minutes (`from` and `to`). */
export type GetSessionNetwork = Queries['getSessionNetwork'];
/** The days, the room and the page of a list of usage. Both days are included. */
export type ListUsage = Queries['listUsage'];
/** The page of a list of refused events. */
export type ListRefusedEvents = Queries['listRefusedEvents'];

/** The period and the page of a list of notices. `from` is included, `to` is not. */
export type ListNotices = Queries['listNotices'];
/** The address of a new webhook, and what it gets. Without `types`, it gets all notices. */
export type CreateWebhook = Bodies['createWebhook'];
/** The changes of a webhook. What is left out stays. */
export type UpdateWebhook = Bodies['updateWebhook'];
/** The page of a list of webhooks. */
export type ListWebhooks = Queries['listWebhooks'];
/** The page of a list of deliveries. */
export type ListDeliveries = Queries['listWebhookDeliveries'];
/** What to replay: one notice, by its id and time, or a period. */
export type ReplayWebhook = Bodies['replayWebhook'];

/** A format of rows: CSV (RFC 4180), or NDJSON, which has one JSON object in each line. */
export type RowFormat = rowFormats.RowFormat;

/** An error code of the API. Branch on it. */
export type ErrorCode = errors.ErrorCode;
/** One problem of an invalid request: the place, and what the value must be. */
export type ErrorIssue = z.infer<typeof errors.ErrorIssue>;
