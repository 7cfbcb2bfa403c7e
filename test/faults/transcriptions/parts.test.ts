import { BadRequestException } from '@aws-sdk/client-transcribe';
import { afterEach, describe, expect, test } from 'vitest';
import { failing, killAt, meanwhileAt, pointsOfDeath } from '../support/process.ts';
import { outputOf } from '../support/transcriptions/fake-transcribe.ts';
import { partScenes } from '../support/transcriptions/part-scenes.ts';
import { useWorld } from '../support/use-world.ts';

const { world, rest } = await useWorld();
const { create, prepare, prepared, jobOf, endJob, startOf, statesOf } = partScenes(world);

afterEach(() => {
  world.transcribe.maxRunningJobs = 250;
});

type Scene = Awaited<ReturnType<typeof prepared>>;

const endOf = (scene: Scene, part: number) =>
  JSON.stringify({ detail: { TranscriptionJobName: jobOf(scene, part), TranscriptionJobStatus: 'COMPLETED' } });

/** After everything has come to rest, each has this state, and one job for each of its parts. */
async function expectEnd(scenes: readonly Scene[], state: unknown = 'ready', jobs = 3): Promise<void> {
  await rest();
  for (const { organizationId, transcriptionId } of scenes) {
    expect(await world.state(organizationId, transcriptionId)).toBe(state);
    const started = [...world.transcribe.started.keys()].filter((name) => name.includes(organizationId));
    expect(started).toHaveLength(jobs);
  }
}

async function bodyOf({ organizationId, transcriptionId }: Scene) {
  const answer = await world.api('getTranscription', { organizationId, transcriptionId });
  return answer === 'killed' ? undefined : answer.body;
}

describe('starting a part', () => {
  const calls = 4; // row, part, job, part

  test('runs its job once if the worker dies before or after any of its calls', async () => {
    const deaths = pointsOfDeath(calls);
    const scene = await prepared(deaths.map(() => ({})));
    for (const [index, { call, when }] of deaths.entries()) {
      const message = startOf(scene, index + 1);
      expect(await world.work('transcriptionJobs', [message], killAt(call, when))).toBe('killed');
      await world.work('transcriptionJobs', [message]); // the queue delivers it again
    }
    expect(await statesOf(scene)).toMatchObject({ states: deaths.map(() => 'running') });
    await expectEnd([scene], 'ready', deaths.length);
  });

  test('starts one job if its message arrives many times, at once and one after the other', async () => {
    const scene = await prepared();
    expect(await world.work('transcriptionJobs', Array(10).fill(startOf(scene)))).toBe(0);
    expect(world.lastCalls.length).toBeGreaterThanOrEqual(2 * 10);
    for (let time = 0; time < 3; time++) expect(await world.work('transcriptionJobs', [startOf(scene)])).toBe(0);
    expect(world.lastCalls, 'a running part is not asked for').toHaveLength(2);
    await expectEnd([scene]);
  });

  test('starts no second job if another worker has started it, and it has ended, in the meantime', async () => {
    const scene = await prepared([{}], { send: false });
    const faster = async () => {
      await world.work('transcriptionJobs', [startOf(scene)]);
      await world.transcribe.end(jobOf(scene, 1), { output: outputOf('fast') });
      await world.work('transcriptionResults', [endOf(scene, 1)]);
    };
    await world.work('transcriptionJobs', [startOf(scene)], meanwhileAt(3, faster));
    await expectEnd([scene], 'ready', 1);
  });

  test('gives the turn of a part that has ended to the next one', async () => {
    const silent = { state: 'done', file: undefined, submittedSeconds: 0 } as const;
    const scene = await prepared([silent, silent, {}, silent, {}]);
    await expectEnd([scene], 'ready', 2);
  });

  test('fails a part that Transcribe refuses, and goes on with the others', async () => {
    const scene = await prepared();
    const refusal = new BadRequestException({ message: 'Unsupported media format.', $metadata: {} });
    await world.work('transcriptionJobs', [startOf(scene)], failing('StartTranscriptionJobCommand', refusal, 'before'));
    expect(await statesOf(scene)).toEqual({ ended: 1, states: ['failed', 'waiting', 'waiting'] });
    await expectEnd([scene], 'ready', 2);
    expect(await bodyOf(scene)).toMatchObject({
      missing: [{ participantId: 'participant-1', code: 'unsupported_media' }],
    });
  });

  test('waits while Transcribe is full, and sends no part twice because of that', async () => {
    world.transcribe.maxRunningJobs = 1;
    const scene = await prepared();
    await world.deliver('transcriptionJobs');
    world.clock = new Date(world.clock.getTime() + 121_000);
    await world.reconcile();
    expect(world.queues.count('queues'), 'only the message that waits').toBe(1);
    await expectEnd([scene]);
  });

  test('fails the transcription if Transcribe is full for more than a day, and leaves nothing', async () => {
    world.transcribe.maxRunningJobs = 1;
    const scene = await prepared();
    await world.deliver('transcriptionJobs');
    world.clock = new Date(world.clock.getTime() + 25 * 3_600_000);
    await world.deliver('transcriptionJobs');
    expect(await bodyOf(scene)).toMatchObject({ state: 'failed', failure: { code: 'engine_error' } });
    await expectEnd([scene], 'failed', 1);
  });
});

describe('finishing a part', () => {
  const calls = 6; // part, its end, row, head, message, job. The last one also sets when the row is checked next.

  test('starts the next one if the worker dies before or after any of its calls', async () => {
    const deaths = pointsOfDeath(calls);
    const scene = await prepared([...deaths, 0, 0].map(() => ({})));
    for (const [index, { call, when }] of deaths.entries()) {
      await world.deliver('transcriptionJobs');
      const part = index + 1;
      await endJob(scene, part, { loseEvent: true });
      expect(await world.work('transcriptionResults', [endOf(scene, part)], killAt(call, when))).toBe('killed');
      await world.work('transcriptionResults', [endOf(scene, part)]); // the queue delivers it again
      expect(world.lastCalls).toContain('SendMessageBatchCommand');
      expect(await statesOf(scene)).toMatchObject({ ended: part });
    }
    await expectEnd([scene], 'ready', deaths.length + 2);
  });

  // Before the message it makes the calls of any part.
  test('merges after the last one if the worker dies before or after any of its calls', async () => {
    const scenes = [];
    for (const { call, when } of pointsOfDeath(calls + 1).filter((death) => death.call > 4)) {
      const scene = await prepared([{}]);
      await world.deliver('transcriptionJobs');
      await endJob(scene, 1);
      expect(await world.work('transcriptionResults', [endOf(scene, 1)], killAt(call, when))).toBe('killed');
      scenes.push(scene);
    }
    await expectEnd(scenes, 'ready', 1); // the queue still has each event
  });

  test('counts each part once, and removes its job, if ends come twice, late and in any order', async () => {
    const scene = await prepared();
    await world.deliver('transcriptionJobs');
    for (const part of [2, 1]) await endJob(scene, part, { loseEvent: true });
    expect(
      await world.work(
        'transcriptionResults',
        [2, 2, 1, 2].map((part) => endOf(scene, part)),
      ),
    ).toBe(0);
    await world.deliver('transcriptionJobs');
    expect(await statesOf(scene)).toEqual({ ended: 2, states: ['done', 'done', 'running'] });
    expect([1, 2, 3].map((part) => world.transcribe.jobs.has(jobOf(scene, part)))).toEqual([false, false, true]);
    await endJob(scene, 3);
    for (const part of [3, 1, 3]) await world.work('transcriptionResults', [endOf(scene, part)]);
    await expectEnd([scene]);
    await world.work(
      'transcriptionResults',
      [1, 2, 3].map((part) => endOf(scene, part)),
    ); // of a work that was removed
  });

  test('goes on after a failed part, and the transcript names what is missing', async () => {
    const scene = await prepared();
    await world.deliver('transcriptionJobs');
    await world.endJob(jobOf(scene, 2), { failureReason: 'Unsupported media format.' });
    await expectEnd([scene]);
    expect(await bodyOf(scene)).toMatchObject({
      missing: [{ participantId: 'participant-2', code: 'unsupported_media' }],
    });
  });

  test('stores the end of a part of a deleted transcription, and the one that takes the work over goes on', async () => {
    const scene = await prepared();
    const { organizationId, transcriptionId: workId } = scene;
    await world.deliver('transcriptionJobs');
    await world.delete(organizationId, workId);
    await endJob(scene, 1);
    await world.deliver('transcriptionResults');
    expect(await statesOf(scene)).toEqual({ ended: 1, states: ['done', 'running', 'waiting'] });
    expect(world.queues.count('queues'), 'nothing is started for nobody').toBe(0);
    const transcriptionId = await create(scene);
    await prepare(scene, transcriptionId, { workId });
    await expectEnd([{ ...scene, transcriptionId }]);
    expect(await world.state(organizationId, workId)).toBe(404);
  });

  test('leaves nothing if the transcription is deleted at any of its calls', async () => {
    const scenes = [];
    for (let index = 1; index <= calls; index++) {
      const scene = await prepared();
      await world.deliver('transcriptionJobs');
      await endJob(scene, 1);
      const { organizationId, transcriptionId } = scene;
      await world.deliver(
        'transcriptionResults',
        meanwhileAt(index, () => world.delete(organizationId, transcriptionId)),
      );
      scenes.push(scene);
    }
    await rest();
    for (const scene of scenes) expect(await world.state(scene.organizationId, scene.transcriptionId)).toBe(404);
  });
});
