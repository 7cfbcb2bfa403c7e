import type { TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { partOutputKey } from '#shared/domain/transcriptions/transcript-location.ts';
import { sqsEvent } from '../http/sqs-events.ts';
import { buildWav } from '../media/wav.ts';
import { completedJob, jobOutput } from './jobs.ts';
import type { NumberedMessage } from './message-tools.ts';
import { requestsOf } from './requests.ts';
import { count, organizationId, recordingId, session } from './world.ts';

const bytesPerSecond = 2 * 16_000;
const tone = Buffer.from(Array.from({ length: 20 * bytesPerSecond }, (_, index) => index % 64));
/** Forty seconds, of which a file for Transcribe is made, because it leaves out a pause of twenty. */
const track = buildWav({ samples: Buffer.concat([tone, Buffer.alloc(20 * bytesPerSecond)]) });
const partsOfWork = 2;

/** The number of the first request for a transcription of a recording with tracks. */
const firstRequest = count + 10;
const at = (seconds: number) => new Date(Date.parse('2026-03-01T10:00:00.000Z') + seconds * 1000).toISOString();

/** The request to prepare a recording of a minute with two tracks, which start-transcription sends. */
export const preparation: NumberedMessage = async (index, { put, invoke, sent }) => {
  const id = recordingId(count + firstRequest + index);
  const tracks = [];
  for (const [participantId, start] of [
    ['ada', 0],
    ['bob', 5],
  ] as const) {
    const location = await put('recordings', `${organizationId}/${id}/${participantId}`, track);
    tracks.push({ participantId, startDate: at(start), location });
  }
  const data = { recordingId: id, ...session, filename: 'standup', startDate: at(0), endDate: at(60), tracks };
  const event = { id, type: 'recording.finished', organizationId, createdAt: at(61), data };
  await invoke('record-room-events', sqsEvent(event));
  await invoke('create-transcription', requestsOf('')['create-transcription'](firstRequest + index));
  await invoke('start-transcription', sqsEvent(sent('start-transcription', 1)));
  return sqsEvent(sent('prepare-media', 1));
};

/** The request to merge the n-th work that was prepared, which finish-transcription sends for the last part that ends. */
export const merge: NumberedMessage = async (index, { put, invoke, sent, stackName }) => {
  for (let part = 1; part <= partsOfWork; part++) {
    const message = sent('start-transcription', 1 + part - (2 - index) * partsOfWork) as TranscriptionJobMessage;
    const { transcriptionId } = message;
    await invoke('start-transcription', sqsEvent(message));
    await put('transcripts', partOutputKey({ organizationId, workId: transcriptionId, part }), jobOutput);
    await invoke('finish-transcription', completedJob(stackName, { organizationId, transcriptionId, part }));
  }
  return sqsEvent(sent('merge-transcription', 1));
};
