import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import { transcribeMeeting } from '#tools/local/demo/meeting.ts';
import { demoOrganization } from '#tools/shared/token.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { generateHistory, roomNameOf } from '#tools/simulation/generate.ts';
import { sendEvents } from '#tools/simulation/send.ts';
import { insightsOf } from '../support/insights/insights.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../support/insights/live-sessions.ts';
import { storeLongSession } from '../support/insights/long-session.ts';
import { endpoints, token } from '../support/machine.ts';
import {
  createTranscription,
  ended,
  finishRecording,
  readyTranscription,
  sampleWav,
} from '../support/media/recordings.ts';
import { createWebhook } from '../support/webhooks/webhooks.ts';
import { hostileNames } from './hostile-names.ts';

/** The organization of the world. The console of `npm start` is signed in to it. */
export const acme = demoOrganization;
/** The day on which everything happens. */
export const day = '2026-03-02T00:00:00.000Z';
const at = (time: string) => `2026-03-02T${time}.000Z`;

/** What the tests look at: a day of rooms, a session of 24 hours with 1 000 people, transcripts in every state, and a webhook. */
export type World = Awaited<ReturnType<typeof makeWorld>>;

/** The world, which the first caller makes. */
export function world(): Promise<World> {
  return kept('world', makeWorld);
}

/** Keeps what was made beside the service, because a test runner that watches files loads this module again. */
async function kept<Made>(name: string, make: () => Promise<Made>): Promise<Made> {
  const file = path.join(inject('machine').temporaryFolder, `${name}.json`);
  if (!existsSync(file)) await writeFile(file, JSON.stringify(await make()));
  return JSON.parse(await readFile(file, 'utf8'));
}

async function makeWorld() {
  const rooms = { organizationId: acme, rooms: 8, sessions: 4, participants: 8, seed: 1, day, roomPrefix: '/team/' };
  const events = [...generateHistory(rooms), ...hostileNames.flatMap(hostileSession)];
  const webhook = await createWebhook(acme, { description: 'Tells the calendar' });
  await sendEvents(events, { endpoints });
  const plan = { organizationId: acme, roomName: '/conference/all-day', seed: 7, startedAt: Date.parse(day) };
  const transcripts = await kept('transcripts', makeTranscripts); // first: speech is recognized slowly beside 5 000 events
  const long = await storeLongSession(plan, { endpoints }); // waits until all events are handled
  const roomName = roomNameOf(rooms, 1);
  const { results } = await insightsOf(acme).roomSessions({ roomName });
  const session = { id: results[0]?.roomSessionId ?? '', room: roomName };
  return {
    ...transcripts,
    webhookId: webhook.webhookId,
    session,
    person: personOn('bad network', events),
    long: { id: long.roomSessionId, room: plan.roomName, people: long.sampledThroughout },
  };
}

/** Who has these words in their name, and samples of the network. */
function personOn(words: string, events: readonly PlatformEvent[]) {
  const joins = events.filter((event) => event.type === 'room.client.joined');
  const { roomSessionId, roomName, participantId } =
    joins.find(({ data }) => data.displayName.includes(words))?.data ?? {};
  return { session: roomSessionId ?? '', room: roomName ?? '', id: participantId ?? '' };
}

async function makeTranscripts() {
  const signal = AbortSignal.timeout(400_000);
  const options = { endpoints, organizationId: acme, token: await token(acme), onProgress: () => {}, signal };
  const speech = { body: sampleWav, roomName: '/team/standup', startDate: at('09:00:00'), endDate: at('09:00:31') };
  const meeting = await kept('meeting', () => transcribeMeeting(options, at('10:00:00')));
  const ready = await readyTranscription(acme, speech);
  const longDates = { startDate: day, endDate: '2026-03-03T00:00:00.000Z', roomName: '/conference/all-day' };
  const long = await readyTranscription(acme, longDates);
  const missing = await finishRecording(acme, {
    roomName: '/team/retro',
    startDate: at('11:00:00'),
    endDate: at('11:30:00'),
  });
  const failed = await createTranscription(acme, missing.recordingId);
  await ended(acme, failed.path);
  return {
    meetingId: meeting.transcriptionId,
    readyId: ready.transcriptionId,
    longId: long.transcriptionId,
    failedId: failed.transcriptionId,
    ...(await makeLiveTranscripts()),
  };
}

async function makeLiveTranscripts() {
  const [inProgress, platform, own] = ['12:00:00', '13:00:00', '14:00:00'].map((time) =>
    liveSession(acme, { roomName: '/team/support', startDate: at(time) }),
  ) as [ReturnType<typeof liveSession>, ReturnType<typeof liveSession>, ReturnType<typeof liveSession>];
  const text = 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ada>Good morning, and welcome.\n';
  const location = await keepTranscript(platform.key('captions.vtt'), text);
  await sendToRoomEvents([
    inProgress.started(),
    platform.finished({ storageType: 'SERVICE_HOSTED', location }),
    own.finished({ filename: 'captions.vtt' }),
  ]);
  await Promise.all([
    known(acme, inProgress.path),
    known(acme, platform.path, 'ready'),
    known(acme, own.path, 'ready'),
  ]);
  return {
    inProgressId: inProgress.transcriptionId,
    platformId: platform.transcriptionId,
    selfHostedId: own.transcriptionId,
  };
}

/** A session in a room with a hostile name, of somebody with the same name. */
function hostileSession(name: string, index: number): PlatformEvent[] {
  const session = { roomName: name, roomSessionId: `00000000-0000-4000-8000-00000000000${index}` };
  const client = { ...session, participantId: `hostile-${index}` };
  const displayName = [...name.slice(1)].slice(0, 120).join('');
  const event = (type: string, time: string, data: object) =>
    ({ id: randomUUID(), type, organizationId: acme, createdAt: at(time), data }) as PlatformEvent;
  return [
    event('room.session.started', '15:00:00', session),
    event('room.client.joined', '15:00:01', { ...client, displayName, deviceId: 'd', roleName: 'guest' }),
    event('room.client.left', '15:20:00', client),
    event('room.session.ended', '15:20:01', session),
  ];
}
