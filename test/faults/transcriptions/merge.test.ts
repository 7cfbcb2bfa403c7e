import { expect, test } from 'vitest';
import type { TranscriptDocument } from '#shared/contracts/transcriptions/transcript-document.ts';
import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { failing, killAt, meanwhileAt, pointsOfDeath, serviceError } from '../support/process.ts';
import { mergeScenes, wordsOfTracks } from '../support/transcriptions/merge-scenes.ts';
import { useWorld } from '../support/use-world.ts';

const { world, rest } = await useWorld();
const { ended, takeOver, leftOf } = mergeScenes(world);

type Scene = Awaited<ReturnType<typeof ended>>;

/** Row, head, parts, plan, two outputs, a map, row, people, six files, speakers, state; then calls for files, which are listed again, and rows. */
const calls = 27;
/** The calls that are not tried, because others of their kind are: five of the files, and two of the rows. */
const repeatedCalls = [11, 12, 13, 14, 15, 24, 25];
const triedCalls = Array.from({ length: calls }, (_, index) => index + 1).filter(
  (call) => !repeatedCalls.includes(call),
);
/** The call that stores the state. */
const callOfState = 18;

const merge = ({ body }: Scene, plan?: Parameters<typeof world.work>[2]) =>
  world.work('transcriptionMerges', [body], plan);

/** The turns of a transcription's json file. */
async function turnsOf({ organizationId }: Scene, transcriptionId: string) {
  const { turns } = JSON.parse(await world.fileOf(organizationId, transcriptionId, 'json')) as TranscriptDocument;
  return turns.map(({ speaker, startSeconds, text }) => `${startSeconds} ${speaker}: ${text}`);
}

const wholeTranscript = [`0 Speaker 1: ${wordsOfTracks[0]}`, `150 Speaker 2: ${wordsOfTracks[1]}`];

/** After everything has come to rest, each is ready with all words, and nothing of its work is left. */
async function expectMerged(scenes: readonly (Scene & { readonly ownerId?: string })[]): Promise<void> {
  await rest();
  for (const scene of scenes) {
    const owner = scene.ownerId ?? scene.transcriptionId;
    expect(await world.state(scene.organizationId, owner)).toBe('ready');
    expect(await turnsOf(scene, owner)).toEqual(wholeTranscript);
    expect(await world.filesOf(scene.organizationId, owner)).toHaveLength(transcriptFormats.length + 1); // and the words
    expect(await leftOf(scene)).toEqual([]);
  }
}

test('a merge writes the words of all parts on one clock, and removes the work', async () => {
  const scene = await ended();
  await world.deliver('transcriptionMerges');
  expect(world.lastCalls).toHaveLength(calls);
  expect(world.lastCalls[callOfState - 1]).toBe('TransactWriteItemsCommand');
  const outcome = await world.api('getTranscription', scene);
  expect(outcome).toMatchObject({ body: { state: 'ready', recordedSeconds: 600, submittedSeconds: 1200 } });
  expect(outcome).not.toHaveProperty('body.missing');
  await expectMerged([scene]);
});

test('a merge is completed if the worker dies before or after any of its calls', async () => {
  const scenes: Scene[] = [];
  for (const { call, when } of pointsOfDeath(calls)) {
    if (when === 'before' && repeatedCalls.includes(call)) continue;
    const scene = await ended();
    expect(await merge(scene, killAt(call, when))).toBe('killed');
    scenes.push(scene);
  }
  await expectMerged(scenes); // the queue still has each message
});

test('two merges at once give one whole transcript, wherever the faster one overtakes', async () => {
  const scenes: Scene[] = [];
  for (const index of triedCalls) {
    const scene = await ended({ send: false });
    expect(
      await merge(
        scene,
        meanwhileAt(index, () => merge(scene)),
      ),
    ).toBe(0);
    scenes.push(scene);
  }
  await expectMerged(scenes);
});

test('a merge leaves nothing if the transcription is deleted at any of its calls', async () => {
  const scenes: Scene[] = [];
  for (const index of triedCalls) {
    const scene = await ended({ send: false });
    const deletion = meanwhileAt(index, () => world.delete(scene.organizationId, scene.transcriptionId));
    expect(await merge(scene, deletion)).toBe(0);
    scenes.push(scene);
  }
  await rest();
  for (const scene of scenes) {
    expect(await world.state(scene.organizationId, scene.transcriptionId)).toBe(404);
    expect(await leftOf(scene)).toEqual([]);
  }
});

test('a merge ends the new transcription if one takes the work over at any call before the state is stored', async () => {
  const scenes: (Scene & { ownerId: string })[] = [];
  for (const index of triedCalls.filter((call) => call <= callOfState)) {
    const scene = await ended({ send: false });
    let ownerId = '';
    const takingOver = meanwhileAt(index, async () => {
      ownerId = await takeOver(scene);
    });
    expect(await merge(scene, takingOver)).toBe(0);
    scenes.push({ ...scene, ownerId });
  }
  await expectMerged(scenes);
  for (const { organizationId, transcriptionId } of scenes)
    expect(await world.filesOf(organizationId, transcriptionId), 'nothing of the deleted one').toEqual([]);
});

test.each(['GetObjectCommand', 'QueryCommand', 'UpdateItemCommand', 'DeleteObjectsCommand', 'DeleteItemCommand'])(
  'a merge is completed if %s fails four times, or is applied and its answer is lost',
  async (command) => {
    const scenes: Scene[] = [];
    for (const [when, times] of [
      ['before', 4],
      ['after', 1],
    ] as const) {
      const scene = await ended();
      await world.deliver('transcriptionMerges', failing(command, serviceError('SlowDown', 503), when, times));
      scenes.push(scene);
    }
    await expectMerged(scenes);
  },
);

test('a part that failed is missing in the transcription and in its files', async () => {
  const scene = await ended({ failureCode: 'engine_error' });
  await rest();
  const missing = [{ participantId: 'bo', from: 0, to: 600, code: 'engine_error' }];
  expect(await world.api('getTranscription', scene)).toMatchObject({ body: { state: 'ready', missing } });
  expect(await world.fileOf(scene.organizationId, scene.transcriptionId, 'md')).toContain(
    '- Missing: 00:00:00-00:10:00 (bo), engine error\n',
  );
  expect(await leftOf(scene)).toEqual([]);
});
