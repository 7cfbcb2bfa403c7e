import { Duration } from 'aws-cdk-lib';
import type { Access } from '../shared/contracts/access.ts';
import { deleteAccess } from '../shared/contracts/transcription-endpoints.ts';
import { indexNames, type QueueName } from '../shared/names.ts';

type Worker = {
  /** Also the name of its folder below `functions/workers/`. */
  readonly name: string;
  readonly description: string;
  readonly access: Access;
  readonly timeout: Duration;
  readonly memorySize?: number;
};

type QueueFedWorker = Worker & {
  readonly queue: QueueName;
  /** A message that has waited for so long is an alarm. */
  readonly oldestMessage: Duration;
  readonly batchSize: number;
  readonly maxConcurrency: number;
};

/** The workers that queues feed: how much each takes at a time, and what it may touch. */
export const queueWorkers: readonly QueueFedWorker[] = [
  {
    name: 'record-room-events',
    description: 'Stores what the platform says of rooms, recordings and live transcriptions',
    queue: 'roomEvents',
    oldestMessage: Duration.minutes(5),
    batchSize: 10,
    maxConcurrency: 10, // more of them on one busy room would only take each other's turns
    timeout: Duration.seconds(30),
    access: {
      tables: {
        recordings: ['UpdateItem'],
        transcriptions: ['PutItem'],
        rooms: ['GetItem', 'PutItem'],
        roomSessions: ['GetItem', 'PutItem'],
        participants: ['BatchGetItem', 'Query', 'PutItem'],
        insightFacts: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
      },
      // For the file of a live transcription that was deleted before its end arrived.
      buckets: { transcripts: ['DeleteObject'] },
      retentionOf: 'fact',
    },
  },
  {
    name: 'record-network-samples',
    description: 'Stores the network samples of participants',
    queue: 'networkSamples',
    oldestMessage: Duration.minutes(5),
    batchSize: 10,
    maxConcurrency: 10,
    timeout: Duration.seconds(30),
    access: { tables: { insightFacts: ['PutItem'] }, retentionOf: 'sample' },
  },
  {
    name: 'start-transcription',
    description: 'Starts the Transcribe job of a new transcription',
    queue: 'transcriptionJobs',
    oldestMessage: Duration.minutes(15),
    // Four starts at a time stay under the 25 a second that Transcribe takes.
    batchSize: 2,
    maxConcurrency: 2,
    timeout: Duration.seconds(30),
    access: {
      tables: { transcriptions: ['GetItem', 'UpdateItem'] },
      // Transcribe reads the recording and writes its output with the permissions of who starts the job.
      buckets: { recordings: ['GetObject', 'ListBucket'], transcripts: ['PutObject'] },
      transcribe: ['StartTranscriptionJob', 'TagResource', 'GetTranscriptionJob', 'DeleteTranscriptionJob'],
      sendsTo: ['transcriptionJobs'],
    },
  },
  {
    name: 'finish-transcription',
    description: 'Writes the transcript of a job that ended, or records why there is none',
    queue: 'transcriptionResults',
    oldestMessage: Duration.minutes(15),
    batchSize: 5,
    maxConcurrency: 10,
    timeout: Duration.seconds(60),
    memorySize: 1024,
    access: {
      tables: { transcriptions: ['GetItem', 'UpdateItem'] },
      buckets: { transcripts: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'] },
      transcribe: ['DeleteTranscriptionJob'],
    },
  },
  {
    name: 'delete-transcriptions',
    description: 'Deletes the transcriptions of a bulk delete',
    queue: 'bulkDelete',
    oldestMessage: Duration.minutes(60),
    batchSize: 1,
    maxConcurrency: 2, // Transcribe takes five deletions of jobs a second
    timeout: Duration.seconds(60),
    access: deleteAccess,
  },
];

/** Runs on a schedule and heals what no event will: lost messages, lost Transcribe events, deleted jobs still running. */
export const reconcileWorker: Worker & { readonly interval: Duration } = {
  name: 'reconcile-transcriptions',
  description: 'Finishes, starts again or fails transcriptions that are overdue',
  interval: Duration.minutes(2),
  timeout: Duration.seconds(60),
  access: {
    tables: { transcriptions: ['GetItem', 'UpdateItem'] },
    queries: { transcriptions: [indexNames.byDueAt] },
    buckets: { transcripts: ['ListBucket', 'DeleteObject'] },
    transcribe: ['GetTranscriptionJob', 'DeleteTranscriptionJob'],
    sendsTo: ['transcriptionJobs', 'transcriptionResults'],
  },
};
