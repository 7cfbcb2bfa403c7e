import { randomUUID } from 'node:crypto';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { organization } from '../../support/machine.ts';
import { failing, killAt, serviceError } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

const { world, logs } = await useWorld();

type Event = { readonly type: string; readonly data: object };

/** Creates the events of one live transcription. */
function liveEvents() {
  const data = {
    transcriptionId: randomUUID(),
    roomName: '/live',
    roomSessionId: randomUUID(),
    startDate: '2026-03-01T08:00:00+01:00',
  };
  return {
    transcriptionId: data.transcriptionId,
    started: { type: 'transcription.started', data },
    finished: {
      type: 'transcription.finished',
      data: {
        ...data,
        endDate: '2026-03-01T07:30:00Z',
        durationInSeconds: 1799,
        filename: 'live.vtt',
        storageType: 'SELF_HOSTED',
      },
    },
    failed: {
      type: 'transcription.failed',
      data: { ...data, endDate: '2026-03-01T07:30:00Z', error: 'The model crashed.' },
    },
  };
}

/** Stores a file in the transcripts bucket, as the platform does. Returns its location. */
async function keep(Key: string) {
  const Bucket = world.resources.buckets.transcripts;
  await world.resources.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'WEBVTT' }));
  return { bucket: Bucket, key: Key };
}

async function filesIn(Prefix: string): Promise<(string | undefined)[]> {
  const list = new ListObjectsV2Command({ Bucket: world.resources.buckets.transcripts, Prefix });
  const { Contents = [] } = await world.resources.s3.send(list);
  return Contents.map(({ Key }) => Key);
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

async function transcriptionOf(organizationId: string, transcriptionId: string): Promise<object> {
  const outcome = await world.api('getTranscription', { organizationId, transcriptionId });
  if (outcome === 'killed' || outcome.status !== 200) throw new Error(`Not there: ${JSON.stringify(outcome)}`);
  const { transcriptionId: _, roomSessionId: __, ...rest } = outcome.body as Record<string, unknown>;
  return rest;
}

describe('the events of a live transcription', () => {
  test.each(['finished', 'failed'] as const)(
    'give the same result in every order and with up to two repetitions (%s)',
    async (end) => {
      const orders = new Set(permutations(['start', 'end', 'start', 'end', 'end']).map((order) => order.join(' ')));
      const seen = new Set<string>();
      for (const order of orders) {
        const organizationId = organization();
        const { transcriptionId, started, [end]: ended } = liveEvents();
        const events: Event[] = order.split(' ').map((which) => (which === 'start' ? started : ended));
        for (const { type, data } of events) await world.event(organizationId, type, data);
        seen.add(JSON.stringify(await transcriptionOf(organizationId, transcriptionId)));
      }
      expect([...seen]).toHaveLength(1);
      expect(JSON.parse([...seen][0] ?? '{}')).toMatchObject({
        createdAt: '2026-03-01T07:00:00.000Z',
        startDate: '2026-03-01T07:00:00.000Z',
        endDate: '2026-03-01T07:30:00.000Z',
        state: end === 'finished' ? 'ready' : 'failed',
      });
    },
  );

  test('are stored even if the worker dies or the answer to its write is lost', async () => {
    for (const plan of [
      killAt(1, 'before'),
      killAt(1, 'after'),
      failing('PutItemCommand', serviceError('InternalServerError', 500), 'after'),
      failing('PutItemCommand', serviceError('InternalServerError', 500), 'after', 4),
      failing('PutItemCommand', serviceError('ThrottlingException', 400), 'before', 4),
    ]) {
      const organizationId = organization();
      const { transcriptionId, started, finished } = liveEvents();
      for (const event of [started, finished]) {
        await world.queues.send('roomEvents', {
          id: randomUUID(),
          organizationId,
          createdAt: '2026-03-01T07:30:00Z',
          ...event,
        });
      }
      await world.deliver('roomEvents', plan);
      await world.settle();
      expect(await world.state(organizationId, transcriptionId)).toBe('ready');
    }
  });

  test('that come after its deletion leave no file: its folder is emptied again', async () => {
    for (const late of ['started', 'finished', 'failed'] as const) {
      const organizationId = organization();
      const events = liveEvents();
      const folder = `live/${organizationId}/${events.transcriptionId}/`;
      await world.event(organizationId, events.started.type, events.started.data);
      await world.delete(organizationId, events.transcriptionId);
      for (const name of ['live.vtt', 'draft.vtt']) await keep(`${folder}${name}`);
      await world.event(organizationId, events[late].type, events[late].data);
      expect(await filesIn(folder), late).toEqual([]);
      expect(await world.state(organizationId, events.transcriptionId)).toBe(404);
    }
  });

  test('that end it again, repeated or different, delete nothing. A deletion removes the files of both ends', async () => {
    const organizationId = organization();
    const { transcriptionId, failed, finished } = liveEvents();
    const folder = `live/${organizationId}/${transcriptionId}/`;
    const [first, corrected] = await Promise.all(
      ['first.vtt', 'corrected.vtt'].map((name) => keep(`${folder}${name}`)),
    );
    const end = (location: object | undefined) => ({ ...finished.data, storageType: 'SERVICE_HOSTED', location });
    const ends = [end(first), end(first), end(corrected), { ...failed.data, location: corrected }, end(first)];
    for (const data of ends) await world.event(organizationId, 'error' in data ? failed.type : finished.type, data);
    expect(await filesIn(folder)).toEqual([`${folder}corrected.vtt`, `${folder}first.vtt`]);
    expect(await world.state(organizationId, transcriptionId)).toBe('ready');
    await world.delete(organizationId, transcriptionId);
    expect(await filesIn(folder)).toEqual([]);
  });

  test('cannot end a transcription of a recording', async () => {
    const recording = await world.recording();
    const { organizationId } = recording;
    const transcriptionId = await world.create(recording);
    await world.event(organizationId, 'transcription.failed', { ...liveEvents().failed.data, transcriptionId });
    expect(await world.state(organizationId, transcriptionId)).toBe('in_progress');
  });
});

describe('a batch of room events', () => {
  test('fails only its unreadable messages, which reach the dead-letter queue after five receives', async () => {
    const organizationId = organization();
    const { transcriptionId, started, finished } = liveEvents();
    const poison = {
      id: 'poison',
      type: 'room.client.teleported',
      organizationId,
      createdAt: '2026-03-01T07:30:00Z',
      data: {},
    };
    await world.queues.send('roomEvents', poison);
    for (const event of [started, finished]) {
      await world.queues.send('roomEvents', {
        id: randomUUID(),
        organizationId,
        createdAt: '2026-03-01T07:30:00Z',
        ...event,
      });
    }
    await world.deliver('roomEvents');
    expect(await world.state(organizationId, transcriptionId)).toBe('ready');
    await world.settle();
    expect(await world.queues.purgeDeadLetters()).toBe(1);
    expect(logs.text()).toContain('must be an event type that this queue accepts');
  });
});

describe('a recording.finished event', () => {
  test('that is repeated or late changes nothing, and of two different ones the later applies in either order', async () => {
    for (const order of [
      ['old', 'new'],
      ['new', 'old'],
    ] as const) {
      const organizationId = organization();
      const recordingId = randomUUID();
      for (const which of [...order, ...order]) {
        const data = {
          recordingId,
          roomName: `/${which}`,
          roomSessionId: randomUUID(),
          startDate: '2026-03-01T09:00:00.000Z',
          endDate: '2026-03-01T09:01:00.000Z',
          filename: 'a.wav',
          location: { bucket: world.resources.buckets.recordings, key: `${organizationId}/missing.wav` },
        };
        world.clock = new Date(which === 'old' ? '2026-03-01T10:00:00Z' : '2026-03-01T11:00:00Z');
        await world.event(organizationId, 'recording.finished', data);
      }
      world.clock = new Date('2026-04-01T10:00:00Z');
      const transcriptionId = await world.create({ organizationId, recordingId });
      expect(await transcriptionOf(organizationId, transcriptionId)).toMatchObject({ roomName: '/new' });
      await world.event(organizationId, 'recording.finished', {
        recordingId,
        roomName: '/again',
        roomSessionId: randomUUID(),
        startDate: '2026-03-01T09:00:00.000Z',
        endDate: '2026-03-01T09:01:00.000Z',
        filename: 'a.wav',
        location: { bucket: world.resources.buckets.recordings, key: `${organizationId}/missing.wav` },
      });
      expect(
        await world.create({ organizationId, recordingId }),
        'the latest transcription of the recording is kept',
      ).toBe(transcriptionId);
    }
  });
});
