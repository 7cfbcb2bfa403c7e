import { randomUUID } from 'node:crypto';
import { dispose, type RemoteTrackPublication, Room, RoomEvent, TrackSource } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { EventQueue, sessionOf } from './roomscribe.ts';
import { setting } from './settings.ts';
import { SpokenIntervals } from './spoken-intervals.ts';

// Tells Roomscribe who speaks in one LiveKit room until it closes, or until SIGINT or SIGTERM: `node speakers.ts <room>`. README.md lists its settings.

const minuteMs = 60_000;

/** A token of an agent whom nobody sees. It does not keep the room open, and Roomscribe counts it as nobody. */
function agentToken(room: string): Promise<string> {
  const identity = `speakers-${randomUUID()}`;
  const token = new AccessToken(setting('LIVEKIT_API_KEY'), setting('LIVEKIT_API_SECRET'), { identity });
  token.kind = 'agent';
  token.addGrant({ room, roomJoin: true, agent: true, hidden: true, canPublish: false, canSubscribe: true });
  return token.toJwt();
}

/** LiveKit tells of a speaker only those who are subscribed to the microphone. */
function subscribe(publication: RemoteTrackPublication): void {
  if (publication.source === TrackSource.SOURCE_MICROPHONE) publication.setSubscribed(true);
}

/** Reports the speakers of a room. Returns the errors of events that were not sent. */
async function report(roomName: string): Promise<readonly unknown[]> {
  const organizationId = setting('ROOMSCRIBE_ORGANIZATION');
  const queue = new EventQueue(organizationId, setting('ROOMSCRIBE_NETWORK_SAMPLES_QUEUE_URL'));
  const room = new Room();
  const ended = new Promise<void>((resolve) => {
    room.once(RoomEvent.Disconnected, () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const spoken = new SpokenIntervals();
  room.on(RoomEvent.TrackPublished, subscribe);
  room.on(RoomEvent.ActiveSpeakersChanged, (speakers) => {
    spoken.change(
      speakers.map(({ identity }) => identity),
      Date.now(),
    );
  });
  await room.connect(setting('LIVEKIT_URL'), await agentToken(roomName), { autoSubscribe: false, dynacast: false });
  const { roomSessionId } = sessionOf({ organizationId }, { name: roomName, sid: await room.getSid() });
  for (const { trackPublications } of room.remoteParticipants.values())
    for (const publication of trackPublications.values()) subscribe(publication);
  console.log(JSON.stringify({ speakers: 'started', roomSessionId }));

  const errors: unknown[] = [];
  const send = async () => {
    for (const [participantId, intervals] of spoken.take(Date.now())) {
      const data = { roomSessionId, participantId, intervals };
      await queue.send(`spoke-${randomUUID()}`, 'room.client.spoke', data).catch((error) => errors.push(error));
    }
  };
  const everyMinute = setInterval(send, minuteMs);
  await ended;
  clearInterval(everyMinute);
  await send();
  await room.disconnect();
  console.log(JSON.stringify({ speakers: 'finished', roomSessionId }));
  return errors;
}

const [roomName] = process.argv.slice(2);
if (!roomName) throw new Error('Name the room: node speakers.ts <room>');
const errors = await report(roomName);
for (const error of errors) console.error(error);
await dispose();
process.exit(errors.length === 0 ? 0 : 1);
