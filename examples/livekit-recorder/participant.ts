import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AudioFrame,
  AudioSource,
  dispose,
  LocalAudioTrack,
  Room,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { setting } from './settings.ts';

// Joins a room, speaks a WAV file of 16 bit and one channel, and leaves, at the latest on SIGINT or SIGTERM. It tries the recorder without
// a browser: `node participant.ts <room> <identity> <file.wav>`.

const headerBytes = 44;
const frameMs = 20;
/** For how long the participant stays before and after the file, so that nobody misses the start. */
const quietMs = 2_000;

async function speak(source: AudioSource, samples: Int16Array, rate: number): Promise<void> {
  const length = (rate * frameMs) / 1000;
  for (let at = 0; at < samples.length && !leaving.signal.aborted; at += length) {
    const frame = AudioFrame.create(rate, 1, length);
    frame.data.set(samples.subarray(at, at + length));
    await source.captureFrame(frame);
  }
  if (!leaving.signal.aborted) await source.waitForPlayout();
}

/** Stays for a moment, unless the participant is asked to leave. */
async function stay(): Promise<void> {
  await delay(quietMs, undefined, { signal: leaving.signal }).catch(() => {});
}

const leaving = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leaving.abort());
const [roomName, identity, file] = process.argv.slice(2);
if (!roomName || !identity || !file) throw new Error('Run: node participant.ts <room> <identity> <file.wav>');
const { buffer, byteOffset, byteLength } = await readFile(file);
const rate = new DataView(buffer, byteOffset).getUint32(24, true);
const samples = new Int16Array(buffer.slice(byteOffset + headerBytes, byteOffset + byteLength));
const token = new AccessToken(setting('LIVEKIT_API_KEY'), setting('LIVEKIT_API_SECRET'), { identity, name: identity });
token.addGrant({ room: roomName, roomJoin: true, canPublish: true, canSubscribe: true });
const room = new Room();
await room.connect(setting('LIVEKIT_URL'), await token.toJwt(), { autoSubscribe: false, dynacast: false });
const source = new AudioSource(rate, 1);
const options = new TrackPublishOptions();
options.source = TrackSource.SOURCE_MICROPHONE;
const track = LocalAudioTrack.createAudioTrack('microphone', source);
await room.localParticipant?.publishTrack(track, options);
console.log(JSON.stringify({ participant: 'joined', identity }));
await stay();
await speak(source, samples, rate);
console.log(JSON.stringify({ participant: 'spoken', identity }));
await stay();
await room.disconnect();
await dispose();
