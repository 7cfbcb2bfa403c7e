import { describe, expect, test } from 'vitest';
import { jobNameOf } from '../support/functions.ts';
import { failing, killAt, meanwhileAt, pointsOfDeath, serviceError } from '../support/process.ts';
import { outputOf } from '../support/transcriptions/fake-transcribe.ts';
import { useWorld } from '../support/use-world.ts';

const { world } = await useWorld();

type Recording = Awaited<ReturnType<typeof world.recording>>;

/** Both rows, the output, the people, six files, the speakers, the state, and five calls that remove what the deleted one has: speakers in two places, and files, which it lists again. */
const callsOfFinish = 17;
/** Calls that are tried as others of their kind: the second row, five of the files, and the last removal. */
const repeatedCalls = [2, 6, 7, 8, 9, 10, 16];
/** The calls of the reconciler before it reads the first row. */
const queriesOfIndex = 8;

/** A recording whose transcription was deleted while its job runs. */
async function deleted() {
  const recording = await world.recording();
  const { organizationId } = recording;
  const transcriptionId = await world.create(recording);
  await world.deliver('transcriptionJobs');
  await world.delete(organizationId, transcriptionId);
  return { ...recording, transcriptionId, jobName: jobNameOf({ organizationId, transcriptionId }) };
}

/** A recording whose second transcription has taken over the running job of the first. */
async function takenOver() {
  const { transcriptionId: firstId, ...recording } = await deleted();
  return { ...recording, firstId, transcriptionId: await world.create(recording) };
}

/** The jobs of an organization that run at Transcribe. */
const running = ({ organizationId }: Recording) =>
  world.transcribe.running().filter((name) => name.includes(organizationId));
/** How many jobs were started for an organization. */
const started = ({ organizationId }: Recording) =>
  [...world.transcribe.started]
    .filter(([name]) => name.includes(organizationId))
    .reduce((sum, [, times]) => sum + times, 0);

/** The row of a transcription, or its tombstone. */
const rowOf = async ({ transcriptionId }: { readonly transcriptionId: string }) =>
  (await world.states.rows()).find((row) => row.transcriptionId === transcriptionId);

/** After everything has come to rest, the newest transcription of each recording is ready. */
async function expectReady(recordings: readonly (Recording & { readonly transcriptionId: string })[]): Promise<void> {
  await world.settle();
  for (const { organizationId, transcriptionId } of recordings)
    expect(await world.state(organizationId, transcriptionId), organizationId).toBe('ready');
}

const endJob = (jobName: string, words = 'hello') => world.endJob(jobName, { output: outputOf(words) });

describe('creating a transcription after a deletion', () => {
  test('takes over the running job, however often it is repeated', async () => {
    const recording = await deleted();
    for (let again = 0; again < 7; again++) {
      const transcriptionId = await world.create(recording);
      if (again % 2 === 0) await world.deliver('transcriptionJobs');
      await world.delete(recording.organizationId, transcriptionId);
    }
    world.clock = new Date(world.clock.getTime() + 60_000);
    const transcriptionId = await world.create(recording);
    expect(started(recording)).toBe(1);
    expect(await rowOf(recording)).toMatchObject({
      takenOverBy: transcriptionId,
      expiresAt: Math.ceil(world.clock.getTime() / 1000) + 60 * 24 * 3600,
    });
    await endJob(recording.jobName, 'the only words');
    await world.deliver('transcriptionResults');
    expect(await world.fileOf(recording.organizationId, transcriptionId, 'txt')).toContain('the only words');
    expect(await world.filesOf(recording.organizationId, recording.transcriptionId)).toEqual([]);
    await world.settle();
    expect(started(recording), 'the messages of the others start nothing').toBe(1);
    await world.delete(recording.organizationId, transcriptionId);
    await world.settle();
    expect(world.transcribe.jobs.has(recording.jobName)).toBe(false);
  });

  test('is completed by the next request if the process dies before or after any of its calls', async () => {
    const { transcriptionId: _, ...first } = await deleted();
    await world.delete(first.organizationId, await world.create(first));
    await world.create(first);
    const deaths = pointsOfDeath(world.lastCalls.length);
    expect(deaths.length).toBe(7); // points, recording, defaults, tombstone, transaction, message
    const recordings = [];
    for (const [index, { call, when }] of deaths.entries()) {
      const recording = await deleted();
      const { organizationId, recordingId } = recording;
      if (index % 2 === 0) await world.delete(organizationId, await world.create(recording));
      const request = { organizationId, body: { recordingId } };
      expect(await world.api('createTranscription', request, killAt(call, when))).toBe('killed');
      recordings.push({ ...recording, transcriptionId: await world.create(recording) });
    }
    await expectReady(recordings);
    expect(recordings.map(started)).toEqual(recordings.map(() => 1));
  });

  test('takes over the job once if the answer to its transaction is lost, and if calls race', async () => {
    const [one, other] = [await deleted(), await deleted()];
    const lost = failing('TransactWriteItemsCommand', serviceError('InternalServerError', 500), 'after');
    const transcriptionId = await world.create(one, lost);
    const ids = await Promise.all(Array.from({ length: 5 }, () => world.create(other)));
    expect(new Set(ids).size).toBe(1);
    await expectReady([
      { ...one, transcriptionId },
      { ...other, transcriptionId: String(ids[0]) },
    ]);
    expect([started(one), started(other)]).toEqual([1, 1]);
  });

  test('starts a job of its own if finish removes the work just before the transaction', async () => {
    const recording = await deleted();
    const removal = async () => {
      await endJob(recording.jobName);
      await world.deliver('transcriptionResults');
    };
    let isRemoved = false;
    const transcriptionId = await world.create(recording, ({ command }) => {
      if (command !== 'TransactWriteItemsCommand' || isRemoved) return undefined;
      isRemoved = true;
      return { meanwhile: removal };
    });
    expect(await rowOf({ transcriptionId })).not.toHaveProperty('workId');
    await expectReady([{ ...recording, transcriptionId }]);
  });

  test('starts a job of its own if the recording has another file by now, or if the earlier one has failed', async () => {
    const moved = await deleted();
    const { organizationId, recordingId, location } = moved;
    const copy = await world.recording(organizationId, { recordingId });
    await world.create(moved);
    await world.deliver('transcriptionJobs');
    const media = running(moved).map((name) => world.transcribe.jobs.get(name)?.request.Media?.MediaFileUri);
    expect(media).toEqual([location, copy.location].map(({ bucket, key }) => `s3://${bucket}/${key}`));

    const failed = await world.recording();
    const transcriptionId = await world.create(failed);
    await world.deliver('transcriptionJobs');
    world.clock = new Date(world.clock.getTime() + 25 * 3_600_000);
    await world.reconcile();
    await world.delete(failed.organizationId, transcriptionId);
    await world.create(failed);
    await world.deliver('transcriptionJobs');
    expect(started(failed)).toBe(2);
  });
});

describe('a job that was taken over', () => {
  test('ends its newest transcription if finish dies before or after any of its calls', async () => {
    const { jobName } = await takenOver();
    await endJob(jobName);
    await world.deliver('transcriptionResults');
    const deaths = pointsOfDeath(world.lastCalls.length);
    expect(deaths.length).toBe(callsOfFinish + 1);
    const recordings = [];
    for (const { call, when } of deaths.filter(({ call }) => !repeatedCalls.includes(call))) {
      const recording = await takenOver();
      const detail = await world.transcribe.end(recording.jobName, { output: outputOf('hello') });
      await world.queues.send('transcriptionResults', { detail }); // the queue delivers it again
      expect(await world.work('transcriptionResults', [JSON.stringify({ detail })], killAt(call, when))).toBe('killed');
      recordings.push(recording);
    }
    await expectReady(recordings);
  });

  test('leaves nothing of a transcription that is deleted at any call of finish, and ends the next one', async () => {
    const recordings = [];
    for (let index = 1; index <= callsOfFinish; index++) {
      if (repeatedCalls.includes(index)) continue;
      const recording = await takenOver();
      const { organizationId } = recording;
      await endJob(recording.jobName);
      let { transcriptionId } = recording;
      await world.deliver(
        'transcriptionResults',
        meanwhileAt(index, async () => {
          await world.delete(organizationId, transcriptionId);
          transcriptionId = await world.create(recording);
        }),
      );
      expect(await world.filesOf(organizationId, recording.transcriptionId)).toEqual([]);
      await world.deliver('transcriptionJobs');
      expect(running(recording).length).toBeLessThanOrEqual(1);
      recordings.push({ ...recording, transcriptionId });
    }
    await expectReady(recordings);
  });

  test.each([
    ['finish', 4],
    ['the reconciler', 6],
  ])('is not lost if %s cleans up at the same time, at any of its %d calls', async (who, calls) => {
    const recordings = [];
    for (let index = 1; index <= calls; index++) {
      const recording = await deleted();
      await endJob(recording.jobName);
      let transcriptionId = '';
      const create = async () => {
        transcriptionId = await world.create(recording);
        await world.deliver('transcriptionJobs');
      };
      if (who === 'finish') await world.deliver('transcriptionResults', meanwhileAt(index, create));
      else {
        world.clock = new Date(world.clock.getTime() + 3_600_000);
        await world.reconcile(meanwhileAt(queriesOfIndex + index, create));
      }
      if (transcriptionId === '') await create(); // after the last call
      expect(running(recording).length).toBeLessThanOrEqual(1);
      recordings.push({ ...recording, transcriptionId });
    }
    await expectReady(recordings);
    for (const recording of recordings) {
      const jobs = (await rowOf(recording))?.workId === undefined ? 2 : 1;
      expect(started(recording), 'a job that was taken over is not repeated').toBe(jobs);
    }
  });

  test('is started once if the first transcription is deleted at any call of start, and the next one starts it', async () => {
    const recordings = [];
    for (let index = 1; index <= 4; index++) {
      const recording = await world.recording();
      const firstId = await world.create(recording);
      let transcriptionId = '';
      await world.deliver(
        'transcriptionJobs',
        meanwhileAt(index, async () => {
          await world.delete(recording.organizationId, firstId);
          transcriptionId = await world.create(recording);
          await world.deliver('transcriptionJobs');
        }),
      );
      expect(running(recording)).toHaveLength(1);
      recordings.push({ ...recording, transcriptionId });
    }
    await expectReady(recordings);
    expect(recordings.map(started)).toEqual([1, 1, 1, 1]);
  });

  test('is repeated soon if it ended just before the deletion that removed its output', async () => {
    const recording = await world.recording();
    const { organizationId } = recording;
    const firstId = await world.create(recording);
    await world.deliver('transcriptionJobs');
    await endJob(jobNameOf({ organizationId, transcriptionId: firstId }));
    await world.delete(organizationId, firstId);
    const transcriptionId = await world.create(recording);
    await world.deliver('transcriptionJobs');
    await world.deliver('transcriptionResults');
    world.clock = new Date(world.clock.getTime() + 60_000);
    await world.reconcile();
    await world.deliver('transcriptionJobs');
    expect(running(recording)).toHaveLength(1);
    await expectReady([{ ...recording, transcriptionId }]);
  });

  test('is not started again if its newest transcription is deleted before its own message is handled', async () => {
    const { transcriptionId, jobName, ...recording } = await takenOver();
    const call = { organizationId: recording.organizationId, transcriptionId };
    const late = meanwhileAt(3, async () => {
      await endJob(jobName);
      await world.deliver('transcriptionResults');
      await world.delete(call.organizationId, call.transcriptionId);
    });
    await world.deliver('transcriptionJobs', late);
    expect([started(recording), running(recording)]).toEqual([1, []]);
  });
});
