import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { AccessLink, type TranscriptFormat, Transcription } from '#shared/contracts/transcription.ts';
import { clientOf, read } from './checked-api.ts';
import { dynamodb, endpoints, eventually, s3, sendRoomEvent } from './machine.ts';
import { cutWav } from './wav.ts';

const folder = new URL('../../tools/local/sample/', import.meta.url);

/** The sample recording: 31 seconds of speech. */
export const sampleWav = await readFile(new URL('recording.wav', folder));
/** What is said in it. */
export const sampleText = await readFile(new URL('recording.txt', folder), 'utf8');
/** Its first words, for where any speech will do: the machine recognizes one recording at a time. */
export const shortWav = cutWav(sampleWav, 0, 2);

export type RecordingFacts = {
  /** Undefined: nothing is uploaded. */
  readonly body?: Buffer | string | undefined;
  readonly extension?: string;
  readonly roomName?: string;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly filename?: string;
  /** Where the event says that the file is. */
  readonly location?: { readonly bucket: string; readonly key: string };
};

/** Uploads a recording and sends its event, as a platform does; returns what it was registered as. */
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

/** Until the recording's event has arrived. */
export async function registered(organizationId: string, recordingId: string): Promise<void> {
  const Key = { organizationId: { S: organizationId }, recordingId: { S: recordingId } };
  await eventually(async () => {
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName: endpoints.tables.recordings, Key }));
    if (!Item) throw new Error('The event of the recording has not arrived.');
  });
}

/** Posts until the recording's event has arrived; returns the path that `Location` names, and the id in it. */
export async function createTranscription(organizationId: string, recordingId: string) {
  const call = clientOf(organizationId);
  const created = await eventually(async () => {
    const answer = await call('POST', '/v1/transcriptions', { body: { recordingId } });
    if (answer.status !== 201) throw new Error(`Not created: ${answer.status} ${answer.text}`);
    return answer;
  });
  const path = String(created.headers.location);
  return { path, transcriptionId: path.split('/').at(-1) ?? '', created };
}

/** The transcription once it has come to its end. */
export function ended(organizationId: string, path: string): Promise<Transcription> {
  return eventually(async () => {
    const transcription = read(Transcription, await clientOf(organizationId)('GET', path));
    if (transcription.state === 'in_progress') throw new Error('It is in progress.');
    return transcription;
  }, 50_000);
}

/** A ready transcription of the first words of the sample. */
export async function readyTranscription(organizationId: string, facts: RecordingFacts = {}) {
  const recording = await finishRecording(organizationId, { body: shortWav, ...facts });
  const created = await createTranscription(organizationId, recording.recordingId);
  const transcription = await ended(organizationId, created.path);
  if (transcription.state !== 'ready') throw new Error(`It failed: ${transcription.failure?.code}`);
  return { ...created, recording, transcription };
}

/** A link to a transcription's file. */
export async function linkTo(organizationId: string, path: string, format?: TranscriptFormat): Promise<AccessLink> {
  const query = format ? `?format=${format}` : '';
  return read(AccessLink, await clientOf(organizationId)('GET', `${path}/access-link${query}`));
}
