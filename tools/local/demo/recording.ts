import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AccessLink, Transcription } from '../../../shared/contracts/transcription.ts';
import { clientSettings } from '../../shared/client-settings.ts';
import type { Endpoints } from '../../shared/endpoints.ts';

/** What a demo needs to call the running service. */
export type DemoOptions = {
  readonly endpoints: Endpoints;
  readonly organizationId: string;
  readonly token: string;
  readonly onProgress: (text: string) => void;
  readonly signal: AbortSignal;
};

/** A finished transcript: its first lines, and a link to the whole file. */
export type RecordingResult = { readonly transcriptionId: string; readonly firstLines: string; readonly link: string };

const sample = new URL('../sample/recording.wav', import.meta.url);
/** Constant, so that an interrupted demo resumes the transcription that it started. */
const recordingId = '5a3b1e90-0000-4000-8000-000000000001';
const sampleSeconds = 31;
const shownLines = 12;
const pollMs = 500;
const limitMs = 180_000;

/** Sends the sample recording as a platform does, and requests its transcript as a client does. */
export async function transcribeSample(options: DemoOptions): Promise<RecordingResult> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await demonstrate(options, AbortSignal.any([options.signal, limit]));
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new Error(`there is no transcript after ${limitMs / 60_000} minutes`, { cause: error });
  }
}

async function demonstrate(
  { endpoints, organizationId, token, onProgress }: DemoOptions,
  limited: AbortSignal,
): Promise<RecordingResult> {
  const call = (method: string, path: string, body?: object) =>
    fetch(new URL(path, endpoints.apiUrl), {
      method,
      signal: limited,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });

  onProgress('Sending the sample recording');
  await sendRecording(endpoints, organizationId, limited);
  const path = await createTranscription(call, limited);
  onProgress(`Transcribing ${sampleSeconds} seconds of speech`);
  await untilReady(call, path, limited);
  const { accessLink: link } = AccessLink.parse(await succeeded(await call('GET', `${path}/access-link?format=md`)));
  const transcript = await (await fetch(link, { signal: limited })).text();
  const firstLines = transcript.trim().split('\n').slice(0, shownLines).join('\n');
  return { transcriptionId: path.split('/').at(-1) ?? '', firstLines, link };
}

async function sendRecording(endpoints: Endpoints, organizationId: string, abortSignal: AbortSignal) {
  const s3 = new S3Client(clientSettings(endpoints.s3Url));
  const sqs = new SQSClient(clientSettings(endpoints.sqsUrl));
  const location = { bucket: endpoints.buckets.recordings, key: `${organizationId}/${recordingId}.wav` };
  const Body = await readFile(sample);
  await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body }), { abortSignal });
  const endDate = new Date();
  const event = {
    id: randomUUID(),
    type: 'recording.finished',
    organizationId,
    createdAt: endDate.toISOString(),
    data: {
      recordingId,
      roomName: '/sample-room',
      roomSessionId: randomUUID(),
      startDate: new Date(endDate.getTime() - sampleSeconds * 1000).toISOString(),
      endDate: endDate.toISOString(),
      filename: 'recording.wav',
      location,
    },
  };
  const QueueUrl = endpoints.queues.roomEvents;
  const message = { QueueUrl, MessageBody: JSON.stringify(event), MessageGroupId: organizationId };
  await sqs.send(new SendMessageCommand(message), { abortSignal });
  s3.destroy();
  sqs.destroy();
}

type Call = (method: string, path: string, body?: object) => Promise<Response>;

/** Retries while the API returns 404: it does not know the recording until a worker has read the event. */
async function createTranscription(call: Call, signal: AbortSignal): Promise<string> {
  for (;;) {
    const response = await call('POST', '/v1/transcriptions', { recordingId });
    const location = response.headers.get('location');
    if (response.status === 201 && location !== null) return location;
    if (response.status !== 404) await succeeded(response);
    await delay(pollMs, undefined, { signal });
  }
}

async function untilReady(call: Call, path: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { state, failure } = Transcription.parse(await succeeded(await call('GET', path)));
    if (state === 'ready') return;
    if (state === 'failed') throw new Error(`the transcription failed: ${failure?.code} (${failure?.message})`);
    await delay(pollMs, undefined, { signal });
  }
}

async function succeeded(response: Response): Promise<unknown> {
  if (response.status === 200) return response.json();
  throw new Error(`${new URL(response.url).pathname} returned ${response.status} ${await response.text()}`);
}
