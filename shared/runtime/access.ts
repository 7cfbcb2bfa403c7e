import type { IndexName, QueueName, RetainedKind, TableName, TranscriptPrefix } from './names.ts';

/**
 * The AWS permissions of one function, in IAM action names. Each function declares them in the `access.ts` of its folder.
 * The stack derives the function's policy and environment from them and grants nothing else.
 */
export type Access = {
  readonly tables?: { readonly [name in TableName]?: readonly TableAction[] };
  /** Indexes that the function may query. */
  readonly queries?: { readonly [name in TableName]?: readonly IndexName[] };
  readonly buckets?: {
    readonly recordings?: readonly BucketAction[];
    /** By kind of file. No function may do the same to all of them. */
    readonly transcripts?: { readonly [prefix in TranscriptPrefix]?: readonly BucketAction[] };
  };
  readonly sendsTo?: readonly QueueName[];
  readonly transcribe?: readonly TranscribeAction[];
  /** The function may assume the role that signs download links. That role may only read transcripts. */
  readonly signsTranscriptLinks?: true;
  /** In a stage with `recordingLinks`, the function may assume a role that signs links to recordings. That role may only read them. */
  readonly linksToRecordings?: true;
  /** The function reads the URL of the API, to write links to it. */
  readonly linksToApi?: true;
  /** The function reads the secrets of connections. */
  readonly readsConnectionSecrets?: true;
  /** The function reads the retention of this kind of data, if the stage limits it. */
  readonly retentionOf?: RetainedKind;
  /** The function reads how far the times of events may be from their arrival. */
  readonly checksEventTimes?: true;
  /** The function reads how many ids an organization may delete in bulk in an hour. */
  readonly countsBulkDeletes?: true;
  /** The function reads after how many hours without an event a session is closed. */
  readonly readsSessionIdleHours?: true;
  /** The function reads for how many days the bodies of webhooks are kept. */
  readonly readsHookRetention?: true;
  /** The function reads which roles the stage adds to those that are no participants. */
  readonly readsNonParticipantRoles?: true;
  /** The function reads which roles speak although they are no participants. */
  readonly readsSpeakerRoles?: true;
  /** The function reads the `sampleRateMs` of connections without samples. */
  readonly readsDefaultSampleRate?: true;
  /** The function reads how many minutes of recordings an organization may have transcribed in a day. */
  readonly countsMinutes?: true;
  /** The function reads the defaults of options of transcriptions. */
  readonly readsOptionDefaults?: true;
  /** The function reads after how many minutes without a session a recording with tracks is closed. */
  readonly closesRecordings?: true;
  /** The function reads how long the pieces of a mixed file and of a track may be. */
  readonly plansPieces?: true;
  /** The function reads how many parts of one transcription may be at Transcribe at the same time. */
  readonly startsParts?: true;
  /** The function reads how many jobs the stage may start in a second. */
  readonly pacesJobs?: true;
  /** The function puts notices on the deployment's event bus. */
  readonly putsEvents?: true;
  /** The function reads the secret of the stage from which those of webhooks are derived. */
  readonly derivesWebhookSecrets?: true;
  /** The function calls the addresses of webhooks, or decides which may be stored. */
  readonly callsWebhooks?: true;
  /** The function reads how many webhooks an organization may have. */
  readonly countsWebhooks?: true;
  /** The function reads how many replays of periods an organization may start in a day. */
  readonly countsReplays?: true;
  /** The function reads after how many days of failures a webhook is disabled. */
  readonly disablesWebhooks?: true;
  /** The function reads for how many seconds no event of a session must have come before its end is told. */
  readonly settlesSessions?: true;
};

type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'ConditionCheckItem'
  | 'DeleteItem';
type BucketAction = 'GetObject' | 'PutObject' | 'AbortMultipartUpload' | 'DeleteObject' | 'ListBucket';
type TranscribeAction = 'StartTranscriptionJob' | 'GetTranscriptionJob' | 'DeleteTranscriptionJob';

/** Access to the request counters. The stack adds it to every endpoint with a rate limit. */
export const rateLimitAccess = { tables: { rateLimits: ['UpdateItem'] } } as const satisfies Access;

/** Access that stores notices, for functions whose writes make something true that others are told of. */
export const noticesAccess = { tables: { notices: ['PutItem'] } } as const satisfies Access;

/** Access that counts the usage of a day, for functions that end sessions or transcriptions. */
export const usageAccess = { tables: { usageDays: ['UpdateItem'] } } as const satisfies Access;

/** Access that lists refused events and counts them, for workers of queues that the platform sends to. */
export const refusedEventsAccess = {
  tables: { refusedEvents: ['PutItem'], rateLimits: ['UpdateItem'], ...noticesAccess.tables },
} as const satisfies Access;

/** Access to stored idempotency keys, for endpoints that accept an `Idempotency-Key`. */
export const idempotencyAccess = {
  tables: { idempotencyKeys: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
} as const satisfies Access;

/** Access that deletes one transcription with its files, its job, and what is left of its parts: used by the endpoint and by the bulk-delete worker. */
export const deleteTranscriptionAccess = {
  tables: {
    transcriptions: ['GetItem', 'PutItem', 'DeleteItem'],
    transcriptionParts: ['Query', 'DeleteItem'],
    transcriptSpeakers: ['DeleteItem'],
    ...noticesAccess.tables,
  },
  buckets: {
    transcripts: {
      generated: ['ListBucket', 'DeleteObject'],
      live: ['ListBucket', 'DeleteObject'],
      work: ['ListBucket', 'DeleteObject'],
    },
  },
  transcribe: ['DeleteTranscriptionJob'],
  sendsTo: ['transcriptChanges'],
} as const satisfies Access;
