import { describe, expect, test } from 'vitest';
import { type FaultPlan, killAt, meanwhileAt, pointsOfDeath } from '../support/process.ts';
import { partScenes, threeParts } from '../support/transcriptions/part-scenes.ts';
import { useWorld } from '../support/use-world.ts';

const { world, rest } = await useWorld();
const { create, prepare, prepared, jobOf, endJob, makeReady, startOf, statesOf } = partScenes(world);

type Scene = Awaited<ReturnType<typeof prepared>>;

/** The shards of the due index. A run of the reconciler queries each of them once. */
const queriesOfIndex = 8;

function advanceHours(hours: number): void {
  world.clock = new Date(world.clock.getTime() + hours * 3_600_000);
}

/** A plan in which the calls that check this transcription are counted from 1, wherever its shard comes in the run. */
function whenChecking({ organizationId }: Scene, plan: FaultPlan): FaultPlan {
  let first: number | undefined;
  return (call) => {
    if (call.command === 'GetItemCommand' && JSON.stringify(call.input).includes(organizationId)) first ??= call.index;
    return first === undefined ? undefined : plan({ ...call, index: call.index - first + 1 });
  };
}

async function running(): Promise<Scene> {
  const scene = await prepared();
  await world.deliver('transcriptionJobs');
  return scene;
}

async function expectStates(scenes: readonly Scene[], state: unknown): Promise<void> {
  await rest();
  for (const { organizationId, transcriptionId } of scenes)
    expect(await world.state(organizationId, transcriptionId)).toBe(state);
}

/** A transcription in which the start of a part and the end of another were lost. */
async function stuck(): Promise<Scene> {
  const scene = await prepared(threeParts, { send: false });
  await world.work('transcriptionJobs', [startOf(scene, 1)]);
  await endJob(scene, 1, { loseEvent: true });
  return scene;
}

/** A deleted transcription whose parts ran, and whose ends were lost. */
async function left(): Promise<Scene> {
  const scene = await running();
  await world.delete(scene.organizationId, scene.transcriptionId);
  for (const part of [1, 2]) await endJob(scene, part, { loseEvent: true });
  return scene;
}

describe('the reconciler', () => {
  test.each([
    ['heals a transcription in which a start and an end were lost', stuck, 'ready'],
    ['removes a deleted transcription whose ends were lost', left, 404],
  ] as const)('%s, even if it dies before or after any of its calls', async (_what, make, end) => {
    const scenes = [await make()];
    advanceHours(1);
    await world.reconcile();
    const deaths = pointsOfDeath(world.lastCalls.length - queriesOfIndex);
    expect(deaths.length).toBeGreaterThan(6);
    for (const { call, when } of deaths) {
      const scene = await make();
      advanceHours(1);
      expect(await world.reconcile(whenChecking(scene, killAt(call, when)))).toBe('killed');
      scenes.push(scene);
    }
    await expectStates(scenes, end);
  });

  test('leaves nothing of a transcription that is deleted at any of its calls', async () => {
    const scenes = [];
    for (let index = 1; index <= 6; index++) {
      const scene = await stuck();
      advanceHours(1);
      const { organizationId, transcriptionId } = scene;
      const deletion = meanwhileAt(index, () => world.delete(organizationId, transcriptionId));
      await world.reconcile(whenChecking(scene, deletion));
      scenes.push(scene);
    }
    await expectStates(scenes, 404);
  });

  test('sends the merge again', async () => {
    const scene = await prepared([{ state: 'done', file: undefined }], { send: false });
    advanceHours(1);
    await world.reconcile();
    await world.deliver('transcriptionMerges');
    await expectStates([scene], 'failed'); // nobody has said anything
  });

  test('removes the work of a transcription that it has given up, after its jobs have ended', async () => {
    const scene = await running();
    advanceHours(25);
    await world.reconcile();
    expect(await world.state(scene.organizationId, scene.transcriptionId)).toBe('failed');
    advanceHours(1);
    await world.reconcile();
    expect(await statesOf(scene)).toMatchObject({ states: ['running', 'running', 'waiting'] });
    for (const part of [1, 2]) await endJob(scene, part, { loseEvent: true });
    await expectStates([scene], 'failed');
    expect([1, 2].filter((part) => world.transcribe.jobs.has(jobOf(scene, part)))).toEqual([]);
  });

  test('ends a part whose job has vanished', async () => {
    const scene = await running();
    world.transcribe.jobs.delete(jobOf(scene, 1));
    advanceHours(1);
    await world.reconcile();
    await world.deliver('transcriptionResults');
    expect(await statesOf(scene)).toEqual({ ended: 1, states: ['failed', 'running', 'waiting'] });
    await expectStates([scene], 'ready');
  });

  test('keeps the work of a deleted transcription while a part runs, so that another one can take it over', async () => {
    const scene = await running();
    const { organizationId, transcriptionId: workId } = scene;
    await world.delete(organizationId, workId);
    await endJob(scene, 1);
    advanceHours(1);
    await world.reconcile();
    await world.deliver('transcriptionResults');
    expect(await statesOf(scene)).toEqual({ ended: 1, states: ['done', 'running', 'waiting'] });
    const transcriptionId = await create(scene);
    await prepare(scene, transcriptionId, { workId });
    await expectStates([{ ...scene, transcriptionId }], 'ready');
    const started = [1, 2, 3].map((part) => world.transcribe.started.get(jobOf(scene, part)));
    expect(started).toEqual([1, 1, 1]);
  });

  test('withdraws the offer of a work before it removes the work', async () => {
    const [scenes, takenOver] = [[] as Scene[], new Set<boolean>()];
    for (const index of [2, 5, 6, 8]) {
      const scene = await left(); // row, parts, two jobs, offer, two jobs, files
      const { transcriptionId: workId } = scene;
      advanceHours(1);
      let transcriptionId = '';
      const take = async () => {
        transcriptionId = await create(scene);
      };
      await world.reconcile(whenChecking(scene, meanwhileAt(index, take)));
      const isTakenOver = (await statesOf(scene)).ended !== undefined;
      await prepare(scene, transcriptionId, isTakenOver ? { workId } : {});
      scenes.push({ ...scene, transcriptionId });
      takenOver.add(isTakenOver);
    }
    expect(takenOver.size, 'before the offer is withdrawn, and after').toBe(2);
    await expectStates(scenes, 'ready');
  });
});

describe('deleting a transcription', () => {
  /** Deletes each of the transcriptions. The process dies at another call each time. */
  async function deleteAll(scenes: readonly Scene[]): Promise<void> {
    let calls = 0;
    for (const [index, { organizationId, transcriptionId }] of scenes.entries()) {
      const death = pointsOfDeath(calls)[index - 1];
      const request = { organizationId, transcriptionId };
      if (death) expect(await world.api('deleteTranscription', request, killAt(death.call, death.when))).toBe('killed');
      await world.delete(organizationId, transcriptionId);
      if (index === 0) calls = world.lastCalls.length;
    }
    expect(scenes, 'one for each death').toHaveLength(1 + pointsOfDeath(calls).length);
    await expectStates(scenes, 404);
  }

  const several = (count: number) => Promise.all(Array.from({ length: count }, () => prepared([{}], { send: false })));

  test('with running parts leaves nothing, even if it dies before or after any of its calls', async () => {
    const scenes = await several(9);
    await world.work(
      'transcriptionJobs',
      scenes.map((scene) => startOf(scene)),
    );
    await deleteAll(scenes);
  });

  test('removes what a merge has left that died, even if it dies itself before or after any of its calls', async () => {
    const scenes = await several(17);
    for (const scene of scenes) await makeReady(scene);
    await deleteAll(scenes);
  });
});
