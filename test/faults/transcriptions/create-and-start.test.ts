import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { createRandom } from '#tools/simulation/random.ts';
import { organization } from '../../support/machine.ts';
import { silentAmr } from '../../support/media/amr.ts';
import { jobNamePrefix } from '../support/functions.ts';
import {
  type FaultPlan,
  failing,
  killAt,
  meanwhileAt,
  pairsOfDeaths,
  pointsOfDeath,
  serviceError,
} from '../support/process.ts';
import { seed, seededOrganization } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

const { world, rest } = await useWorld();

/** Creates a transcription whose job message waits in the queue. */
async function created(organizationId = organization()) {
  const recording = await world.recording(organizationId);
  return { ...recording, transcriptionId: await world.create(recording) };
}

describe('creating a transcription', () => {
  test('is completed by the next request if the process dies before or after any of its calls', async () => {
    await created();
    const calls = world.lastCalls.length;
    expect(world.lastCalls).toEqual([
      'UpdateItemCommand', // the points
      'GetItemCommand', // the recording
      'GetItemCommand', // the defaults of options
      'TransactWriteItemsCommand',
      'SendMessageBatchCommand',
    ]);
    const completed = [];
    for (const { call, when } of pointsOfDeath(calls)) {
      const recording = await world.recording();
      const { organizationId, recordingId } = recording;
      const outcome = await world.api(
        'createTranscription',
        { organizationId, body: { recordingId } },
        killAt(call, when),
      );
      expect(outcome).toBe('killed');
      completed.push({ organizationId, transcriptionId: await world.create(recording) });
    }
    await rest();
    for (const { organizationId, transcriptionId } of completed)
      expect(await world.state(organizationId, transcriptionId)).toBe('ready');
  });

  test('returns 201 if the queue is unavailable, and the reconciler sends the job', async () => {
    const recording = await world.recording();
    const down = failing('SendMessageBatchCommand', serviceError('ServiceUnavailable', 503), 'before', 99);
    const transcriptionId = await world.create(recording, down);
    expect(world.transcribe.running()).toEqual([]);
    await rest();
    expect(await world.state(recording.organizationId, transcriptionId)).toBe('ready');
  });

  test('starts one job if its message is sent twice because the first answer was lost', async () => {
    const recording = await world.recording();
    await world.create(recording, failing('SendMessageBatchCommand', serviceError('InternalError', 500), 'after'));
    expect((await world.deliver('transcriptionJobs')).delivered).toBe(2);
    expect(world.transcribe.running()).toHaveLength(1);
  });

  test('returns the same transcription, without a second job, if the answer to its transaction is lost', async () => {
    const recording = await world.recording();
    const lost = serviceError('InternalServerError', 500);
    const transcriptionId = await world.create(recording, failing('TransactWriteItemsCommand', lost, 'after'));
    expect(await world.create(recording)).toBe(transcriptionId);
    await rest();

    const { organizationId, recordingId } = await world.recording();
    const call = { organizationId, body: { recordingId } };
    const allLost = failing('TransactWriteItemsCommand', lost, 'after', 3);
    expect(await world.api('createTranscription', call, allLost)).toMatchObject({ status: 503 });
    const found = await world.create({ organizationId, recordingId });
    await rest();
    expect(await world.state(organizationId, found)).toBe('ready');
  });

  test.each([
    ['conflicts with another', 'TransactionConflict', 201],
    ['is throttled', 'ThrottlingError', 503],
  ])('returns the right status if its transaction %s', async (_what, Code, status) => {
    const { organizationId, recordingId } = await world.recording();
    const cancelled = new TransactionCanceledException({
      $metadata: { httpStatusCode: 400 },
      message: 'Transaction cancelled',
      CancellationReasons: [{ Code: 'None' }, { Code }],
    });
    const plan = failing('TransactWriteItemsCommand', cancelled, 'before', 3);
    const outcome = await world.api('createTranscription', { organizationId, body: { recordingId } }, plan);
    expect(outcome).toMatchObject({ status });
  });

  test('returns one transcription with one job to 20 concurrent calls for one recording', async () => {
    const recording = await world.recording();
    const ids = await Promise.all(Array.from({ length: 20 }, () => world.create(recording)));
    expect(new Set(ids).size).toBe(1);
    await rest();
    expect([...world.transcribe.started.keys()].filter((name) => name.includes(recording.organizationId))).toHaveLength(
      1,
    );
    expect(await world.create(recording), 'a new transcription is created after the first has ended').not.toBe(ids[0]);
  });

  test('returns the transcription of the winner if it loses the race at any of its calls', async () => {
    for (let index = 1; index <= 3; index++) {
      const recording = await world.recording();
      let winner: string | undefined;
      const race = meanwhileAt(index, async () => {
        winner = await world.create(recording);
      });
      const id = await world.create(recording, race);
      expect(id).toBe(winner);
    }
  });

  test('returns the transcription of the winner if an earlier one of the recording has ended', async () => {
    const recording = await world.recording();
    await world.create(recording);
    await world.settle();
    let winner: string | undefined;
    const race: FaultPlan = ({ command }) =>
      command === 'TransactWriteItemsCommand' && winner === undefined ? { meanwhile: createFirst } : undefined;
    const createFirst = async () => {
      winner = await world.create(recording);
    };
    expect(await world.create(recording, race)).toBe(winner);
  });

  test('leaves a recording that can be transcribed again if the transcription is deleted at any of its calls', async () => {
    const recordings = [];
    for (let index = 1; index <= 3; index++) {
      const { transcriptionId, ...recording } = await created();
      const deletion = meanwhileAt(index, () => world.delete(recording.organizationId, transcriptionId));
      await world.create(recording, deletion);
      recordings.push(recording);
    }
    await rest();
    const next = [];
    for (const recording of recordings)
      next.push({ organizationId: recording.organizationId, transcriptionId: await world.create(recording) });
    await rest();
    for (const { organizationId, transcriptionId } of next)
      expect(await world.state(organizationId, transcriptionId)).toBe('ready');
  });
});

describe('starting a job', () => {
  const calls = 5;
  const messageOf = (transcription: { readonly organizationId: string; readonly transcriptionId: string }) =>
    JSON.stringify({
      organizationId: transcription.organizationId,
      transcriptionId: transcription.transcriptionId,
      attempt: 0,
    });

  test('runs the job once if the process dies before or after any of its calls', async () => {
    await created();
    await world.deliver('transcriptionJobs');
    expect(world.lastCalls).toHaveLength(calls);
    const transcriptions = [];
    for (const { call, when } of pointsOfDeath(calls)) {
      const transcription = await created();
      expect(await world.work('transcriptionJobs', [messageOf(transcription)], killAt(call, when))).toBe('killed');
      transcriptions.push(transcription);
    }
    await rest(); // delivers each message again, because the queue still has it
    for (const { organizationId, transcriptionId } of transcriptions)
      expect(await world.state(organizationId, transcriptionId)).toBe('ready');
  });

  test(`runs the job once if the process dies twice, at any two of its calls (seed ${seed})`, async () => {
    const pairs = createRandom(seed, 'two deaths of a start').shuffled(pairsOfDeaths(calls)).slice(0, 12);
    const transcriptions = [];
    for (const [first, second] of pairs) {
      const transcription = await created(seededOrganization('two-deaths'));
      const bodies = [messageOf(transcription)];
      expect(await world.work('transcriptionJobs', bodies, killAt(first.call, first.when))).toBe('killed');
      await world.work('transcriptionJobs', bodies, killAt(second.call, second.when));
      transcriptions.push(transcription);
    }
    await rest(); // delivers each message again, because the queue still has it
    for (const { organizationId, transcriptionId } of transcriptions)
      expect(await world.state(organizationId, transcriptionId)).toBe('ready');
  });

  test('starts one job if its message arrives 50 times, concurrently and in sequence', async () => {
    const { organizationId, transcriptionId } = await created();
    const message = JSON.stringify({ organizationId, transcriptionId, attempt: 0 });
    expect(await world.work('transcriptionJobs', Array(25).fill(message))).toBe(0);
    for (let time = 0; time < 25; time++) expect(await world.work('transcriptionJobs', [message])).toBe(0);
    expect(world.transcribe.started.get(`${jobNamePrefix}.${organizationId}.${transcriptionId}`)).toBe(1);
  });

  test('leaves no transcription and no job if the transcription is deleted at any of its calls', async () => {
    const deleted = [];
    for (let index = 1; index <= calls; index++) {
      const { organizationId, transcriptionId } = await created();
      const deletion = meanwhileAt(index, () => world.delete(organizationId, transcriptionId));
      expect(await world.deliver('transcriptionJobs', deletion)).toMatchObject({ delivered: 1 });
      deleted.push({ organizationId, transcriptionId });
    }
    await rest();
    for (const { organizationId, transcriptionId } of deleted) {
      expect(await world.state(organizationId, transcriptionId)).toBe(404);
      expect(world.transcribe.jobs.has(`${jobNamePrefix}.${organizationId}.${transcriptionId}`)).toBe(false);
    }
  });

  test('starts no job for a redriven message of a deleted transcription', async () => {
    const { organizationId, transcriptionId } = await created();
    await world.delete(organizationId, transcriptionId);
    expect(
      await world.work('transcriptionJobs', [JSON.stringify({ organizationId, transcriptionId, attempt: 0 })]),
    ).toBe(0);
    expect(world.transcribe.started.has(`${jobNamePrefix}.${organizationId}.${transcriptionId}`)).toBe(false);
  });

  test('runs each of 12 jobs once if Transcribe is full many times', async () => {
    world.transcribe.maxRunningJobs = 3;
    const organizationId = organization();
    const ids = [];
    for (let count = 0; count < 12; count++) ids.push((await created(organizationId)).transcriptionId);
    for (let round = 0; round < 20; round++) await world.deliver('transcriptionJobs');
    expect(world.transcribe.running()).toHaveLength(3);
    while ((await world.endJobs()) > 0) await world.deliver('transcriptionJobs'); // without the reconciler
    await rest();
    const started = [...world.transcribe.started].filter(([name]) => name.includes(organizationId));
    expect(started).toHaveLength(12);
    world.transcribe.maxRunningJobs = 250;
    for (const id of ids) expect(await world.state(organizationId, id)).toBe('ready');
  });

  test('fails the transcription if Transcribe is full for more than a day', async () => {
    world.transcribe.maxRunningJobs = 0;
    const { organizationId, transcriptionId } = await created();
    await world.deliver('transcriptionJobs');
    expect(await world.state(organizationId, transcriptionId)).toBe('in_progress');
    world.clock = new Date(world.clock.getTime() + 25 * 3_600_000);
    await world.deliver('transcriptionJobs');
    expect(await world.state(organizationId, transcriptionId)).toBe('failed');
    world.transcribe.maxRunningJobs = 250;
  });

  test('fails the transcription if a job with its name exists for other media', async () => {
    const { organizationId, transcriptionId } = await created();
    const name = `${jobNamePrefix}.${organizationId}.${transcriptionId}`;
    world.transcribe.jobs.set(name, {
      request: { TranscriptionJobName: name, Media: { MediaFileUri: 's3://other/x.wav' } },
      status: 'FAILED',
    });
    await world.deliver('transcriptionJobs');
    expect(await world.state(organizationId, transcriptionId)).toBe('failed');
  });

  test.each([
    ['recording_missing', { upload: false }],
    ['recording_too_long', { body: silentAmr(24 * 3600 + 1) }],
    ['unsupported_media', { body: Buffer.from('GIF89a') }],
    ['media_unreadable', { body: Buffer.alloc(0) }],
  ])('fails with %s before it starts a job', async (code, facts) => {
    const recording = await world.recording(organization(), facts);
    const transcriptionId = await world.create(recording);
    await rest();
    const { organizationId } = recording;
    const outcome = await world.api('getTranscription', { organizationId, transcriptionId });
    expect(outcome).toMatchObject({
      body: { state: 'failed', failure: { code }, durationInSeconds: 0, filename: null },
    });
    expect(world.transcribe.started.has(`${jobNamePrefix}.${organizationId}.${transcriptionId}`)).toBe(false);
  });

  test('fails at once, without a job, if S3 answers HEAD with 400, as for a file with a key of its own', async () => {
    const { organizationId, transcriptionId } = await created();
    const refusal = new S3ServiceException({ name: '400', $fault: 'client', $metadata: { httpStatusCode: 400 } });
    await world.deliver('transcriptionJobs', failing('HeadObjectCommand', refusal, 'before'));
    const outcome = await world.api('getTranscription', { organizationId, transcriptionId });
    const failure = { code: 'media_unreadable', message: expect.stringContaining('SSE-C') };
    expect(outcome).toMatchObject({ body: { state: 'failed', failure } });
    expect(world.queues.count('queues')).toBe(0);
    expect(world.transcribe.started.has(`${jobNamePrefix}.${organizationId}.${transcriptionId}`)).toBe(false);
  });

  test('ignores the message of an unknown transcription', async () => {
    const message = { organizationId: organization(), transcriptionId: randomUUID(), attempt: 3 };
    expect(await world.work('transcriptionJobs', [JSON.stringify(message)])).toBe(0);
  });
});
