import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dispose, type RemoteTrackPublication, Room, RoomEvent, TrackSource } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { Roomscribe, sessionOf } from './roomscribe.ts';
import { setting } from './settings.ts';
import { type Outcome, type RecordedTrack, type Recording, recordTrack } from './track.ts';

// Records one LiveKit room until it closes, or until SIGINT or SIGTERM: `node recorder.ts <room>`. README.md lists its settings.

const maxTracksPerEvent = 100;

/** A token of a participant whom nobody sees, and who does not keep the room open. */
function recorderToken(room: string): Promise<string> {
  const identity = `recorder-${randomUUID()}`;
  const token = new AccessToken(setting('LIVEKIT_API_KEY'), setting('LIVEKIT_API_SECRET'), { identity });
  token.addGrant({ room, roomJoin: true, hidden: true, recorder: true, canPublish: false, canSubscribe: true });
  return token.toJwt();
}

function subscribe(publication: RemoteTrackPublication): void {
  if (publication.source === TrackSource.SOURCE_MICROPHONE) publication.setSubscribed(true);
}

/** Records a room. Returns the errors of tracks that were not uploaded. */
async function record(roomName: string): Promise<readonly unknown[]> {
  const destination = {
    organizationId: setting('ROOMSCRIBE_ORGANIZATION'),
    recordingsBucket: setting('ROOMSCRIBE_RECORDINGS_BUCKET'),
    roomEventsQueueUrl: setting('ROOMSCRIBE_ROOM_EVENTS_QUEUE_URL'),
  };
  const roomscribe = new Roomscribe(destination);
  const room = new Room();
  const ended = new Promise<void>((resolve) => {
    room.once(RoomEvent.Disconnected, () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await room.connect(setting('LIVEKIT_URL'), await recorderToken(roomName), { autoSubscribe: false, dynacast: false });
  const session = sessionOf(destination, { name: roomName, sid: await room.getSid() });
  const folder = process.env.RECORDER_FOLDER ?? path.join(tmpdir(), 'livekit-recorder');
  const recording: Recording = { session, destination, roomscribe, folder };
  const tracks: Promise<readonly Outcome[]>[] = [];
  room.on(RoomEvent.TrackPublished, subscribe);
  room.on(RoomEvent.TrackSubscribed, (track, { sid = '' }, { identity: participantId }) => {
    tracks.push(recordTrack(recording, { track, trackSid: sid, participantId }));
  });
  for (const { trackPublications } of room.remoteParticipants.values()) {
    for (const publication of trackPublications.values()) subscribe(publication);
  }
  console.log(JSON.stringify({ recording: 'started', ...session }));
  await ended;
  await room.disconnect();
  const outcomes = (await Promise.all(tracks)).flat();
  const recorded = outcomes.flatMap((outcome) => ('recorded' in outcome ? [outcome.recorded] : []));
  if (recorded.length > 0) {
    await roomscribe.send(`recorder-${randomUUID()}`, 'recording.finished', {
      ...session,
      ...finishedRecording(recorded),
    });
  }
  console.log(JSON.stringify({ recording: 'finished', ...session, tracks: recorded.length }));
  return outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
}

/** What `recording.finished` says. Each track was reported before, so it names as many of them as the event takes. */
function finishedRecording(recorded: readonly RecordedTrack[]) {
  const startDate = recorded.map((track) => track.startDate).sort()[0];
  const endDate = recorded
    .map((track) => track.endDate)
    .sort()
    .at(-1);
  return { startDate, endDate, tracks: recorded.slice(-maxTracksPerEvent) };
}

const [roomName] = process.argv.slice(2);
if (!roomName) throw new Error('Name the room: node recorder.ts <room>');
const errors = await record(roomName);
for (const error of errors) console.error(error);
await dispose();
process.exit(errors.length === 0 ? 0 : 1);
