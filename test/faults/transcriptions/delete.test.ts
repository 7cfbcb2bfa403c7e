import { randomUUID } from 'node:crypto';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { organization } from '../../support/machine.ts';
import { type FaultPlan, failing, killAt, meanwhileAt, pointsOfDeath, serviceError } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

const { world, rest, logs } = await useWorld();

/** Moves all new transcriptions to each stage. */
const stages = {
  waiting: async () => {},
  running: async () => deliverAll('transcriptionJobs'),
  ready: async () => world.settle(),
};
type Stage = keyof typeof stages;
const stageNames = Object.keys(stages) as Stage[];

/** Delivers the messages of a queue until none is left, or only dead letters. */
async function deliverAll(queue: 'transcriptionJobs' | 'bulkDelete', plan?: FaultPlan): Promise<void> {
  while ((await world.deliver(queue, plan)).delivered > 0);
}

async function transcription(stage: Stage, organizationId = organization()) {
  const [one] = await transcriptions(stage, [organizationId]);
  return one as NonNullable<typeof one>;
}

/** A transcription for each of the organizations. They reach the stage together. */
async function transcriptions(stage: Stage, organizationIds: readonly string[]) {
  const created = [];
  for (const organizationId of organizationIds) {
    const transcriptionId = await world.create(await world.recording(organizationId));
    created.push({ organizationId, transcriptionId });
  }
  await stages[stage]();
  return created;
}

const organizations = (count: number) => Array.from({ length: count }, () => organization());

/** After everything has come to rest, every one of these is deleted. */
async function expectDeleted(gone: Awaited<ReturnType<typeof transcriptions>>): Promise<void> {
  await rest();
  for (const { organizationId, transcriptionId } of gone)
    expect(await world.state(organizationId, transcriptionId)).toBe(404);
}

describe.each(stageNames)('deleting a transcription that is %s', (stage) => {
  test('is completed by the next request if the process dies before or after any of its calls', async () => {
    const { organizationId, transcriptionId } = await transcription(stage);
    await world.delete(organizationId, transcriptionId);
    const deaths = pointsOfDeath(world.lastCalls.length);
    expect(deaths.length).toBeGreaterThanOrEqual(5);
    const all = await transcriptions(stage, organizations(deaths.length));
    for (const [index, one] of all.entries()) {
      const { call, when } = deaths[index] ?? {};
      expect(await world.api('deleteTranscription', one, killAt(call ?? 0, when ?? 'before'))).toBe('killed');
      await world.delete(one.organizationId, one.transcriptionId);
    }
    await expectDeleted(all);
  });

  test('in bulk is completed by the next delivery of its message if the worker dies at any of its calls', async () => {
    const bulkDelete = async ({
      organizationId,
      transcriptionId,
    }: {
      organizationId: string;
      transcriptionId: string;
    }) => {
      const body = { transcriptionIds: [transcriptionId, randomUUID()] };
      expect(await world.api('bulkDeleteTranscriptions', { organizationId, body })).toMatchObject({ status: 204 });
    };
    await bulkDelete(await transcription(stage));
    await world.deliver('bulkDelete');
    const deaths = pointsOfDeath(world.lastCalls.length);
    expect(deaths.length).toBeGreaterThanOrEqual(4);
    const all = await transcriptions(stage, organizations(deaths.length));
    for (const [index, one] of all.entries()) {
      const { call, when } = deaths[index] ?? {};
      await bulkDelete(one);
      expect(await world.deliver('bulkDelete', killAt(call ?? 0, when ?? 'before'))).toMatchObject({ killed: true });
      await deliverAll('bulkDelete');
    }
    await expectDeleted(all);
  });

  test('returns 204, and so does a concurrent deletion at any of its calls', async () => {
    const all = await transcriptions(stage, organizations(5));
    for (const [index, { organizationId, transcriptionId }] of all.entries()) {
      const twice = meanwhileAt(index + 1, () => world.delete(organizationId, transcriptionId));
      await world.delete(organizationId, transcriptionId, twice);
    }
    await expectDeleted(all);
  });

  test('leaves no files and no state if the job ends at any of its calls', async () => {
    const gone = [];
    for (let index = 1; index <= 5; index++) {
      const { organizationId, transcriptionId } = await transcription(stage);
      const end = meanwhileAt(index, async () => {
        await world.deliver('transcriptionJobs');
        await world.endJobs();
        await world.deliver('transcriptionResults');
      });
      await world.delete(organizationId, transcriptionId, end);
      expect(
        await world.filesOf(organizationId, transcriptionId),
        'the files are gone when the deletion answers',
      ).toEqual([]);
      gone.push({ organizationId, transcriptionId });
    }
    await expectDeleted(gone);
  });
});

describe('deleting a transcription', () => {
  test.each([
    'ListObjectsV2Command',
    'DeleteObjectsCommand',
    'TransactWriteItemsCommand',
    'DeleteTranscriptionJobCommand',
  ])('returns 503 while every %s fails, and is completed by the next request', async (command) => {
    const { organizationId, transcriptionId } = await transcription('ready');
    const down = failing(command, serviceError('InternalError', 500), 'before', 99);
    expect(await world.api('deleteTranscription', { organizationId, transcriptionId }, down)).toMatchObject({
      status: 503,
    });
    await world.delete(organizationId, transcriptionId);
    expect(await world.state(organizationId, transcriptionId)).toBe(404);
  });

  test.each(['DeleteObjectsCommand', 'PutItemCommand', 'DeleteTranscriptionJobCommand'])(
    'returns 204 if the answer to a %s is lost',
    async (command) => {
      const { organizationId, transcriptionId } = await transcription('ready');
      await world.delete(
        organizationId,
        transcriptionId,
        failing(command, serviceError('InternalError', 500), 'after'),
      );
    },
  );

  test('returns 204 if Transcribe throttles it, and the reconciler removes the job', async () => {
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

  test('that was given up while its job still ran also removes the later output of the job', async () => {
    const { organizationId, transcriptionId } = await transcription('running');
    world.clock = new Date(world.clock.getTime() + 25 * 3_600_000);
    await world.reconcile();
    expect(await world.state(organizationId, transcriptionId)).toBe('failed');
    await world.delete(organizationId, transcriptionId);
    await world.endJobs({ loseEvents: true });
    await rest();
  });

  test('that is in progress lets no repeated message start its job again', async () => {
    const { organizationId, transcriptionId } = await transcription('waiting');
    const notStored = failing('UpdateItemCommand', serviceError('InternalError', 500), 'before', 99);
    await world.deliver('transcriptionJobs', notStored); // the job starts, and its message comes again
    await world.endJobs();
    const repeated = () => world.deliver('transcriptionJobs');
    await world.delete(organizationId, transcriptionId, ({ command }) =>
      command === 'PutItemCommand' ? { meanwhile: repeated } : undefined,
    );
    const times = [...world.transcribe.started].filter(([name]) => name.includes(transcriptionId));
    expect(times.map(([, number]) => number)).toEqual([1]);
  });

  test('that never existed returns 204 and writes nothing', async () => {
    await world.delete(organization(), randomUUID());
    expect(world.lastCalls).toEqual(['UpdateItemCommand', 'GetItemCommand']); // rate limit, then lookup
  });

  test('of another organization returns 204 and changes nothing', async () => {
    const { organizationId, transcriptionId } = await transcription('ready');
    await world.delete(organization(), transcriptionId);
    expect(await world.state(organizationId, transcriptionId)).toBe('ready');
  });

  test('that is live is not undone by its own late events', async () => {
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

  test('that is live leaves no file that the platform stores right before the tombstone', async () => {
    const organizationId = organization();
    const transcriptionId = randomUUID();
    const data = { transcriptionId, roomName: '/live', roomSessionId: randomUUID(), startDate: '2026-03-01T08:00:00Z' };
    const Bucket = world.resources.buckets.transcripts;
    const Key = `live/${organizationId}/${transcriptionId}/corrected.md`;
    const finished = { ...data, endDate: '2026-03-01T08:30:00Z', location: { bucket: Bucket, key: Key } };
    await world.event(organizationId, 'transcription.finished', finished);
    const storeLate = async () => {
      await world.resources.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'late' }));
      await world.event(organizationId, 'transcription.finished', finished);
    };
    await world.delete(organizationId, transcriptionId, ({ command }) =>
      command === 'PutItemCommand' ? { meanwhile: storeLate } : undefined,
    );
    const { KeyCount } = await world.resources.s3.send(new ListObjectsV2Command({ Bucket, Prefix: Key }));
    expect(KeyCount).toBe(0);
  });
});

describe('a bulk delete', () => {
  /** S3 refuses to delete the files of one transcription. */
  const refusingFilesOf = (transcriptionId: string): FaultPlan => {
    const denied = serviceError('AccessDenied', 403);
    return ({ command, input }) =>
      command === 'DeleteObjectsCommand' && JSON.stringify(input).includes(transcriptionId)
        ? { error: denied, when: 'before' }
        : undefined;
  };
  const bulkDelete = async (organizationId: string, transcriptionIds: readonly string[]) => {
    const call = { organizationId, body: { transcriptionIds } };
    expect(await world.api('bulkDeleteTranscriptions', call)).toMatchObject({ status: 204 });
  };
  const deadLetters = async () => {
    const QueueUrl = world.resources.deadLetterQueues.bulkDelete;
    const { Messages = [] } = await world.resources.sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
    );
    return Messages.map(({ Body = '' }) => JSON.parse(Body) as object);
  };

  test('deletes all others if one cannot be deleted, which alone becomes a dead letter and can be redriven', async () => {
    const organizationId = organization();
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.push((await transcription('ready', organizationId)).transcriptionId);
    const [stuck = '', ...others] = ids;
    await bulkDelete(organizationId, ids);

    await deliverAll('bulkDelete', refusingFilesOf(stuck));

    for (const id of others) expect(await world.state(organizationId, id)).toBe(404);
    expect(await world.state(organizationId, stuck)).toBe('ready');
    const [letter, ...rest] = await deadLetters();
    expect([letter, rest]).toEqual([expect.objectContaining({ organizationId, transcriptionIds: [stuck] }), []]);
    const lines = logs.text().split('\n');
    const line = lines.find((text) => text.includes('"transcription not deleted"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      transcriptionId: stuck,
      error: { name: 'AccessDenied', status: 403 },
    });

    await world.queues.purgeDeadLetters();
    await world.queues.send('bulkDelete', letter ?? {});
    await deliverAll('bulkDelete');
    expect(await world.state(organizationId, stuck)).toBe(404);
  });

  test.each(['before', 'after'] as const)(
    'keeps the ids that failed if the worker dies %s it sends them on',
    async (when) => {
      const { organizationId, transcriptionId } = await transcription('ready');
      const refused = refusingFilesOf(transcriptionId);
      await bulkDelete(organizationId, [transcriptionId, randomUUID()]);
      await world.deliver('bulkDelete', (call) =>
        call.command === 'SendMessageBatchCommand' ? { kill: when } : refused(call),
      );
      await deliverAll('bulkDelete');
      expect(await world.state(organizationId, transcriptionId)).toBe(404);
    },
  );

  test('returns 503 if the queue accepts no message, and the next request schedules all deletions', async () => {
    const { organizationId, transcriptionId } = await transcription('ready');
    const call = { organizationId, body: { transcriptionIds: [transcriptionId] } };
    const down = failing('SendMessageBatchCommand', serviceError('ServiceUnavailable', 503), 'before', 99);
    expect(await world.api('bulkDeleteTranscriptions', call, down)).toMatchObject({ status: 503 });
    expect(await world.api('bulkDeleteTranscriptions', call)).toMatchObject({ status: 204 });
    await rest();
    expect(await world.state(organizationId, transcriptionId)).toBe(404);
  });
});
