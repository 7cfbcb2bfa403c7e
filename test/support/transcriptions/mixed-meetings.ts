import { randomUUID } from 'node:crypto';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { at, type SessionTeller, send, sessionOf, untilCounted } from '../insights/insights.ts';
import { organization } from '../machine.ts';
import { createTranscription, ended, finishRecording, sampleWav, shortWav } from '../media/recordings.ts';
import { buildWav, cutWav } from '../media/wav.ts';

/** When the mixed recordings of these meetings begin. */
export const recordedFrom = at('09:00');
const sampleRate = 16_000;
const headerBytes = 44;

/** The time so many seconds after the beginning of the recording. */
export function second(seconds: number): string {
  return new Date(Date.parse(recordedFrom) + seconds * 1000).toISOString();
}

type Meeting = {
  readonly acme?: string;
  readonly wav?: Buffer;
  /** How much longer the dates of the recording are than its file. */
  readonly extraSeconds?: number;
};

/**
 * A session with these events, whose mixed file is transcribed, and the transcription when it is ready. The recognizer of this machine
 * hears one speaker in it.
 */
export async function mixedMeeting(
  events: (session: SessionTeller) => readonly PlatformEvent[],
  { acme = organization(), wav = shortWav, extraSeconds = 0 }: Meeting = {},
) {
  const session = sessionOf(acme, { roomName: '/mixed', roomSessionId: randomUUID() });
  const all = events(session);
  await send(...all);
  await untilCounted(acme, all);
  const { roomName, roomSessionId } = session;
  const seconds = (wav.length - headerBytes) / sampleRate / 2;
  const dates = { startDate: recordedFrom, endDate: second(seconds + extraSeconds) };
  const { recordingId } = await finishRecording(acme, { body: wav, roomName, roomSessionId, ...dates });
  const { path, transcriptionId } = await createTranscription(acme, recordingId);
  const { state, speakers = [] } = await ended(acme, path);
  if (state !== 'ready') throw new Error(`The transcription is ${state}.`);
  return { acme, path, transcriptionId, session, speakers };
}

/** Parts of the sample, in its seconds, and the silence after each. The pauses differ, so one offset of a feed fits them best. */
const sentences = [
  { from: 0, to: 1.6, pause: 4 },
  { from: 3.9, to: 5.6, pause: 7 },
  { from: 7.6, to: 9, pause: 2.5 },
  { from: 9.4, to: 11, pause: 9 },
  { from: 12.3, to: 14.2, pause: 3 },
  { from: 16.2, to: 18, pause: 6 },
  { from: 20.9, to: 22.4, pause: 5 },
  { from: 24, to: 25.5, pause: 2 },
] as const;

/** A monologue of sentences with pauses, and when each sentence is said. */
export function pausedMonologue(): { readonly wav: Buffer; readonly said: readonly (readonly [number, number])[] } {
  const samples: Buffer[] = [];
  const said: (readonly [number, number])[] = [];
  let now = 0;
  for (const { from, to, pause } of sentences) {
    samples.push(cutWav(sampleWav, from, to).subarray(headerBytes), Buffer.alloc(pause * sampleRate * 2));
    said.push([now, now + to - from]);
    now += to - from + pause;
  }
  return { wav: buildWav({ samples: Buffer.concat(samples) }), said };
}
