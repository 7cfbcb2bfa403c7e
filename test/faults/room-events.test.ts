import { randomUUID } from 'node:crypto';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { organization } from '../support/machine.ts';
import { failing, killAt, serviceError } from './support/process.ts';
import { useWorld } from './support/use-world.ts';

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

  test('that end it after its deletion leave no file: the file that they name is deleted too', async () => {
    const organizationId = organization();
    const { transcriptionId, started, finished } = liveEvents();
    const location = { bucket: world.resources.buckets.transcripts, key: `live/${transcriptionId}.vtt` };
    await world.event(organizationId, started.type, started.data);
    await world.delete(organizationId, transcriptionId);
    await world.resources.s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body: 'WEBVTT' }));
    await world.event(organizationId, finished.type, { ...finished.data, storageType: 'SERVICE_HOSTED', location });
    const { Contents } = await world.resources.s3.send(
      new ListObjectsV2Command({ Bucket: location.bucket, Prefix: location.key }),
    );
    expect(Contents).toBeUndefined();
    expect(await world.state(organizationId, transcriptionId)).toBe(404);
  });

  test('that end it after a different end leave no file without an owner', async () => {
    const organizationId = organization();
    const { transcriptionId, failed, finished } = liveEvents();
    const location = { bucket: world.resources.buckets.transcripts, key: `live/${transcriptionId}.vtt` };
    const late = { ...finished.data, storageType: 'SERVICE_HOSTED', location };
    const files = () =>
      world.resources.s3.send(new ListObjectsV2Command({ Bucket: location.bucket, Prefix: location.key }));
    await world.resources.s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body: 'WEBVTT' }));
    await world.event(organizationId, failed.type, failed.data);
    await world.event(organizationId, finished.type, late);
    expect((await files()).Contents).toBeUndefined();

    const other = organization();
    await world.resources.s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body: 'WEBVTT' }));
    for (let time = 0; time < 3; time++) await world.event(other, finished.type, late);
    expect((await files()).Contents, 'a repeated event keeps the file').toHaveLength(1);
    await world.delete(other, transcriptionId);
    expect((await files()).Contents).toBeUndefined();
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
    expect(logs.text()).toContain('is not an event type that this queue accepts');
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
          location: { bucket: world.resources.buckets.recordings, key: 'missing.wav' },
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
        location: { bucket: world.resources.buckets.recordings, key: 'missing.wav' },
      });
      expect(
        await world.create({ organizationId, recordingId }),
        'the latest transcription of the recording is kept',
      ).toBe(transcriptionId);
    }
  });
});
