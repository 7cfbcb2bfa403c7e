import { describe, expect, test } from 'vitest';
import { createRandom } from '#tools/simulation/random.ts';
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
import { outputOf } from '../support/transcriptions/fake-transcribe.ts';
import { seed } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';
import type { World } from '../support/world.ts';

const { world, rest } = await useWorld();

/** Creates a transcription whose job runs. */
async function started() {
  const recording = await world.recording();
  const { organizationId } = recording;
  const transcriptionId = await world.create(recording);
  await world.deliver('transcriptionJobs');
  return { organizationId, transcriptionId, jobName: `${jobNamePrefix}.${organizationId}.${transcriptionId}` };
}

/** Creates a transcription whose job has ended. The job's event waits in the queue, unless `loseEvent` is set. */
async function ended(
  result: Parameters<World['endJob']>[1] = { output: outputOf('hello') },
  { loseEvent = false } = {},
) {
  const transcription = await started();
  await world.endJob(transcription.jobName, result, { loseEvent });
  return transcription;
}

const completed = (TranscriptionJobName: string) =>
  JSON.stringify({ detail: { TranscriptionJobName, TranscriptionJobStatus: 'COMPLETED' } });
const failed = (TranscriptionJobName: string, FailureReason: string) =>
  JSON.stringify({ detail: { TranscriptionJobName, TranscriptionJobStatus: 'FAILED', FailureReason } });

type Transcription = { readonly organizationId: string; readonly transcriptionId: string };

async function failureOf({ organizationId, transcriptionId }: Transcription) {
  const outcome = await world.api('getTranscription', { organizationId, transcriptionId });
  return outcome === 'killed' ? undefined : (outcome.body as { failure?: { code: string } }).failure?.code;
}

/** Passes the event of a completed job to the worker. If the worker fails, the queue gets the event, to deliver it again. */
async function deliverEvent(jobName: string, plan: FaultPlan): Promise<void> {
  const event = completed(jobName);
  const failures = await world.work('transcriptionResults', [event], plan);
  expect([0, 1], 'the process does not die').toContain(failures);
  if (failures === 1) await world.queues.send('transcriptionResults', JSON.parse(event));
}

async function expectStates(transcriptions: readonly Transcription[], state: unknown): Promise<void> {
  for (const { organizationId, transcriptionId } of transcriptions)
    expect(await world.state(organizationId, transcriptionId)).toBe(state);
}

describe('finishing a transcription', () => {
  const calls = 11; // find, read, people, six files, speakers, state

  test('writes every file and the state in the end if the worker dies before or after any of its calls', async () => {
    await ended();
    await world.deliver('transcriptionResults');
    expect(world.lastCalls).toHaveLength(calls);
    const transcriptions = [];
    for (const { call, when } of pointsOfDeath(calls)) {
      const transcription = await ended();
      const bodies = [completed(transcription.jobName)];
      expect(await world.work('transcriptionResults', bodies, killAt(call, when))).toBe('killed');
      transcriptions.push(transcription);
    }
    await rest(); // delivers each event again, because the queue still has it
    await expectStates(transcriptions, 'ready');
  });

  test(`completes if the worker dies twice, at any two of its calls (seed ${seed})`, async () => {
    const pairs = createRandom(seed, 'two deaths of a finish').shuffled(pairsOfDeaths(calls)).slice(0, 20);
    const twice = [];
    for (const [first, second] of pairs) {
      const transcription = await ended({ output: outputOf('hello') }, { loseEvent: true });
      const bodies = [completed(transcription.jobName)];
      expect(await world.work('transcriptionResults', bodies, killAt(first.call, first.when))).toBe('killed');
      await world.work('transcriptionResults', bodies, killAt(second.call, second.when));
      twice.push(transcription);
    }
    await rest(); // only the reconciler can still finish them
    await expectStates(twice, 'ready');
  });

  test('leaves nothing if the transcription is deleted at any of its calls', async () => {
    const deleted = [];
    for (let index = 1; index <= calls; index++) {
      const transcription = await ended({ output: outputOf('hello') }, { loseEvent: true });
      const deletion = meanwhileAt(index, () =>
        world.delete(transcription.organizationId, transcription.transcriptionId),
      );
      await deliverEvent(transcription.jobName, deletion);
      deleted.push(transcription);
    }
    await rest();
    await expectStates(deleted, 404);
  });

  test('leaves nothing if the transcription is deleted at any of its calls and the worker dies right after', async () => {
    const deleted = [];
    for (let index = 1; index <= calls; index++) {
      const transcription = await ended();
      const { organizationId, transcriptionId, jobName } = transcription;
      await world.work('transcriptionResults', [completed(jobName)], (call) => {
        if (call.index === index) return { meanwhile: () => world.delete(organizationId, transcriptionId) };
        return call.index > index ? { kill: 'before' } : undefined;
      });
      deleted.push(transcription);
    }
    await rest(); // delivers each event again, because the queue still has it
    await expectStates(deleted, 404);
  });

  test("after its deletion keeps the transcription deleted and removes the job's output", async () => {
    const { organizationId, transcriptionId, jobName } = await started();
    await world.delete(organizationId, transcriptionId);
    await world.endJob(jobName, { output: outputOf('too late') });
    await world.deliver('transcriptionResults');
    expect(await world.filesOf(organizationId, transcriptionId)).toEqual([]);
    expect(world.transcribe.jobs.has(jobName), 'a worker might start the job again').toBe(true);
    await rest();
    expect(await world.state(organizationId, transcriptionId)).toBe(404);
    expect(world.transcribe.jobs.has(jobName)).toBe(false);
  });

  test("is left to the reconciler, which removes the job's output, if the event after a deletion is lost", async () => {
    const { organizationId, transcriptionId, jobName } = await started();
    await world.delete(organizationId, transcriptionId);
    await world.endJob(jobName, { output: outputOf('too late') }, { loseEvent: true });
    await rest();
    expect(world.transcribe.jobs.has(jobName)).toBe(false);
  });

  test('keeps the ready state after a second completion and a late failure', async () => {
    const { organizationId, transcriptionId, jobName } = await ended();
    for (const event of [completed(jobName), completed(jobName), failed(jobName, 'late')]) {
      expect(await world.work('transcriptionResults', [event])).toBe(0);
      expect(await world.state(organizationId, transcriptionId)).toBe('ready');
    }
  });

  test('keeps the failed state after a late completion, and no file is left', async () => {
    const { organizationId, transcriptionId, jobName } = await ended();
    expect(await world.work('transcriptionResults', [failed(jobName, 'Internal')])).toBe(0);
    expect(await world.work('transcriptionResults', [completed(jobName)])).toBe(0);
    expect(await world.state(organizationId, transcriptionId)).toBe('failed');
  });

  test('is completed by the faster of two overlapping runs, and the slower one changes nothing', async () => {
    for (let index = 1; index <= calls; index++) {
      const { organizationId, transcriptionId, jobName } = await ended();
      const overtaken = meanwhileAt(index, () => world.work('transcriptionResults', [completed(jobName)]));
      expect(await world.deliver('transcriptionResults', overtaken)).toEqual({ delivered: 1, killed: false });
      expect(await world.state(organizationId, transcriptionId)).toBe('ready');
    }
  });

  test('removes its files if a failure is recorded first', async () => {
    const transcriptions = [];
    for (let index = 1; index <= calls; index++) {
      const transcription = await ended({ output: outputOf('hello') }, { loseEvent: true });
      const failure = failed(transcription.jobName, 'Internal');
      const overtaken = meanwhileAt(index, () => world.work('transcriptionResults', [failure]));
      await deliverEvent(transcription.jobName, overtaken);
      transcriptions.push(transcription);
    }
    await rest();
    await expectStates(transcriptions, 'failed');
  });

  test.each(['GetObjectCommand', 'PutObjectCommand', 'GetItemCommand', 'UpdateItemCommand'])(
    'completes if %s fails four times, or is applied and its answer is lost',
    async (command) => {
      for (const [when, times] of [
        ['before', 4],
        ['after', 1],
      ] as const) {
        const { organizationId, transcriptionId } = await ended();
        await world.deliver('transcriptionResults', failing(command, serviceError('SlowDown', 503), when, times));
        await rest();
        expect(await world.state(organizationId, transcriptionId)).toBe('ready');
      }
    },
  );

  test('is completed by the reconciler if the events of all jobs are lost', async () => {
    const transcriptions = [await started(), await started(), await started()];
    expect(await world.endJobs({ loseEvents: true })).toBe(3);
    await rest();
    for (const { organizationId, transcriptionId } of transcriptions) {
      expect(await world.state(organizationId, transcriptionId)).toBe('ready');
    }
  });

  test.each([
    [
      "The data in your input media file isn't valid. Check the media file and try your request again.",
      'media_unreadable',
    ],
    ['Unsupported media format.', 'unsupported_media'],
    [
      'Your audio file must have a speech segment long enough in duration to perform automatic language identification.',
      'no_speech',
    ],
    ["The URI that you provided doesn't point to an S3 object.", 'recording_missing'],
    ['A reason that is not known yet', 'engine_error'],
  ])('of a job that failed with "%s" gives %s', async (failureReason, code) => {
    const transcription = await ended({ failureReason });
    await rest();
    expect(await failureOf(transcription)).toBe(code);
  });

  test.each([
    ['is not JSON', '<html>zanzibarcanary</html>', 'engine_error'],
    ['is JSON of another shape', '{"results":[]}', 'engine_error'],
    ['is nested a hundred thousand deep', '['.repeat(100_000) + ']'.repeat(100_000), 'engine_error'],
    ['contains no words', JSON.stringify({ results: { items: [] } }), 'no_speech'],
  ])('fails the transcription for output that %s', async (_what, output, code) => {
    const transcription = await ended({ output });
    await rest();
    expect(await failureOf(transcription)).toBe(code);
  });

  test('ignores a job of another service in the same account', async () => {
    expect(
      await world.work('transcriptionResults', [completed('another.application.job'), completed(`${jobNamePrefix}.x`)]),
    ).toBe(0);
  });

  test('fails in the end for a completed job without output', async () => {
    const { organizationId, transcriptionId, jobName } = await started();
    const job = world.transcribe.jobs.get(jobName);
    if (job) job.status = 'COMPLETED';
    await world.reconcileFor({ days: 4 });
    expect(await world.state(organizationId, transcriptionId)).toBe('failed');
    await world.queues.purgeDeadLetters();
  });
});
