import type * as z from 'zod/mini';
import type { endpoints } from '../shared/contracts/endpoints.ts';
import type * as errors from '../shared/contracts/errors.ts';
import type * as insights from '../shared/contracts/insights.ts';
import type * as transcript from '../shared/contracts/transcript-document.ts';
import type * as transcriptions from '../shared/contracts/transcription.ts';

type Endpoints = typeof endpoints;

/** What each operation answers with, if it answers with a body. */
export type Answers = {
  readonly [Name in keyof Endpoints]: Endpoints[Name] extends { readonly response: infer Schema extends z.ZodMiniType }
    ? z.output<Schema>
    : undefined;
};

/** The query that each operation takes. */
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

/** The body that each operation takes. */
export type Bodies = {
  readonly [Name in keyof Endpoints]: Endpoints[Name] extends { readonly body: infer Schema extends z.ZodMiniType }
    ? z.input<Schema>
    : undefined;
};

/** A transcription; `null` where a value is not known (yet), `failure` where its `state` is `failed`. */
export type Transcription = z.infer<typeof transcriptions.Transcription>;
/** `in_progress` ends, once, as `ready` or `failed`. */
export type TranscriptionState = Transcription['state'];
/** Made from a recording, or handed in from a live session. */
export type TranscriptionType = Transcription['type'];
/** Where a transcription's file is: kept by the service, or in a bucket of the customer's. */
export type StorageType = Transcription['storageType'];
/** Why a transcription failed: a stable code, and a sentence that says what to do next. */
export type Failure = z.infer<typeof transcriptions.Failure>;
/** One of the reasons. */
export type FailureCode = transcriptions.FailureCode;
/** A format that a transcript can be downloaded in. */
export type TranscriptFormat = transcriptions.TranscriptFormat;
/** What one speaker said without being interrupted. Times are seconds from the recording's start. */
export type Turn = transcript.Turn;
/** A transcript as its `json` file has it. */
export type TranscriptDocument = transcript.TranscriptDocument;
/** A download link that needs no token, and the moment it stops working, in epoch milliseconds. */
export type AccessLink = z.infer<typeof transcriptions.AccessLink>;

/** A room over all its sessions; `null` where a value is not known (yet). */
export type RoomInsight = z.infer<typeof insights.RoomInsight>;
/** One session of a room; `endedAt` is null while it lasts. */
export type RoomSessionInsight = z.infer<typeof insights.RoomSessionInsight>;
/** A person in a session; `leftAt` is null while they are there. */
export type SessionParticipant = z.infer<typeof insights.SessionParticipant>;
/** One connection of a participant: four series of equal length, one element per `sampleRateMs`, `null` where none arrived. */
export type ParticipantSessionDetail = z.infer<typeof insights.ParticipantSessionDetail>;

/** What is transcribed. */
export type CreateTranscription = Bodies['createTranscription'];
/** Which transcriptions, in which order; one exact filter at a time. */
export type ListTranscriptions = Queries['listTranscriptions'];
/** The format of the file, and how long its link is to last. */
export type CreateAccessLink = Queries['createAccessLink'];
/** Which rooms, in which order. */
export type ListRoomInsights = Queries['listRoomInsights'];
/** Which sessions of a room, in which order. */
export type ListRoomSessionInsights = Queries['listRoomSessionInsights'];
/** Whose participants: of a session, of an external id, or of both at once. */
export type ListParticipants = Queries['listParticipants'];
/** Which participant; `from` and `to` narrow the samples. */
export type GetParticipant = Queries['getParticipant'];

/** A code of the API's errors: branch on it. */
export type ErrorCode = errors.ErrorCode;
/** One problem of a request that is not valid: where, and what it must be. */
export type ErrorIssue = z.infer<typeof errors.ErrorIssue>;
