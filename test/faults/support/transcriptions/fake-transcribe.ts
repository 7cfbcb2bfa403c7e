import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import {
  BadRequestException,
  ConflictException,
  DeleteTranscriptionJobCommand,
  GetTranscriptionJobCommand,
  LimitExceededException,
  ListTranscriptionJobsCommand,
  NotFoundException,
  StartTranscriptionJobCommand,
  type StartTranscriptionJobRequest,
  TranscribeClient,
} from '@aws-sdk/client-transcribe';
import { isDependencyFault } from '#shared/runtime/dependency-faults.ts';
import type { FunctionProcess } from '../process.ts';

type Job = {
  readonly request: StartTranscriptionJobRequest;
  status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  failureReason?: string;
};

const maxAttempts = 3;
const defaultMaxRunningJobs = 250;
const metadata = { $metadata: {} };
const notFound = "The requested job couldn't be found. Check the job name and try your request again.";

/** Transcribe's JSON output for these words of one speaker. */
export function outputOf(words: string): string {
  const items = words.split(' ').map((content, index) => ({
    type: 'pronunciation',
    alternatives: [{ confidence: '0.9', content }],
    start_time: String(index),
    end_time: String(index + 0.9),
    speaker_label: 'spk_0',
  }));
  return JSON.stringify({
    status: 'COMPLETED',
    results: { language_code: 'en-US', transcripts: [{ transcript: words }], items },
  });
}

/**
 * Amazon Transcribe as documented, without speech recognition: a conflict on a second job of a name, a limit of
 * concurrent jobs, no deletion of a running job, and output that is written even if its transcription was deleted.
 */
export class FakeTranscribe {
  readonly jobs = new Map<string, Job>();
  /** The number of times that a job of each name was started. */
  readonly started = new Map<string, number>();
  maxRunningJobs = defaultMaxRunningJobs;
  private readonly s3: S3Client;

  constructor(s3: S3Client) {
    this.s3 = s3;
  }

  /** A client of one process. It retries dependency faults, as the SDK does. */
  client(process: FunctionProcess): TranscribeClient {
    const send = async (command: object, attempt = 1): Promise<object> => {
      try {
        return await process.call(command.constructor.name, async () => this.answer(command));
      } catch (error) {
        if (attempt === maxAttempts || !isDependencyFault(error)) throw error;
        await this.pauseAfter(attempt);
        return send(command, attempt + 1);
      }
    };
    return Object.assign(Object.create(TranscribeClient.prototype), { send }); // the SDK's paginators check the class
  }

  /** Ends a running job and always writes its output. Returns the event's detail. */
  async end(name: string, result: { readonly output: string } | { readonly failureReason: string }) {
    const job = this.jobs.get(name);
    if (!job) throw new Error(`No job ${name}`);
    if ('output' in result) {
      const { OutputBucketName: Bucket, OutputKey: Key } = job.request;
      await this.s3.send(new PutObjectCommand({ Bucket, Key, Body: result.output }));
      job.status = 'COMPLETED';
    } else {
      job.status = 'FAILED';
      job.failureReason = result.failureReason;
    }
    return {
      TranscriptionJobName: name,
      TranscriptionJobStatus: job.status,
      ...('failureReason' in result && { FailureReason: result.failureReason }),
    };
  }

  /** Forgets all jobs. */
  empty(): void {
    this.jobs.clear();
    this.started.clear();
    this.maxRunningJobs = defaultMaxRunningJobs;
  }

  /** The names of the running jobs. */
  running(): string[] {
    return [...this.jobs].filter(([, { status }]) => status === 'IN_PROGRESS').map(([name]) => name);
  }

  /** The organization and file of a job. */
  mediaOf(name: string): string {
    return `${name.split('.')[1]} ${this.jobs.get(name)?.request.Media?.MediaFileUri}`;
  }

  /** The pause of the SDK after an attempt that failed. */
  protected async pauseAfter(_failedAttempts: number): Promise<void> {}

  /** Answers one call. */
  protected answer(command: object): object {
    if (command instanceof StartTranscriptionJobCommand) return this.start(command.input);
    if (command instanceof GetTranscriptionJobCommand) return this.get(String(command.input.TranscriptionJobName));
    if (command instanceof DeleteTranscriptionJobCommand)
      return this.remove(String(command.input.TranscriptionJobName));
    if (command instanceof ListTranscriptionJobsCommand) return this.list(String(command.input.JobNameContains));
    throw new Error(`FakeTranscribe does not implement ${command.constructor.name}`);
  }

  private start(request: StartTranscriptionJobRequest): object {
    const name = String(request.TranscriptionJobName);
    if (this.jobs.has(name))
      throw new ConflictException({ ...metadata, message: 'The requested job name already exists.' });
    if (this.running().length >= this.maxRunningJobs) {
      throw new LimitExceededException({ ...metadata, message: 'You have too many jobs running at the same time.' });
    }
    this.jobs.set(name, { request, status: 'IN_PROGRESS' });
    this.started.set(name, (this.started.get(name) ?? 0) + 1);
    return {};
  }

  private get(name: string): object {
    const job = this.jobs.get(name);
    if (!job) throw new NotFoundException({ ...metadata, message: notFound });
    const { status: TranscriptionJobStatus, failureReason: FailureReason, request } = job;
    return {
      TranscriptionJob: { TranscriptionJobName: name, TranscriptionJobStatus, FailureReason, Media: request.Media },
    };
  }

  private list(namePart: string): object {
    const names = [...this.jobs.keys()].filter((name) => name.includes(namePart));
    return { TranscriptionJobSummaries: names.map((TranscriptionJobName) => ({ TranscriptionJobName })) };
  }

  private remove(name: string): object {
    const job = this.jobs.get(name);
    if (!job) throw new BadRequestException({ ...metadata, message: notFound });
    if (job.status === 'IN_PROGRESS') {
      throw new BadRequestException({ ...metadata, message: "The job couldn't be deleted because it is in progress." });
    }
    this.jobs.delete(name);
    return {};
  }
}
