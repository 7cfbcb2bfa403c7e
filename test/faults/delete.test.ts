import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { organization } from '../support/machine.ts';
import { failing, killAt, meanwhileAt, serviceError } from './support/process.ts';
import { useWorld } from './support/use-world.ts';

const { world, rest } = await useWorld();

/** A transcription in each stage of its life. */
const stages = {
  waiting: async () => {},
  running: async () => void (await world.deliver('transcriptionJobs')),
  ready: async () => world.settle(),
};
type Stage = keyof typeof stages;
const stageNames = Object.keys(stages) as Stage[];

async function transcription(stage: Stage, organizationId = organization()) {
  const recording = await world.recording(organizationId);
  const transcriptionId = await world.create(recording);
  await stages[stage]();
  return { organizationId, transcriptionId };
}

describe.each(stageNames)('delete of one that is %s', (stage) => {
  test('dies before or after any of its calls: the next try finishes it', async () => {
    const { organizationId, transcriptionId } = await transcription(stage);
    await world.delete(organizationId, transcriptionId);
    const calls = world.lastCalls.length;
    expect(calls).toBeGreaterThanOrEqual(4);
    for (let index = 1; index <= calls; index++) {
      for (const when of ['before', 'after'] as const) {
        const next = await transcription(stage);
        const plan = killAt(index, when);
        expect(await world.api('deleteTranscription', next, plan)).toBe('killed');
        await world.delete(next.organizationId, next.transcriptionId);
        await rest();
        expect(await world.state(next.organizationId, next.transcriptionId)).toBe(404);
      }
    }
  });

  test('in bulk dies before or after any of its calls: the message finishes it', async () => {
    for (let index = 1; index <= 5; index++) {
      const { organizationId, transcriptionId } = await transcription(stage);
      const body = { transcriptionIds: [transcriptionId, randomUUID()] };
      expect(await world.api('bulkDeleteTranscriptions', { organizationId, body })).toMatchObject({ status: 204 });
      await world.deliver('bulkDelete', killAt(index, 'after'));
      await rest();
      expect(await world.state(organizationId, transcriptionId)).toBe(404);
    }
  });

  test('crosses another deletion at any call: both say 204', async () => {
    for (let index = 1; index <= 5; index++) {
      const { organizationId, transcriptionId } = await transcription(stage);
      const twice = meanwhileAt(index, () => world.delete(organizationId, transcriptionId));
      await world.delete(organizationId, transcriptionId, twice);
      await rest();
    }
  });

  test('crosses the end of the job at any call: nothing of it survives', async () => {
    for (let index = 1; index <= 5; index++) {
      const { organizationId, transcriptionId } = await transcription(stage);
      const end = meanwhileAt(index, async () => {
        await world.deliver('transcriptionJobs');
        await world.endJobs();
        await world.deliver('transcriptionResults');
      });
      await world.delete(organizationId, transcriptionId, end);
      expect(await world.filesOf(organizationId, transcriptionId), 'gone when it answers').toEqual([]);
      await rest();
      expect(await world.state(organizationId, transcriptionId)).toBe(404);
    }
  });
});

describe('delete', () => {
  test.each(['ListObjectsV2Command', 'DeleteObjectsCommand', 'PutItemCommand', 'DeleteTranscriptionJobCommand'])(
    'says 503 while every %s fails, keeps the row until the rest is gone, and then finishes',
    async (command) => {
      const { organizationId, transcriptionId } = await transcription('ready');
      const down = failing(command, serviceError('InternalError', 500), 'before', 99);
      expect(await world.api('deleteTranscription', { organizationId, transcriptionId }, down)).toMatchObject({
        status: 503,
      });
      await world.delete(organizationId, transcriptionId);
      expect(await world.state(organizationId, transcriptionId)).toBe(404);
    },
  );

  test.each(['DeleteObjectsCommand', 'PutItemCommand', 'DeleteTranscriptionJobCommand'])(
    'is applied by a %s whose answer is lost: 204 all the same',
    async (command) => {
      const { organizationId, transcriptionId } = await transcription('ready');
      await world.delete(
        organizationId,
        transcriptionId,
        failing(command, serviceError('InternalError', 500), 'after'),
      );
    },
  );

  test('is throttled by Transcribe: 204 all the same, and the reconciler removes the job', async () => {
    const { organizationId, transcriptionId } = await transcription('ready');
    const throttled = serviceError('ThrottlingException', 400);
    await world.delete(
      organizationId,
      transcriptionId,
      failing('DeleteTranscriptionJobCommand', throttled, 'before', 9),
    );
    expect([...world.transcribe.jobs.keys()].filter((name) => name.includes(transcriptionId))).toHaveLength(1);
    await rest();
  });

  test('of one that was given up while its job went on removes what the job writes later', async () => {
    const { organizationId, transcriptionId } = await transcription('running');
    world.clock = new Date(world.clock.getTime() + 25 * 3_600_000);
    await world.reconcile();
    expect(await world.state(organizationId, transcriptionId)).toBe('failed');
    await world.delete(organizationId, transcriptionId);
    await world.endJobs({ loseEvents: true });
    await rest();
  });

  test('of what never was is 204, and leaves no trace', async () => {
    await world.delete(organization(), randomUUID());
    expect(world.lastCalls).toEqual(['UpdateItemCommand', 'GetItemCommand']); // the points, and the look
  });

  test("of another organization's is 204, and touches nothing", async () => {
    const { organizationId, transcriptionId } = await transcription('ready');
    await world.delete(organization(), transcriptionId);
    expect(await world.state(organizationId, transcriptionId)).toBe('ready');
  });

  test('of a live one is not undone by its own late events', async () => {
    const organizationId = organization();
    const data = {
      transcriptionId: randomUUID(),
      roomName: '/live',
      roomSessionId: randomUUID(),
      startDate: '2026-03-01T08:00:00Z',
    };
    await world.event(organizationId, 'transcription.started', data);
    await world.delete(organizationId, data.transcriptionId);
    await world.event(organizationId, 'transcription.started', data);
    await world.event(organizationId, 'transcription.finished', { ...data, endDate: '2026-03-01T08:30:00Z' });
    await world.event(organizationId, 'transcription.failed', data);
    expect(await world.state(organizationId, data.transcriptionId)).toBe(404);
  });
});

describe('bulk delete', () => {
  test('answers 503 where the queue takes no message, and schedules all of them on the next try', async () => {
    const { organizationId, transcriptionId } = await transcription('ready');
    const call = { organizationId, body: { transcriptionIds: [transcriptionId] } };
    const down = failing('SendMessageBatchCommand', serviceError('ServiceUnavailable', 503), 'before', 99);
    expect(await world.api('bulkDeleteTranscriptions', call, down)).toMatchObject({ status: 503 });
    expect(await world.api('bulkDeleteTranscriptions', call)).toMatchObject({ status: 204 });
    await rest();
    expect(await world.state(organizationId, transcriptionId)).toBe(404);
  });
});
