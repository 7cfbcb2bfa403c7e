import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { MediaFile } from '#shared/adapters/media/media-source.ts';
import { s3Upload } from '#shared/adapters/media/s3-upload.ts';
import type { FileLocation } from '#shared/contracts/events.ts';
import { Transcription } from '#shared/contracts/transcriptions/transcription.ts';
import { startRunner } from '#tools/local/runner.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { requestToken } from '#tools/shared/token.ts';
import { stateFolder } from '../local-runner.ts';
import { simulatedTranscriber } from './simulated-transcriber.ts';

const startDate = '2026-03-01T09:00:00.000Z';
/** A call takes time from what is measured. Minutes need no more precision. */
const pollMs = (lengthSeconds: number) => (lengthSeconds > 600 ? 500 : 20);
const stepBytes = 8 * 1024 ** 2;

/** A file of a recording, and whose track it is. */
export type RecordedFile = { readonly media: MediaFile; readonly participantId?: string };

/** A service with a simulated recognizer, to which recordings are sent. */
export type MediaRunner = {
  readonly endpoints: Endpoints;
  /**
   * Sends a recording as a platform does, and has it transcribed. `seconds` is from the answer of create until it is ready, in `polls` calls, and
   * `jobSeconds` the length of what each job recognized.
   */
  readonly transcribe: (
    organizationId: string,
    files: readonly RecordedFile[],
    lengthSeconds: number,
  ) => Promise<{
    readonly seconds: number;
    readonly transcription: Transcription;
    readonly polls: number;
    readonly jobSeconds: readonly number[];
  }>;
};

/** Starts a local runner whose recognizer takes `share` of a second for each second of a file, runs `work`, then stops it. */
export async function withMediaRunner<Result>(
  { share, dynamodbUrl }: { readonly share: number; readonly dynamodbUrl?: string },
  work: (runner: MediaRunner) => Promise<Result>,
): Promise<Result> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(await stateFolder(), 'roomscribe-bench-media-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const folder = path.join(dataDir, 'simulated');
  await mkdir(folder);
  let jobSeconds: number[] = [];
  const runner = await startRunner({
    port: 0,
    dataDir,
    ...(dynamodbUrl !== undefined && { dynamodbUrl }),
    context: {
      ...{ rateLimitPointsPerMinute: '1000000', transcriptionMinutesPerDay: '100000000' },
      ...{ roomEventsBatchSize: '10', roomEventsBatchWindowSeconds: '0' },
    },
    transcribe: {
      createTranscriber: (media) => simulatedTranscriber(media, folder, share, (seconds) => jobSeconds.push(seconds)),
      jobsAtOnce: 100,
    },
  });
  cleanup.defer(runner.stop);
  return await work({
    endpoints: runner.endpoints,
    async transcribe(...recording) {
      jobSeconds = [];
      return { ...(await transcribe(runner.endpoints, ...recording)), jobSeconds };
    },
  });
}

async function transcribe(
  endpoints: Endpoints,
  organizationId: string,
  files: readonly RecordedFile[],
  lengthSeconds: number,
) {
  const recordingId = randomUUID();
  await finishRecording(endpoints, organizationId, recordingId, files, lengthSeconds);
  const { signal } = new AbortController();
  const authorization = `Bearer ${await requestToken(endpoints, organizationId, signal)}`;
  const call = async (method: string, route: string, body?: object) => {
    const headers = { authorization, 'content-type': 'application/json' };
    return fetch(`${endpoints.apiUrl}${route}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  };
  let route = '';
  while (route === '') {
    const answer = await call('POST', '/v1/transcriptions', { recordingId });
    if (answer.status === 201) route = answer.headers.get('location') ?? '';
    else if (answer.status !== 404) throw new Error(`create answered ${answer.status} ${await answer.text()}`);
    else await delay(100);
  }
  const startedAt = performance.now();
  for (let polls = 1; ; polls++) {
    const transcription = Transcription.parse(await (await call('GET', route)).json());
    if (transcription.state === 'failed') throw new Error(`It failed with ${transcription.failure?.code}.`);
    if (transcription.state === 'ready')
      return { seconds: (performance.now() - startedAt) / 1000, transcription, polls };
    await delay(pollMs(lengthSeconds));
  }
}

async function finishRecording(
  endpoints: Endpoints,
  organizationId: string,
  recordingId: string,
  files: readonly RecordedFile[],
  lengthSeconds: number,
): Promise<void> {
  const endDate = new Date(Date.parse(startDate) + lengthSeconds * 1000).toISOString();
  const located = files.map((file, index) => {
    const key = `${organizationId}/${recordingId}/${index}`;
    return { ...file, location: { bucket: endpoints.buckets.recordings ?? '', key } };
  });
  for (const { media, location } of located) await upload(endpoints, location, media);
  const tracks = located.flatMap(({ participantId, location }) =>
    participantId === undefined ? [] : [{ participantId, location, startDate, endDate }],
  );
  const [mixed] = located;
  const data = {
    ...{ recordingId, roomName: '/bench', roomSessionId: randomUUID(), startDate, endDate },
    ...(tracks.length > 0 ? { tracks } : { filename: 'recording', location: mixed?.location }),
  };
  const event = { id: randomUUID(), type: 'recording.finished', organizationId, createdAt: endDate, data };
  const sqs = new SQSClient(clientSettings(endpoints.sqsUrl));
  const QueueUrl = endpoints.queues.roomEvents;
  await sqs.send(
    new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(event), MessageGroupId: organizationId }),
  );
  sqs.destroy();
}

async function upload({ s3Url }: Endpoints, location: FileLocation, { bytes, readRange }: MediaFile): Promise<void> {
  const s3 = new S3Client({ ...clientSettings(s3Url), forcePathStyle: true });
  const { signal } = new AbortController();
  const target = s3Upload(s3, location, signal);
  for (let start = 0; start < bytes; start += stepBytes)
    await target.write(await readRange(start, Math.min(start + stepBytes, bytes), signal), start);
  await target.complete();
  s3.destroy();
}
