import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetTranscriptionJobCommand,
  StartTranscriptionJobCommand,
  type StartTranscriptionJobRequest,
  TranscribeClient,
  type TranscriptionJob,
} from '@aws-sdk/client-transcribe';
import { startFauxqs } from 'fauxqs';
import { vi } from 'vitest';
import type { TranscribeJobStateChange } from '#tools/local/transcribe/events.ts';
import { startTranscribe, type TranscribeOptions } from '#tools/local/transcribe/start-transcribe.ts';
import type { TranscriptDocument } from '#tools/local/transcribe/transcript/transcript-document.ts';

const region = 'us-east-1';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const RECORDINGS = 'recordings';
const TRANSCRIPTS = 'transcripts';

/** Starts a local S3 with a bucket for recordings and one for transcripts, in its own folder on disk. */
export async function startMediaBuckets() {
  const fauxqs = await startFauxqs({ port: 0, logger: false });
  const folder = await mkdtemp(join(tmpdir(), 'local-transcribe-'));
  const s3Url = `http://127.0.0.1:${fauxqs.port}`;
  const s3 = new S3Client({ endpoint: s3Url, region, credentials, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: RECORDINGS }));
  await s3.send(new CreateBucketCommand({ Bucket: TRANSCRIPTS }));
  return {
    s3Url,
    folder,
    async putRecording(key: string, body: Buffer): Promise<void> {
      await s3.send(new PutObjectCommand({ Bucket: RECORDINGS, Key: key, Body: body }));
    },
    async getTranscript(key: string): Promise<TranscriptDocument> {
      const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: TRANSCRIPTS, Key: key }));
      return JSON.parse((await body?.transformToString()) ?? '');
    },
    async stop(): Promise<void> {
      s3.destroy();
      await fauxqs.stop();
      await rm(folder, { recursive: true });
    },
  };
}
export type MediaBuckets = Awaited<ReturnType<typeof startMediaBuckets>>;

/** Starts a local Transcribe server on these buckets. Returns an SDK client for it and the events that it sent. */
export async function startTranscribeServer(
  buckets: MediaBuckets,
  options: Partial<TranscribeOptions> & { dataDir: string },
) {
  const events: TranscribeJobStateChange[] = [];
  const server = await startTranscribe({
    port: 0,
    host: '127.0.0.1',
    s3Url: buckets.s3Url,
    region,
    emit: async (event) => {
      events.push(event);
    },
    log: () => undefined,
    ...options,
  });
  // One attempt: the SDK would retry at a limit, and the tests check the error.
  const client = new TranscribeClient({ endpoint: server.url, region, credentials, maxAttempts: 1 });
  const get = async (name: string): Promise<TranscriptionJob> => {
    const { TranscriptionJob: job } = await client.send(new GetTranscriptionJobCommand({ TranscriptionJobName: name }));
    return job ?? {};
  };
  return {
    url: server.url,
    client,
    events,
    get,
    /** Starts a job for a recording key, as the service does. */
    start: (name: string, key: string, change: Partial<StartTranscriptionJobRequest> = {}) =>
      client.send(
        new StartTranscriptionJobCommand({
          TranscriptionJobName: name,
          Media: { MediaFileUri: `s3://${RECORDINGS}/${key}` },
          IdentifyLanguage: true,
          OutputBucketName: TRANSCRIPTS,
          Settings: { ShowSpeakerLabels: true, MaxSpeakerLabels: 10 },
          ...change,
        }),
      ),
    /** Waits until the job is in one of these states and returns it. */
    waitFor: (name: string, ...states: string[]) =>
      vi.waitFor(
        async () => {
          const job = await get(name);
          if (!states.includes(job.TranscriptionJobStatus ?? ''))
            throw new Error(`${name} is ${job.TranscriptionJobStatus}`);
          return job;
        },
        { timeout: 40_000, interval: 100 },
      ),
    async stop(): Promise<void> {
      client.destroy();
      await server.stop();
    },
  };
}
export type TranscribeServer = Awaited<ReturnType<typeof startTranscribeServer>>;
