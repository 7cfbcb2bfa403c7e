import { readFile } from 'node:fs/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import { jobName } from '#shared/adapters/transcribe/job-name.ts';
import type { TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { jobOutputKey } from '#shared/domain/transcript-location.ts';
import { noticePut } from '#shared/storage/notice-put.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { createSamples } from '#tools/simulation/samples.ts';
import { minuteClock } from '../insight-consumption.ts';
import { newGuest, platformOf } from '../session-events.ts';
import { sqsEvent } from '../sqs-events.ts';
import * as world from './world.ts';

/** What a message is made with. */
export type MessageTools = {
  /** One of the last two messages that were sent to the queue of a worker. */
  readonly sent: (worker: string, index: number) => unknown;
  readonly put: (bucket: 'recordings' | 'transcripts', key: string, body: string | Buffer) => Promise<void>;
  readonly token: () => Promise<string>;
  readonly stackName: string;
};

/** The n-th event of a function. Those of workers are of the messages that requests, or workers before it, have sent. */
export type NumberedMessage = (index: number, tools: MessageTools) => object | Promise<object>;

const { organizationId, session, participantId } = world;
const { uuid: newId } = createRandom('messages');
const times = { from: Date.parse('2026-03-01T11:00:00.000Z'), to: Date.parse('2026-03-01T12:00:00.000Z') };
const platform = platformOf(organizationId, minuteClock('2026-03-01T11:00:00.000Z'), newId);
const client = { roomSessionId: session.roomSessionId, participantId };
const samples = createSamples(createRandom('messages', 1), client, times, 'good').map(({ data }) => data);
const scheduled: NumberedMessage = () => ({});
const ofQueue =
  (worker: string): NumberedMessage =>
  (index, { sent }) =>
    sqsEvent(sent(worker, index));

/** An event for each function that no request invokes, in an order in which each can use what those before it have sent. */
export const messages: Readonly<Record<string, NumberedMessage>> = {
  'authorize-request': async (_, { token }) => {
    const authorization = `Bearer ${await token()}`;
    return { version: '2.0', type: 'REQUEST', headers: { authorization }, requestContext: { requestId: 'request-1' } };
  },
  'relay-notices': (index) => {
    const { Put: { Item = {} } = {} } = noticePut('', world.sessionNotice(index));
    const dynamodb = { NewImage: marshall(Item), SequenceNumber: `s-${index}` };
    return { Records: [{ eventID: `e-${index}`, eventName: 'INSERT', dynamodb }] };
  },
  'put-notice-events': ofQueue('put-notice-events'),
  'reconcile-transcriptions': scheduled,
  'close-idle-sessions': scheduled,
  'settle-sessions': scheduled,
  'sweep-notices': scheduled,
  'record-room-events': () => sqsEvent(platform.joined(session, newGuest({}, newId))),
  'record-network-samples': (index) => sqsEvent(...samples.slice(index, index + 1).map(platform.sampled)),
  'translate-hooks': ofQueue('translate-hooks'),
  'delete-transcriptions': ofQueue('delete-transcriptions'),
  'start-transcription': async (index, { sent, put }) => {
    await put('recordings', world.mediaKey(world.count + index), await readFile(sample));
    return sqsEvent(sent('start-transcription', index));
  },
  'finish-transcription': async (index, { sent, put, stackName }) => {
    const { transcriptionId } = sent('start-transcription', index) as TranscriptionJobMessage;
    const work = { organizationId, transcriptionId };
    await put('transcripts', jobOutputKey(work), JSON.stringify(output));
    const detail = { TranscriptionJobName: jobName(stackName, work), TranscriptionJobStatus: 'COMPLETED' };
    return sqsEvent({ detail });
  },
  'write-transcript': (index, { sent }) => sqsEvent(sent('start-transcription', index)),
  'replay-notices': ofQueue('replay-notices'),
};

const sample = new URL('../../../tools/local/sample/recording.wav', import.meta.url);
const word = (content: string, from: number) => ({
  ...{ id: 0, type: 'pronunciation', alternatives: [{ confidence: '0.99', content }], speaker_label: 'spk_0' },
  ...{ start_time: String(from), end_time: String(from + 0.4) },
});
const items = ['Good', 'morning', 'to', 'all'].map((content, index) => word(content, index / 2));
/** What Transcribe writes for a job. */
const output = {
  ...{ jobName: 'job', accountId: '123456789012', status: 'COMPLETED' },
  results: { language_code: 'en-US', transcripts: [{ transcript: 'Good morning to all' }], items },
};
