import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { TranscriptFormat } from '#shared/contracts/transcriptions/transcription.ts';
import { AccessLink, TranscriptionDetail } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { eventually } from '../eventually.ts';
import { clientOf, read } from '../http/checked-api.ts';
import { dynamodb, endpoints, s3, sendRoomEvent } from '../machine.ts';
import { cutWav } from './wav.ts';

const folder = new URL('../../../tools/local/sample/', import.meta.url);

/** The sample recording: 31 seconds of speech. */
export const sampleWav = await readFile(new URL('recording.wav', folder));
/** The spoken text of the sample, a sentence per line. */
export const sampleText = await readFile(new URL('recording.txt', folder), 'utf8');
/**
 * The first words of the sample, for tests that need any speech. The local runner recognizes as many recordings at once as it has cores,
 * and each second costs a sixth of a second, so a short one saves time.
 */
export const shortWav = cutWav(sampleWav, 0, 1.2);
/** The first two sentences of the sample, for tests that compare what was said. */
export const twoSentencesWav = cutWav(sampleWav, 0, 8.5);
/**
 * A recording that no other test sends: the same one with a millisecond of noise at its end. The shared machine recognizes equal ones once,
 * so this is for tests that look at a transcription while its job runs.
 */
export function unheard(wav: Buffer): Buffer {
  return Buffer.concat([wav.subarray(0, -32), randomBytes(32)]);
}

/** The first two sentences in the place of the sample, for commands and programs that send it. */
export const twoSentencesAsSample = { 'tools/local/sample/recording.wav': twoSentencesWav };

export type RecordingFacts = {
  /** The file to upload. If undefined, nothing is uploaded. */
  readonly body?: Buffer | string | undefined;
  readonly extension?: string;
  readonly roomName?: string;
  readonly roomSessionId?: string;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly filename?: string;
  /** The location of the file in the event. */
  readonly location?: { readonly bucket: string; readonly key: string };
};

/** Uploads a recording and sends its event, as a platform does. Returns its id and its location. */
export async function finishRecording(organizationId: string, facts: RecordingFacts = {}) {
  const { body, extension = 'wav', ...more } = facts;
  const recordingId = randomUUID();
  const location = { bucket: endpoints.buckets.recordings, key: `${organizationId}/${recordingId}.${extension}` };
  if (body !== undefined) {
    await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body: Buffer.from(body) }));
  }
  const recording = {
    recordingId,
    roomName: '/daily',
    roomSessionId: randomUUID(),
    startDate: '2026-03-01T09:00:00.000Z',
    endDate: '2026-03-01T09:00:31.000Z',
    filename: 'daily.wav',
    location,
    ...more,
  };
  await sendRoomEvent(organizationId, 'recording.finished', recording);
  return recording;
}

/** The event of a recording, for tests that send it again, or change it. */
export function recordingEvent<Data extends object>(
  organizationId: string,
  data: Data,
  createdAt = new Date().toISOString(),
) {
  return { id: randomUUID() as string, type: 'recording.finished', organizationId, createdAt, data };
}

/** Waits until the event of the recording is stored. */
export async function registered(organizationId: string, recordingId: string): Promise<void> {
  const Key = { organizationId: { S: organizationId }, recordingId: { S: recordingId } };
  await eventually(async () => {
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName: endpoints.tables.recordings, Key }));
    if (!Item) throw new Error('The event of the recording is not stored yet.');
  });
}

/** Posts until the event of the recording is stored. Returns the path in `Location` and its id. */
export async function createTranscription(organizationId: string, recordingId: string) {
  const call = clientOf(organizationId);
  const created = await eventually(async () => {
    const answer = await call('POST', '/v1/transcriptions', { body: { recordingId } });
    if (answer.status !== 201) throw new Error(`The transcription was not created: ${answer.status} ${answer.text}`);
    return answer;
  });
  const path = String(created.headers.location);
  return { path, transcriptionId: path.split('/').at(-1) ?? '', created };
}

/** Waits until the transcription has ended and returns it. */
export function ended(organizationId: string, path: string, limitMs = 50_000): Promise<TranscriptionDetail> {
  return eventually(async () => {
    const transcription = read(TranscriptionDetail, await clientOf(organizationId)('GET', path));
    if (transcription.state === 'in_progress') throw new Error('The transcription is still in progress.');
    return transcription;
  }, limitMs);
}

/** Creates a transcription of the first words of the sample and waits until it is ready. */
export async function readyTranscription(organizationId: string, facts: RecordingFacts = {}) {
  const recording = await finishRecording(organizationId, { body: shortWav, ...facts });
  const created = await createTranscription(organizationId, recording.recordingId);
  const transcription = await ended(organizationId, created.path);
  if (transcription.state !== 'ready') throw new Error(`The transcription failed: ${transcription.failure?.code}`);
  return { ...created, recording, transcription };
}

/** Requests a link of S3 to the file of a transcription. */
export async function linkTo(organizationId: string, path: string, format?: TranscriptFormat): Promise<AccessLink> {
  const query = `?validForSeconds=600${format ? `&format=${format}` : ''}`;
  return read(AccessLink, await clientOf(organizationId)('GET', `${path}/access-link${query}`));
}
