// Names that the stack and the functions share. They are defined only here.

/** How the names of the secrets of a stage's connections begin. The connection id follows. */
export function connectionSecretPrefix({ deployment }: { readonly deployment: string }): string {
  return `${deployment}/connections/`;
}

/** Kinds of data whose retention functions read. Other retention periods are enforced without them. */
export type RetainedKind = 'transcript' | 'sample' | 'fact';

/** The message attribute in which a redrive keeps when the message was first sent, in epoch milliseconds. */
export const firstSentAttribute = 'firstSentAt';

/** The message attribute in which a worker that sends a message back keeps when it came into the queue, in epoch milliseconds. */
export const queuedAttribute = 'queuedAt';

/** The field of every log line with the version of the function that wrote it. */
export const versionField = 'version';

/** The claim of Cognito access tokens that names the organization: the app client id, which survives a change of secrets. */
export const clientIdClaim = 'client_id';

/** The tables: entities, access links, rate limits, idempotency keys, refused events, connections and what their webhooks told, notices, who is told of them, and usage. */
export const tableNames = [
  'recordings',
  'recordingFiles',
  'recordingTracks',
  'transcriptions',
  'transcriptionParts',
  'transcriptSpeakers',
  'rooms',
  'roomSessions',
  'participants',
  'insightFacts',
  'accessLinks',
  'rateLimits',
  'idempotencyKeys',
  'refusedEvents',
  'connections',
  'platformSessions',
  'notices',
  'webhooks',
  'webhookDeliveries',
  'usageDays',
] as const;
/** Name of a table. */
export type TableName = (typeof tableNames)[number];

/** The queues. Each has its own dead-letter queue. */
export const queueNames = [
  'roomEvents',
  'networkSamples',
  'mediaPreparation',
  'transcriptionJobs',
  'transcriptionResults',
  'transcriptionMerges',
  'transcriptChanges',
  'bulkDelete',
  'platformHooks',
  'noticeEvents',
  'deliveryPlans',
  'webhookRuns',
  'noticeReplays',
] as const;
/** Name of a queue. */
export type QueueName = (typeof queueNames)[number];

/** How many invocations of start-transcription run at a time. Each takes its share of the starts that a stage may make in a second. */
export const placesThatStartJobs = 2;

/** The buckets: recordings from the platform, and transcripts from the service. */
export const bucketNames = ['recordings', 'transcripts'] as const;
/** Name of a bucket. */
export type BucketName = (typeof bucketNames)[number];

/** Environment variables of the functions. The stack sets them, and `readEnv` reads them. */
export const envNames = {
  organizationClaim: 'ORGANIZATION_CLAIM',
  userPoolId: 'USER_POOL_ID',
  tokenScope: 'TOKEN_SCOPE',
  peoplePoolId: 'PEOPLE_POOL_ID',
  consoleClientId: 'CONSOLE_CLIENT_ID',
  roleClaim: 'ROLE_CLAIM',
  personPointsPerMinute: 'PERSON_POINTS_PER_MINUTE',
  rateLimitPointsPerMinute: 'RATE_LIMIT_POINTS_PER_MINUTE',
  bulkDeleteIdsPerHour: 'BULK_DELETE_IDS_PER_HOUR',
  transcriptionMinutesPerDay: 'TRANSCRIPTION_MINUTES_PER_DAY',
  transcriptionLanguage: 'TRANSCRIPTION_LANGUAGE',
  transcriptionMaxSpeakers: 'TRANSCRIPTION_MAX_SPEAKERS',
  recordingCloseMinutes: 'RECORDING_CLOSE_MINUTES',
  pieceMinutes: 'PIECE_MINUTES',
  trackPieceMinutes: 'TRACK_PIECE_MINUTES',
  transcriptionPartsAtOnce: 'TRANSCRIPTION_PARTS_AT_ONCE',
  transcribeStartsPerSecond: 'TRANSCRIBE_STARTS_PER_SECOND',
  jobNamePrefix: 'JOB_NAME_PREFIX',
  apiUrl: 'API_URL',
  transcriptLinkRoleArn: 'TRANSCRIPT_LINK_ROLE_ARN',
  recordingLinkRoleArn: 'RECORDING_LINK_ROLE_ARN',
  transcriptRetentionDays: 'TRANSCRIPT_RETENTION_DAYS',
  sampleRetentionDays: 'SAMPLE_RETENTION_DAYS',
  factRetentionDays: 'FACT_RETENTION_DAYS',
  eventDaysAhead: 'EVENT_DAYS_AHEAD',
  eventDaysBack: 'EVENT_DAYS_BACK',
  nonParticipantRoles: 'NON_PARTICIPANT_ROLES',
  speakerRoles: 'SPEAKER_ROLES',
  defaultSampleRateMs: 'DEFAULT_SAMPLE_RATE_MS',
  logLevel: 'LOG_LEVEL',
  serviceName: 'SERVICE_NAME',
  eventBusName: 'EVENT_BUS_NAME',
  webhookSecretId: 'WEBHOOK_SECRET_ID',
  webhookReceivers: 'WEBHOOK_RECEIVERS',
  webhooksPerOrganization: 'WEBHOOKS_PER_ORGANIZATION',
  replaysPerDay: 'REPLAYS_PER_DAY',
  webhookDisableDays: 'WEBHOOK_DISABLE_DAYS',
  sessionSettleSeconds: 'SESSION_SETTLE_SECONDS',
  connectionSecretPrefix: 'CONNECTION_SECRET_PREFIX',
  sessionIdleHours: 'SESSION_IDLE_HOURS',
  hookRetentionDays: 'HOOK_RETENTION_DAYS',
  ...variables(tableNames, 'Table', '_TABLE'),
  ...variables(bucketNames, 'Bucket', '_BUCKET'),
  ...variables(queueNames, 'Queue', '_QUEUE_URL'),
} as const;

/** The names of a variable for each resource: `{ roomEventsQueue: 'ROOM_EVENTS_QUEUE_URL' }`. */
function variables<Name extends string, Kind extends string>(names: readonly Name[], kind: Kind, ending: string) {
  const upper = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const entries = names.map((name) => [`${name}${kind}`, upper(name) + ending]);
  return Object.fromEntries(entries) as Readonly<Record<`${Name}${Kind}`, string>>;
}

/**
 * Prefixes of the keys in the transcripts bucket: transcripts that the service writes, files of live transcriptions, intermediate
 * files of a transcription in parts, and bodies of platforms' webhooks. The last two expire.
 */
export const transcriptPrefixes = { generated: 'generated/', live: 'live/', work: 'work/', hooks: 'hooks/' } as const;
/** A kind of files in the transcripts bucket. */
export type TranscriptPrefix = keyof typeof transcriptPrefixes;

/** Key attributes of the tables and of their indexes. */
export const attributeNames = {
  organizationId: 'organizationId',
  recordingId: 'recordingId',
  fileLocation: 'fileLocation',
  transcriptionId: 'transcriptionId',
  trackKey: 'trackKey',
  partKey: 'partKey',
  organizationRoom: 'organizationRoom',
  organizationShard: 'organizationShard',
  organizationState: 'organizationState',
  organizationType: 'organizationType',
  organizationRecording: 'organizationRecording',
  organizationSession: 'organizationSession',
  organizationExternalId: 'organizationExternalId',
  organizationSessionExternalId: 'organizationSessionExternalId',
  roomName: 'roomName',
  roomSessionId: 'roomSessionId',
  listKey: 'listKey',
  factOwner: 'factOwner',
  factKey: 'factKey',
  spanKey: 'spanKey',
  startDateSort: 'startDateSort',
  roomNameSort: 'roomNameSort',
  durationInSecondsSort: 'durationInSecondsSort',
  dueShard: 'dueShard',
  dueAt: 'dueAt',
  tokenHash: 'tokenHash',
  minute: 'minute',
  operationKey: 'operationKey',
  receivedKey: 'receivedKey',
  connectionId: 'connectionId',
  stateKey: 'stateKey',
  noticeKey: 'noticeKey',
  webhookId: 'webhookId',
  organizationWebhook: 'organizationWebhook',
  deliveryKey: 'deliveryKey',
  dueKey: 'dueKey',
  usageKey: 'usageKey',
  expiresAt: 'expiresAt',
} as const;

/** The partition keys of the indexes by which participants with an external id are listed: that of the organization, or of a session. */
export const participantPartitions = [
  attributeNames.organizationExternalId,
  attributeNames.organizationSessionExternalId,
] as const;

/** Global secondary indexes of the transcriptions table. */
export const indexNames = {
  byStartDate: 'by-start-date',
  byRoomName: 'by-room-name',
  byDurationInSeconds: 'by-duration-in-seconds',
  byRoomAndStartDate: 'by-room-and-start-date',
  byRoomAndDurationInSeconds: 'by-room-and-duration-in-seconds',
  byStateAndStartDate: 'by-state-and-start-date',
  byTypeAndStartDate: 'by-type-and-start-date',
  bySessionAndStartDate: 'by-session-and-start-date',
  byRecordingAndStartDate: 'by-recording-and-start-date',
  byDueAt: 'by-due-at',
} as const;
/** The index that lists an organization's rows of a table whose key does not name the organization: recordingFiles, accessLinks, connections. */
export const rowsByOrganization = 'by-organization';
/** The index of a session's blocks of samples, by their length and time. */
export const samplesByTime = 'by-session-and-span-key';
/** What that index has of a block besides the keys: the sums of its minutes. */
export const minuteSums = 'minuteSums';
/** The index of a webhook's deliveries that are still to be made, by when they are due. */
export const dueDeliveries = 'by-webhook-and-due-key';
/** Name of a global secondary index of any table. */
export type IndexName = `by-${string}`;

/** The index that sorts an insights table by `field`, in the table's own partitions or in those of another key. */
export function sortIndexName(field: string, partition?: string): IndexName {
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return partition === undefined ? `by-${kebab(field)}` : `by-${kebab(partition)}-and-${kebab(field)}`;
}

/** The sort key attribute of that index. */
export function sortAttributeName(field: string): string {
  return `${field}Sort`;
}

/** CloudWatch namespace of the service's own metrics. */
export const metricsNamespace = 'Roomscribe';

/** The only dimension of the metrics: a field of every log line. Its value (`envNames.serviceName`) is the stack name. */
export const metricsDimension = 'service';

/** The service's own metrics and their units. docs/operations.md describes each. */
export const metricUnits = {
  TranscriptionsCreated: 'Count',
  TranscriptionsStarted: 'Count',
  TranscriptionsReady: 'Count',
  TimeToReady: 'Seconds',
  TranscriptionsFailed: 'Count',
  TranscriptionsDeleted: 'Count',
  BulkDeleteAge: 'Seconds',
  TranscribedTime: 'Seconds',
  TranscribeBusy: 'Count',
  PreparedTime: 'Seconds',
  PreparedBytes: 'Bytes',
  SilenceLeftOut: 'Seconds',
  PartsFailed: 'Count',
  JobsHealed: 'Count',
  JobsGivenUp: 'Count',
  RoomEventLag: 'Milliseconds',
  NetworkSampleLag: 'Milliseconds',
  ParticipantsBeyondLimit: 'Count',
  HooksReceived: 'Count',
  HooksRefused: 'Count',
  HooksTooLarge: 'Count',
  OwnNoticesDropped: 'Count',
  HooksParked: 'Count',
  HookEventsDropped: 'Count',
  HookFilesRefused: 'Count',
  FailedJoins: 'Count',
  IdleSessionsClosed: 'Count',
  SessionEndsTold: 'Count',
  NoticesRelayed: 'Count',
  NoticesHealed: 'Count',
  NoticeLag: 'Milliseconds',
  NoticeAge: 'Seconds',
  NoticeEventsPut: 'Count',
  DeliveriesMade: 'Count',
  DeliveriesFailed: 'Count',
  DeliveriesGivenUp: 'Count',
  DeliveryLag: 'Milliseconds',
  WebhooksParked: 'Count',
  WebhooksDisabled: 'Count',
} as const;
/** Name of a metric. */
export type MetricName = keyof typeof metricUnits;
