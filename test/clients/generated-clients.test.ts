import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { succeed } from '../support/client/run-program.ts';
import { eventually } from '../support/eventually.ts';
import { clientOf } from '../support/http/checked-api.ts';
import { sessionOf, tellerOf } from '../support/insights/insights.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../support/insights/live-sessions.ts';
import { endpoints, organization, token } from '../support/machine.ts';
import { finishRecording, readyTranscription, registered } from '../support/media/recordings.ts';
import { clients } from './clients.ts';
import { assertPrograms } from './tools.ts';

// Makes clients with third-party generators, compiles them, and calls the API with them, as users do. Each client does the
// same, in a program of its own language.

beforeAll(assertPrograms);

const transcript = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n';

/**
 * An organization with two live transcriptions, one of a recording with a speaker, a recording that has none yet, and a
 * session of two people, on two days.
 */
async function createWorld() {
  const acme = organization();
  const [older, newer, unwanted] = [
    liveSession(acme, { startDate: '2026-03-01T09:00:00.000Z' }),
    liveSession(acme, { startDate: '2026-03-02T09:00:00.000Z' }),
    liveSession(acme, { startDate: '2026-02-01T09:00:00.000Z' }),
  ];
  const location = await keepTranscript(older.key('daily.vtt'), transcript);
  await sendToRoomEvents([
    older.finished({ storageType: 'SERVICE_HOSTED', location }),
    newer.started(),
    unwanted.finished(),
  ]);
  await known(acme, older.path, 'ready');
  await known(acme, newer.path);
  await known(acme, unwanted.path, 'ready');
  const { recordingId } = await finishRecording(acme);
  await registered(acme, recordingId);
  const day = { startDate: '2026-02-02T09:00:00.000Z', endDate: '2026-02-02T09:00:31.000Z' }; // is not among those that are listed
  const spoken = await readyTranscription(acme, day);
  const session = sessionOf(acme, { roomName: '/Team Å/standup & more' });
  const tell = tellerOf(acme);
  await tell(
    session.created('08:00'),
    session.started('09:00'),
    session.joined('ada', '09:00'),
    session.joined('bo/b', '09:01'),
    session.sampled('ada', '09:00', [0.5, null, 12.25]),
    session.rated('ada', '09:10', 4),
    session.rated('bo/b', '09:10', 5),
    session.left('ada', '09:30'),
    session.left('bo/b', '09:30'),
    session.ended('09:30'),
  );
  return { acme, older, newer, unwanted, recordingId, spoken, session };
}

test.each(Object.entries(clients))('a client made by %s compiles, and does what the API can do', async (_, prepare) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-client-'));
  try {
    const { program, args } = await prepare(folder);
    const { acme, older, newer, unwanted, recordingId, spoken, session } = await createWorld();
    const { roomName, roomSessionId } = session;
    const world = JSON.stringify({
      apiUrl: endpoints.apiUrl,
      token: await token(acme),
      ready: older.transcriptionId,
      unwanted: unwanted.transcriptionId,
      spoken: spoken.transcriptionId,
      recordingId,
      roomName,
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-03T02:00:00.123+02:00',
    });

    const { stdout } = await succeed(program, [...args, world], { folder });

    const { link, expires, ...got } = JSON.parse(stdout);
    expect(got).toEqual({
      listed: [older.transcriptionId, newer.transcriptionId],
      got: ['ready', 600, Date.parse('2026-03-01T09:00:00Z')],
      created: 201,
      corrected: ['Ada', 'corrected'],
      refused: 'recording_not_found',
      issue: 'cursor',
      rooms: [[roomName, 59, 4.5]],
      sessions: [[roomSessionId, 4.5]],
      people: ['ada', 'bo/b'],
      samples: [0.5, null, 12.25],
    });
    expect(await (await fetch(link)).text()).toBe(transcript);
    expect(expires - Date.now()).toBeLessThanOrEqual(60_000);
    await eventually(async () => {
      expect((await clientOf(acme)('GET', unwanted.path)).status).toBe(404);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
