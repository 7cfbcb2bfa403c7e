import { readFile } from 'node:fs/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { jobOutputKey } from '#shared/domain/transcriptions/transcript-location.ts';
import { noticePut } from '#shared/storage/notices/notice-put.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { createSamples } from '#tools/simulation/samples.ts';
import { sqsEvent } from '../http/sqs-events.ts';
import { minuteClock } from '../insights/insight-consumption.ts';
import { newGuest, platformOf } from '../insights/session-events.ts';
import { completedJob, jobOutput } from './jobs.ts';
import type { NumberedMessage } from './message-tools.ts';
import { merge, preparation } from './work-in-parts.ts';
import * as world from './world.ts';

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

/** The record of a notice that was just stored. A webhook gets none that is older than itself. */
const newNotice: NumberedMessage = async (index, { store }) => {
  const notice = world.sessionNotice(world.count + index, new Date());
  const { Put: { Item = {} } = {} } = await store((tables) => noticePut(tables.notices, notice));
  const dynamodb = { NewImage: marshall(Item), SequenceNumber: `s-${index}` };
  return { Records: [{ eventID: `e-${index}`, eventName: 'INSERT', dynamodb }] };
};

/** The message of a notice that was just stored and relayed. It is newer than what plan-deliveries has kept of webhooks, so that they are read. */
const toPlan: NumberedMessage = async (index, tools) => {
  await tools.invoke('relay-notices', await newNotice(index, tools));
  return sqsEvent(tools.sent('plan-deliveries', 1));
};

/** An event for each function that no request invokes, in an order in which each can use what those before it have sent. */
export const messages: Readonly<Record<string, NumberedMessage>> = {
  'authorize-request': async (_, { token }) => {
    const authorization = `Bearer ${await token()}`;
    return { version: '2.0', type: 'REQUEST', headers: { authorization }, requestContext: { requestId: 'request-1' } };
  },
  'relay-notices': newNotice,
  'put-notice-events': ofQueue('put-notice-events'),
  'plan-deliveries': (index, tools) => toPlan(index + 2, tools),
  'deliver-notices': async (index, tools) => {
    await tools.invoke('plan-deliveries', await toPlan(index + 4, tools)); // the second event has one delivery, and no earlier ones
    return sqsEvent(tools.sent('deliver-notices', 1));
  },
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
    await put('transcripts', jobOutputKey(work), jobOutput);
    return completedJob(stackName, work);
  },
  'write-transcript': (index, { sent }) => sqsEvent(sent('start-transcription', index)),
  'replay-notices': ofQueue('replay-notices'),
  'prepare-media': preparation,
  'merge-transcription': merge,
};

const sample = new URL('../../../tools/local/sample/recording.wav', import.meta.url);
