/** Names that the stack and the functions must agree on. Nothing else in the project spells them out. */

/** Environment variables of the functions, each declared once: the stack sets them, `readEnv` reads them. */
export const envNames = {
  organizationClaim: 'ORGANIZATION_CLAIM',
  jobNamePrefix: 'JOB_NAME_PREFIX',
  transcriptLinkRoleArn: 'TRANSCRIPT_LINK_ROLE_ARN',
  logLevel: 'POWERTOOLS_LOG_LEVEL',
  recordingsTable: 'RECORDINGS_TABLE',
  transcriptionsTable: 'TRANSCRIPTIONS_TABLE',
  recordingsBucket: 'RECORDINGS_BUCKET',
  transcriptsBucket: 'TRANSCRIPTS_BUCKET',
  roomEventsQueue: 'ROOM_EVENTS_QUEUE_URL',
  transcriptionJobsQueue: 'TRANSCRIPTION_JOBS_QUEUE_URL',
  transcriptionResultsQueue: 'TRANSCRIPTION_RESULTS_QUEUE_URL',
  bulkDeleteQueue: 'BULK_DELETE_QUEUE_URL',
} as const;

/** The entity tables. */
export const tableNames = ['recordings', 'transcriptions'] as const;
/** One of the tables. */
export type TableName = (typeof tableNames)[number];

/** The queues; each has a dead-letter queue of its own. */
export const queueNames = ['roomEvents', 'transcriptionJobs', 'transcriptionResults', 'bulkDelete'] as const;
/** One of the queues. */
export type QueueName = (typeof queueNames)[number];

/** The buckets: what comes in, and what the service writes. */
export const bucketNames = ['recordings', 'transcripts'] as const;
/** One of the buckets. */
export type BucketName = (typeof bucketNames)[number];

/** Key attributes of the tables and of their indexes. */
export const attributeNames = {
  organizationId: 'organizationId',
  recordingId: 'recordingId',
  transcriptionId: 'transcriptionId',
  organizationRoom: 'organizationRoom',
  startDateSort: 'startDateSort',
  roomNameSort: 'roomNameSort',
  durationInSecondsSort: 'durationInSecondsSort',
  dueShard: 'dueShard',
  dueAt: 'dueAt',
  expiresAt: 'expiresAt',
} as const;

/** Global secondary indexes of the transcriptions table. */
export const indexNames = {
  byStartDate: 'by-start-date',
  byRoomName: 'by-room-name',
  byDurationInSeconds: 'by-duration-in-seconds',
  byRoomAndStartDate: 'by-room-and-start-date',
  byRoomAndDurationInSeconds: 'by-room-and-duration-in-seconds',
  byDueAt: 'by-due-at',
} as const;
/** One of the indexes. */
export type IndexName = (typeof indexNames)[keyof typeof indexNames];
