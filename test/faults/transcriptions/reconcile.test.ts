import { randomUUID } from 'node:crypto';
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import type { Transcription } from '#shared/contracts/transcriptions/transcription.ts';
import { organization } from '../../support/machine.ts';
import { jobNamePrefix } from '../support/functions.ts';
import { failing, killAt, meanwhileAt, pointsOfDeath, serviceError } from '../support/process.ts';
import { outputOf } from '../support/transcriptions/fake-transcribe.ts';
import { useWorld } from '../support/use-world.ts';

const { world } = await useWorld();

const hour = 3_600_000;

function advanceHours(hours: number): void {
  world.clock = new Date(world.clock.getTime() + hours * hour);
}

/** Overdue situations: how to create each, and the state in which it must end. */
const overdue = {
  'a transcription whose message was lost': {
    end: 'ready',
    make: async () => {
      const recording = await world.recording();
      const down = failing('SendMessageBatchCommand', serviceError('ServiceUnavailable', 503), 'before', 99);
      return { ...recording, transcriptionId: await world.create(recording, down) };
    },
  },
  'a job whose event was lost': {
    end: 'ready',
    make: async () => {
      const { jobName, ...transcription } = await running();
      await world.endJob(jobName, { output: outputOf('hello') }, { loseEvent: true });
      return transcription;
    },
  },
  'a failed job whose event was lost': {
    end: 'failed',
    make: async () => {
      const { jobName, ...transcription } = await running();
      await world.endJob(jobName, { failureReason: 'Internal' }, { loseEvent: true });
      return transcription;
    },
  },
  'a transcription that was given up before its job ended, and the event was lost': {
    end: 'failed',
    make: async () => {
      const { jobName, ...transcription } = await running();
      advanceHours(25);
      await world.reconcile();
      await world.endJob(jobName, { output: outputOf('too late') }, { loseEvent: true });
      return transcription;
    },
  },
  'a deleted transcription whose job still ran': {
    end: 404,
    make: async () => {
      const { jobName, ...transcription } = await running();
      await world.delete(transcription.organizationId, transcription.transcriptionId);
      await world.endJob(jobName, { output: outputOf('hello') }, { loseEvent: true });
      return transcription;
    },
  },
} as const;

async function running() {
  const recording = await world.recording();
  const transcriptionId = await world.create(recording);
  await world.deliver('transcriptionJobs');
  const { organizationId } = recording;
  return { organizationId, transcriptionId, jobName: `${jobNamePrefix}.${organizationId}.${transcriptionId}` };
}

async function bodyOf(organizationId: string, transcriptionId: string) {
  const answer = await world.api('getTranscription', { organizationId, transcriptionId });
  if (answer === 'killed') throw new Error('No answer.');
  return answer.body as Transcription;
}

describe.each(Object.entries(overdue))('for %s, the reconciler', (_what, { make, end }) => {
  test('reaches the right state even if it dies before or after any of its calls', async () => {
    await make();
    advanceHours(1);
    await world.reconcile();
    const calls = world.lastCalls.length;
    await world.settle();
    for (const { call, when } of pointsOfDeath(calls)) {
      const { organizationId, transcriptionId } = await make();
      advanceHours(1);
      expect(await world.reconcile(killAt(call, when))).toBe('killed');
      await world.settle();
      expect(await world.state(organizationId, transcriptionId)).toBe(end);
    }
  });

  test('reaches the right state if it runs twice at the same time', async () => {
    const { organizationId, transcriptionId } = await make();
    advanceHours(1);
    await Promise.all([world.reconcile(), world.reconcile()]);
    await world.settle();
    expect(await world.state(organizationId, transcriptionId)).toBe(end);
  });

  test('leaves nothing if the transcription is deleted at any call after the reconciler has read the index', async () => {
    for (let index = 8; index <= 12; index++) {
      const { organizationId, transcriptionId } = await make();
      advanceHours(1);
      await world.reconcile(meanwhileAt(index, () => world.delete(organizationId, transcriptionId)));
      await world.settle();
      expect(await world.state(organizationId, transcriptionId)).toBe(404);
    }
  });
});

describe('the reconciler', () => {
  test('gives up a job that has not ended after a day, and removes its later output', async () => {
    const { organizationId, transcriptionId, jobName } = await running();
    advanceHours(25);
    await world.reconcile();
    expect(await world.state(organizationId, transcriptionId)).toBe('failed');
    await world.endJob(jobName, { output: outputOf('too late') });
  });

  test('gives up a live transcription whose end event never arrives', async () => {
    const organizationId = organization();
    const data = {
      transcriptionId: '0b0c5f6e-0000-4000-8000-00000000000a',
      roomName: '/live',
      roomSessionId: '0b0c5f6e-0000-4000-8000-00000000000b',
      startDate: world.clock.toISOString(),
    };
    await world.event(organizationId, 'transcription.started', data);
    advanceHours(47);
    await world.reconcile();
    expect(await world.state(organizationId, data.transcriptionId)).toBe('in_progress');
    advanceHours(2);
    await world.reconcile();
    expect(await world.state(organizationId, data.transcriptionId)).toBe('failed');
    await world.event(organizationId, 'transcription.started', data);
    expect(await world.state(organizationId, data.transcriptionId)).toBe('failed');
  });

  test.each([
    ['ready', 'transcription.finished'],
    ['failed', 'transcription.failed'],
  ] as const)(
    'gives up a live transcription until its real end arrives: it is %s then, for good',
    async (state, type) => {
      const organizationId = organization();
      const transcriptionId = randomUUID();
      const [bucket, key] = [world.resources.buckets.transcripts, `live/${organizationId}/${transcriptionId}/a.vtt`];
      const roomSessionId = randomUUID();
      const data = { transcriptionId, roomName: '/live', roomSessionId, startDate: world.clock.toISOString() };
      await world.event(organizationId, 'transcription.started', data);
      await world.resources.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'WEBVTT' }));
      advanceHours(49);
      await world.reconcile();
      expect(await bodyOf(organizationId, transcriptionId)).toMatchObject({ failure: { code: 'end_not_reported' } });

      advanceHours(60);
      await world.event(organizationId, type, { ...data, location: { bucket, key } });
      const ended = await bodyOf(organizationId, transcriptionId);
      expect(ended.state).toBe(state);
      expect(ended.failure?.code).toBe(state === 'ready' ? undefined : 'engine_error');
      for (const late of ['transcription.failed', 'transcription.started', 'transcription.finished'])
        await world.event(organizationId, late, data);
      expect(await bodyOf(organizationId, transcriptionId)).toEqual(ended);
      await world.resources.s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    },
  );

  test('does not change a transcription that is not overdue', async () => {
    await running();
    await world.reconcile();
    expect(new Set(world.lastCalls)).toEqual(new Set(['QueryCommand']));
  });

  test('continues with the other transcriptions if one fails', async () => {
    const first = await overdue['a job whose event was lost'].make();
    const second = await overdue['a job whose event was lost'].make();
    advanceHours(1);
    await world.reconcile(failing('GetTranscriptionJobCommand', serviceError('InternalFailure', 500), 'before', 3));
    await world.deliver('transcriptionResults');
    const states = [first, second].map(({ organizationId, transcriptionId }) =>
      world.state(organizationId, transcriptionId),
    );
    expect((await Promise.all(states)).sort()).toEqual(['in_progress', 'ready']);
  });
});
