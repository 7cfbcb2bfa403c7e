import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { organization } from '../../support/machine.ts';
import { useWorld } from '../support/use-world.ts';

const { world } = await useWorld();
const minuteMs = 60_000;

/** A recording with a track of each of two participants, whose session goes on. */
async function open() {
  const organizationId = organization();
  const ids = { recordingId: randomUUID(), roomSessionId: randomUUID(), roomName: '/standup' };
  const track = (participantId: string, startDate: string, endDate: string) =>
    world.event(organizationId, 'recording.track.finished', {
      ...{ ...ids, participantId, startDate, endDate },
      location: { bucket: world.resources.buckets.recordings, key: `${organizationId}/${participantId}.ogg` },
    });
  await track('ann', '2026-03-01T09:00:07.000Z', '2026-03-01T09:31:00.000Z');
  await track('bob', '2026-03-01T09:00:02.000Z', '2026-03-01T09:30:00.000Z');
  return { organizationId, ...ids, track };
}

type Recording = Awaited<ReturnType<typeof open>>;

/** Sends the end of the recording's session at the time of the world's clock. Returns the event. */
async function endSession({ organizationId, roomName, roomSessionId }: Recording) {
  const of = { id: randomUUID(), type: 'room.session.ended', organizationId, createdAt: world.clock.toISOString() };
  const event = { ...of, data: { roomName, roomSessionId } };
  expect(await world.work('roomEvents', [JSON.stringify(event)])).toBe(0);
  return event;
}

async function create({ organizationId, recordingId }: Recording) {
  const outcome = await world.api('createTranscription', { organizationId, body: { recordingId } });
  if (outcome === 'killed') throw new Error('No process was expected to die.');
  const code = (outcome.body as { readonly code?: string } | undefined)?.code;
  return { status: outcome.status, code, transcriptionId: outcome.location?.split('/').at(-1) ?? '' };
}

const notFound = { status: 404, code: 'recording_not_found' };
const pass = (ms: number) => {
  world.clock = new Date(world.clock.getTime() + ms);
};
const rowOf = async (transcriptionId: string) =>
  (await world.states.rows()).find((row) => row.transcriptionId === transcriptionId);

describe('a recording with tracks', () => {
  test('is not found until 15 minutes after its session, and then has the dates of its tracks', async () => {
    const recording = await open();
    expect(await create(recording)).toMatchObject(notFound);
    await endSession(recording);
    pass(15 * minuteMs - 1);
    expect(await create(recording)).toMatchObject(notFound);
    pass(1);
    const { status, transcriptionId } = await create(recording);
    expect(status).toBe(201);
    const row = await rowOf(transcriptionId);
    expect(row).toMatchObject({
      ...{ trackRevision: 2, roomName: '/standup', roomSessionId: recording.roomSessionId },
      ...{ startDate: '2026-03-01T09:00:02.000Z', endDate: '2026-03-01T09:31:00.000Z' },
    });
    expect(row).not.toHaveProperty('location');
  });

  test('is open again if the end of its session is taken back', async () => {
    const recording = await open();
    const { id: eventId, ...ended } = await endSession(recording);
    const retraction = { ...ended, id: randomUUID(), type: 'fact.retracted', data: { ...ended.data, eventId } };
    expect(await world.work('roomEvents', [JSON.stringify(retraction)])).toBe(0);
    pass(60 * minuteMs);
    expect(await create(recording)).toMatchObject(notFound);
  });

  test('is closed by the event that finishes it, also before its session ends, and has the dates of the event', async () => {
    const recording = await open();
    const { organizationId, recordingId, roomName, roomSessionId } = recording;
    const dates = { startDate: '2026-03-01T09:00:00.000Z', endDate: '2026-03-01T09:40:00.000Z' };
    const location = { bucket: world.resources.buckets.recordings, key: `${organizationId}/mix.mp4` };
    await world.event(organizationId, 'recording.finished', {
      ...{ recordingId, roomName, roomSessionId, ...dates, location, filename: 'mix.mp4' },
    });
    const { status, transcriptionId } = await create(recording);
    expect(status).toBe(201);
    const row = await rowOf(transcriptionId);
    // The tracks are transcribed, and the mixed file only if none of them can be read.
    expect(row).toMatchObject({ trackRevision: 2, location, ...dates });
  });

  test('is not found for another organization', async () => {
    const recording = await open();
    await endSession(recording);
    pass(60 * minuteMs);
    expect(await create({ ...recording, organizationId: organization() })).toMatchObject(notFound);
  });

  test('has a work that its next transcription takes over, unless another track has arrived', async () => {
    const recording = await open();
    await endSession(recording);
    pass(60 * minuteMs);
    const first = await create(recording);
    await world.delete(recording.organizationId, first.transcriptionId);
    const second = await create(recording);
    expect(await rowOf(second.transcriptionId)).toMatchObject({ workId: first.transcriptionId });
    await world.delete(recording.organizationId, second.transcriptionId);
    await recording.track('eve', '2026-03-01T09:10:00.000Z', '2026-03-01T09:20:00.000Z');
    const third = await create(recording);
    expect(await rowOf(third.transcriptionId)).toMatchObject({ trackRevision: 3 });
    expect(await rowOf(third.transcriptionId)).not.toHaveProperty('workId');
  });
});
