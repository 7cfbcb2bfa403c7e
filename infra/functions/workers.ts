import { Duration } from 'aws-cdk-lib';
import { placesThatStartJobs, type QueueName } from '#shared/runtime/names.ts';

type Worker = {
  /** Also the name of its folder below `functions/workers/`. */
  readonly name: string;
  readonly description: string;
  readonly timeout: Duration;
  readonly memorySize?: number;
};

/** The most messages of an invocation, and how long Lambda collects them if there are fewer. */
export type Batch = { readonly size: number; readonly windowSeconds: number };

/** The batches that a stage can set. */
export type BatchSettings = { readonly roomEventBatch: Batch };

type QueueFedWorker = Worker & {
  readonly queue: QueueName;
  /** An alarm is raised when the oldest message of the queue has waited this long. */
  readonly oldestMessage: Duration;
  /** Time for which a received message is hidden, if six times the timeout is too long to wait for after a crash. */
  readonly hiddenFor?: Duration;
  /** A name is that of the stage's setting. */
  readonly batch: Batch | keyof BatchSettings;
  readonly maxConcurrency: number;
};

const queueFedWorkers = [
  {
    name: 'record-room-events',
    description: 'Stores the events of rooms, recordings and live transcriptions',
    queue: 'roomEvents',
    oldestMessage: Duration.minutes(5),
    batch: 'roomEventBatch',
    maxConcurrency: 10,
    timeout: Duration.seconds(60), // a batch of hundreds of events can take longer than 30 s
    memorySize: 3008, // more than the logs of three of the largest sessions take (docs/performance.md)
  },
  {
    name: 'record-network-samples',
    description: 'Stores network samples of participants, and when they spoke',
    queue: 'networkSamples',
    oldestMessage: Duration.minutes(5),
    batch: { size: 10, windowSeconds: 0 },
    maxConcurrency: 10,
    timeout: Duration.seconds(30),
  },
  {
    name: 'prepare-media',
    description:
      'Cuts and remuxes recordings that Transcribe does not take as they are, and plans the parts of a transcription',
    queue: 'mediaPreparation',
    oldestMessage: Duration.minutes(45), // two full runs and a pause
    hiddenFor: Duration.minutes(20), // six times the timeout would be 90 minutes
    batch: { size: 1, windowSeconds: 0 },
    maxConcurrency: 10,
    timeout: Duration.minutes(15),
    memorySize: 2048,
  },
  {
    name: 'start-transcription',
    description: 'Starts the Transcribe job of a new transcription',
    queue: 'transcriptionJobs',
    oldestMessage: Duration.minutes(15),
    // Each of these places paces itself to its share of the stage's starts a second.
    batch: { size: 2, windowSeconds: 0 },
    maxConcurrency: placesThatStartJobs,
    timeout: Duration.seconds(30),
  },
  {
    name: 'finish-transcription',
    description: 'Writes the transcript of a job that ended, or records why there is none',
    queue: 'transcriptionResults',
    oldestMessage: Duration.minutes(15),
    batch: { size: 5, windowSeconds: 0 },
    maxConcurrency: 10,
    timeout: Duration.seconds(60),
    memorySize: 1536, // three of the largest outputs and logs of sessions at once take up to 900
  },
  {
    name: 'merge-transcription',
    description: 'Writes the transcript of a transcription whose parts have ended',
    queue: 'transcriptionMerges',
    oldestMessage: Duration.minutes(15),
    batch: { size: 1, windowSeconds: 0 },
    maxConcurrency: 5,
    timeout: Duration.minutes(5),
    memorySize: 3008,
  },
  {
    name: 'write-transcript',
    description:
      'Writes the files of a transcript again after a correction, and records for how long people speak in it',
    queue: 'transcriptChanges',
    oldestMessage: Duration.minutes(15),
    batch: { size: 1, windowSeconds: 0 },
    maxConcurrency: 5,
    timeout: Duration.minutes(2),
    memorySize: 3008, // the words of the longest transcript
  },
  {
    name: 'delete-transcriptions',
    description: 'Deletes the transcriptions of a bulk delete',
    queue: 'bulkDelete',
    oldestMessage: Duration.minutes(60),
    batch: { size: 1, windowSeconds: 0 },
    maxConcurrency: 2, // Transcribe accepts five job deletions a second
    timeout: Duration.seconds(60),
  },
  {
    name: 'translate-hooks',
    description: "Turns platforms' webhooks into events",
    queue: 'platformHooks',
    oldestMessage: Duration.minutes(5),
    batch: { size: 10, windowSeconds: 0 },
    maxConcurrency: 10,
    timeout: Duration.seconds(30),
  },
  {
    name: 'put-notice-events',
    description: 'Puts notices on the event bus',
    queue: 'noticeEvents',
    oldestMessage: Duration.minutes(5),
    batch: { size: 10, windowSeconds: 0 }, // EventBridge takes ten in one call
    maxConcurrency: 10,
    timeout: Duration.seconds(30),
  },
  {
    name: 'plan-deliveries',
    description: 'Plans the deliveries of notices to the webhooks that want them',
    queue: 'deliveryPlans',
    oldestMessage: Duration.minutes(5),
    batch: { size: 10, windowSeconds: 0 },
    maxConcurrency: 10,
    timeout: Duration.seconds(30),
  },
  {
    name: 'deliver-notices',
    description: 'Calls the webhooks that have deliveries to be made',
    queue: 'webhookRuns',
    oldestMessage: Duration.minutes(30), // a retry waits in it for 15, and for 6 more if its run crashes
    // A run is for one webhook, which may be slow. So each has a place of its own, and there are many.
    batch: { size: 1, windowSeconds: 0 },
    maxConcurrency: 50,
    timeout: Duration.seconds(60),
  },
  {
    name: 'replay-notices',
    description: 'Plans the deliveries of a replay',
    queue: 'noticeReplays',
    oldestMessage: Duration.minutes(15),
    batch: { size: 1, windowSeconds: 0 },
    maxConcurrency: 5,
    timeout: Duration.seconds(30),
  },
] as const satisfies readonly QueueFedWorker[];

/** The worker that the stream of the notices table invokes. */
export const relayWorker = {
  name: 'relay-notices',
  description: 'Sends new notices to the queues of the event bus and of webhooks',
  timeout: Duration.seconds(60),
  // Ten calls to each of the two queues, and an update of each notice.
  batchSize: 100,
} as const satisfies Worker & { readonly batchSize: number };

type ScheduledWorker = Worker & { readonly interval: Duration };

/** The worker that repairs lost messages, lost Transcribe events and jobs that outlive their transcription. */
export const reconcileWorker = {
  name: 'reconcile-transcriptions',
  description: 'Finishes, starts again or fails transcriptions that are overdue',
  interval: Duration.minutes(2),
  timeout: Duration.seconds(60),
} as const satisfies ScheduledWorker;

/** The worker that closes sessions without an event for hours. In a stage that closes none it finds none. */
export const idleSessionsWorker = {
  name: 'close-idle-sessions',
  description: 'Closes sessions that nobody ended, after hours without an event',
  interval: Duration.minutes(15),
  timeout: Duration.seconds(60),
} as const satisfies ScheduledWorker;

/** The worker that tells the ends of sessions of which no more events come. */
export const settleWorker = {
  name: 'settle-sessions',
  description: 'Tells the ends of sessions, with their totals, once no more events of them come',
  interval: Duration.minutes(1),
  timeout: Duration.seconds(60),
} as const satisfies ScheduledWorker;

/** The worker that relays notices that the stream has lost, and has webhooks called whose time has come. */
export const sweepWorker = {
  name: 'sweep-notices',
  description:
    'Relays notices that the stream has lost, and has webhooks called again that were parked or have retries',
  interval: Duration.minutes(1),
  timeout: Duration.seconds(60),
} as const satisfies ScheduledWorker;

/** The workers that schedules run, with the id of each schedule. */
export const scheduledWorkers = [
  { ...reconcileWorker, scheduleId: 'ReconcileSchedule' },
  { ...idleSessionsWorker, scheduleId: 'CloseIdleSessionsSchedule' },
  { ...settleWorker, scheduleId: 'SettleSessionsSchedule' },
  { ...sweepWorker, scheduleId: 'SweepNoticesSchedule' },
] as const;

type QueueWorkerName = (typeof queueFedWorkers)[number]['name'];

/** Name of a worker function. */
export type WorkerName = QueueWorkerName | (typeof scheduledWorkers)[number]['name'] | typeof relayWorker.name;

/** The workers that queues feed, with their limits. Their permissions are in their `access.ts`. */
export const queueWorkers: readonly (QueueFedWorker & { readonly name: QueueWorkerName })[] = queueFedWorkers;

/** The batches of a worker in a stage. */
export function batchOf({ batch }: Pick<QueueFedWorker, 'batch'>, settings: BatchSettings): Batch {
  return typeof batch === 'string' ? settings[batch] : batch;
}
