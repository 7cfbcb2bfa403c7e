import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { serveAwsJson } from '../services/aws-json.ts';
import { stateChangeOf, type TranscribeJobStateChange } from './events.ts';
import { type Job, nameOf } from './job.ts';
import { createJobRunner } from './job-runner.ts';
import { openJobStore } from './job-store.ts';
import { type Log, logToConsole } from './log.ts';
import { findMediaPrograms } from './media/media-programs.ts';
import { createMediaStore, type MediaStore } from './media/media-store.ts';
import { createOperations } from './operations.ts';
import { findRecognizer } from './transcript/recognizer.ts';
import { createTranscriber, type Transcriber } from './transcript/transcribe-media.ts';
import { openVocabularyStore, type Vocabularies } from './vocabularies/vocabulary.ts';

/** How to start the local Transcribe server. */
export type TranscribeOptions = {
  /** 0 takes a free port. */
  port: number;
  host: string;
  /** Folder for jobs, vocabularies and temporary files. The server creates it and owns its content. */
  dataDir: string;
  /** An S3 endpoint that accepts path-style addresses. */
  s3Url: string;
  region: string;
  /** Receives each ended job once, at best effort, as EventBridge does. */
  emit: (event: TranscribeJobStateChange) => Promise<void>;
  account?: string;
  /** The maximum number of unfinished jobs. */
  maxJobs?: number;
  /** How many jobs run at once. Default: one on each core. */
  jobsAtOnce?: number;
  /** The folders that may contain PocketSphinx and ffmpeg. Default: PATH. */
  searchPath?: string;
  /** Replaces ffmpeg and PocketSphinx, for benchmarks. */
  createTranscriber?: (media: MediaStore) => Transcriber;
  /** Whether the disk of the data directory is full now. */
  isDiskFull?: () => boolean;
  log?: Log;
};

/** A running local Transcribe server. */
export type LocalTranscribe = { url: string; stop(): Promise<void> };

const LOCAL_ACCOUNT = '000000000000';
// The default quota of concurrent batch jobs at Amazon.
const MAX_JOBS = 250;

/**
 * Starts a local Amazon Transcribe for the client of the AWS SDK. ffmpeg decodes the recordings and PocketSphinx
 * recognizes the speech. Unfinished jobs of an earlier process run again.
 */
export async function startTranscribe(options: TranscribeOptions): Promise<LocalTranscribe> {
  const {
    account = LOCAL_ACCOUNT,
    maxJobs = MAX_JOBS,
    jobsAtOnce = availableParallelism(),
    log = logToConsole,
    searchPath = process.env.PATH ?? '',
  } = options;
  const workFolder = join(options.dataDir, 'work');
  await rm(workFolder, { recursive: true, force: true });
  await mkdir(workFolder, { recursive: true });
  const store = await openJobStore(join(options.dataDir, 'jobs'), log);
  const vocabularies: Vocabularies = {
    vocabularies: await openVocabularyStore(join(options.dataDir, 'vocabularies'), log),
    filters: await openVocabularyStore(join(options.dataDir, 'vocabulary-filters'), log),
  };
  const media = createMediaStore(options);
  const transcribe =
    options.createTranscriber?.(media) ??
    createTranscriber({
      media,
      vocabularies,
      recognizer: findRecognizer(searchPath),
      mediaPrograms: findMediaPrograms(searchPath),
      workFolder,
      account,
      ...(options.isDiskFull && { isDiskFull: options.isDiskFull }),
    });
  const announce = async (job: Job): Promise<void> => {
    const event = stateChangeOf(job, { account, region: options.region });
    if (event === undefined) return;
    try {
      await options.emit(event);
    } catch (error) {
      log('transcribe_event_lost', { job: nameOf(job), error: error instanceof Error ? error.name : 'unknown' });
    }
  };
  const runner = createJobRunner({ store, transcribe, announce, jobsAtOnce, log });
  const operations = createOperations({ store, vocabularies, runner, maxJobs });
  const stopWorking = async (): Promise<void> => {
    await runner.stop();
    media.close();
  };
  const server = await serveAwsJson(operations, { host: options.host, port: options.port, log }).catch(
    async (error: unknown) => {
      await stopWorking();
      throw error;
    },
  );
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await stopWorking();
    },
  };
}
