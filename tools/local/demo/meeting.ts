import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TranscriptDocument } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { sendEvents } from '#tools/simulation/send.ts';
import { record } from '../meeting/record.ts';
import { meeting, meetingSeconds, type Person } from '../meeting/script.ts';
import { finishRecording } from './platform.ts';
import { type DemoOptions, type DemoTranscript, requestTranscript, withinLimit } from './transcript.ts';

/** Constant, so that an interrupted demo resumes the transcription that it started. */
const recordingId = '5a3b1e90-0000-4000-8000-000000000002';
const session = { roomName: '/sample-meeting', roomSessionId: '5a3b1e90-0000-4000-8000-000000000003' };

/** The transcript of the meeting, and who its speakers are. */
export type MeetingTranscript = DemoTranscript & { readonly speakers: string };

/**
 * Records a meeting with a track for each of its people, sends it as a platform does, and requests its transcript as a client does. The
 * tracks of another `startDate` would be further tracks.
 */
export function transcribeMeeting(options: DemoOptions, startDate: string): Promise<MeetingTranscript> {
  return withinLimit(options, async (limited) => {
    limited.onProgress(`Recording a meeting of ${meeting.length} people`);
    await sendEvents(eventsOf(limited.organizationId, startDate), {
      endpoints: limited.endpoints,
      signal: limited.signal,
    });
    await sendTracks(limited, startDate);
    limited.onProgress(`Transcribing ${meeting.length} tracks`);
    const transcript = await requestTranscript(limited, recordingId);
    const { speakers = [] }: TranscriptDocument = JSON.parse(await transcript.read('json'));
    const named = speakers.map(({ displayName, participantId }) => `${displayName} is ${participantId}`);
    return { ...transcript, speakers: named.join(', ') };
  });
}

/** The events of the session, which name the people. They have constant ids: an interrupted demo sends them again. */
function eventsOf(organizationId: string, startDate: string): PlatformEvent[] {
  const at = clockFrom(startDate);
  const envelope = (name: string, seconds: number) => ({
    ...{ id: `${recordingId} ${name}`, organizationId, createdAt: at(seconds) },
  });
  const joins = meeting.map(({ participantId, displayName, from }): PlatformEvent => {
    const data = { ...session, participantId, displayName, deviceId: `device of ${participantId}`, roleName: 'guest' };
    return { ...envelope(`joined ${participantId}`, from), type: 'room.client.joined', data };
  });
  return [
    { ...envelope('started', 0), type: 'room.session.started', data: session },
    ...joins,
    { ...envelope('ended', meetingSeconds), type: 'room.session.ended', data: session },
  ];
}

function clockFrom(startDate: string): (seconds: number) => string {
  return (seconds) => new Date(Date.parse(startDate) + seconds * 1000).toISOString();
}

async function sendTracks(options: DemoOptions, startDate: string): Promise<void> {
  const { endpoints, organizationId, signal } = options;
  const at = clockFrom(startDate);
  const recorded = await recordTracks(signal);
  const tracks = recorded.map(({ person: { participantId, from, to }, body }) => {
    const key = `${organizationId}/${recordingId}/${participantId}.ogg`;
    const location = { bucket: endpoints.buckets.recordings ?? '', key };
    return { body, event: { participantId, location, startDate: at(from), endDate: at(to) } };
  });
  await finishRecording(options, {
    data: {
      ...session,
      recordingId,
      startDate: at(0),
      endDate: at(meetingSeconds),
      tracks: tracks.map(({ event }) => event),
    },
    files: tracks.map(({ event: { location }, body }) => ({ location, body })),
  });
}

async function recordTracks(signal: AbortSignal): Promise<{ readonly person: Person; readonly body: Uint8Array }[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-meeting-'));
  try {
    const recording = meeting.map(async (person) => {
      const file = path.join(folder, `${person.participantId}.ogg`);
      await record(person, file, 'opus-dtx', signal);
      return { person, body: await readFile(file) };
    });
    return await Promise.all(recording);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
