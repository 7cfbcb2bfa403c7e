import { randomUUID } from 'node:crypto';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { organization } from '../../support/machine.ts';
import { silentAmr } from '../../support/media/amr.ts';
import { aacPackets, madeFormats, madeMedia, opusPackets } from '../../support/media/made-media.ts';
import { jobNamePrefix } from '../support/functions.ts';
import { type FaultPlan, failing, killAt, meanwhileAt, noFaults, serviceError } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

const { world, rest } = await useWorld();
const { s3, buckets } = world.resources;

/** Thirty seconds with a pause of ten that is left out, and a file of ten seconds that follows it. */
const [long, short, asItIs] = await Promise.all([
  madeMedia(madeFormats.mkv(), 'opus', opusPackets(30, { isSilent: (at) => at >= 10 && at < 20 })),
  madeMedia(madeFormats.ogg(), 'opus', opusPackets(10)),
  madeMedia(madeFormats.mp4(), 'aac', aacPackets(20)),
]);

const at = (seconds: number) => new Date(Date.parse('2026-03-01T09:00:00.000Z') + seconds * 1000).toISOString();

/** Uploads a file of an organization's recording. Returns where it is. */
async function uploaded(organizationId: string, Body: Uint8Array) {
  const location = { bucket: buckets.recordings, key: `${organizationId}/${randomUUID()}` };
  await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body }));
  return location;
}

/** A recording of a minute with four tracks: two that are joined, one that is taken as it is, and one that is no media. */
async function meeting(organizationId = organization()) {
  const files = [
    { participantId: 'ada', startDate: at(0), body: long },
    { participantId: 'ada', startDate: at(40), body: short },
    { participantId: 'bob', startDate: at(5), body: asItIs },
    { participantId: 'eve', startDate: at(5), endDate: at(25), body: Buffer.from('GIF89a') },
  ];
  const tracks = await Promise.all(
    files.map(async ({ body, ...track }) => ({ ...track, location: await uploaded(organizationId, body) })),
  );
  const recordingId = randomUUID();
  await world.event(organizationId, 'recording.finished', {
    ...{ recordingId, roomName: '/standup', roomSessionId: randomUUID(), filename: 'standup' },
    ...{ startDate: at(0), endDate: at(60), tracks },
  });
  return { organizationId, recordingId, tracks };
}

/** A transcription whose preparation waits in the queue. */
async function waiting() {
  const recording = await meeting();
  const transcriptionId = await world.create(recording);
  await world.deliver('transcriptionJobs');
  const { organizationId } = recording;
  return { ...recording, transcriptionId, body: JSON.stringify({ organizationId, transcriptionId }) };
}

type Scene = Awaited<ReturnType<typeof waiting>>;

const prepare = ({ body }: Pick<Scene, 'body'>, plan: FaultPlan = noFaults) =>
  world.work('mediaPreparation', [body], plan);

const startsOf = ({ organizationId }: Scene) =>
  [...world.transcribe.started].filter(([name]) => name.startsWith(`${jobNamePrefix}.${organizationId}.`));

/** After everything has come to rest, each is ready without the file that is no media, and each part had one job. */
async function expectReady(scenes: readonly Scene[]): Promise<void> {
  await rest();
  for (const scene of scenes) {
    const outcome = await world.api('getTranscription', scene);
    expect(outcome).toMatchObject({
      body: {
        ...{ state: 'ready', recordedSeconds: expect.closeTo(50, 0), submittedSeconds: expect.closeTo(52, 0) },
        missing: [{ participantId: 'eve', from: 5, to: 25, code: 'unsupported_media' }],
      },
    });
    expect(startsOf(scene).map(([, times]) => times)).toEqual([1, 1]);
    expect(await filesBelow(`work/${scene.organizationId}/`)).toEqual([]);
  }
}

async function filesBelow(Prefix: string): Promise<unknown[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: buckets.transcripts, Prefix }));
  return Contents.map(({ Key }) => Key);
}

/** Row, three for the turn, head, tracks, people; four heads and four ranges; plan, head, two parts; two ranges, three for a file, map, part, row; parts, count, head, row, starts, turn. */
const calls = 33;
const lastDeath = { call: calls, when: 'after' } as const;
/** The calls that change something. Before and after any other call, everything is as before the next of these. */
const writes = [4, 16, 17, 18, 19, 22, 23, 24, 25, 26, 29, 30, 31, 32, 33];

test('preparing a meeting makes a part of each stretch, and starts those that have a file', async () => {
  const scene = await waiting();
  expect(await prepare(scene)).toBe(0);
  expect(world.lastCalls).toHaveLength(calls);
  const reads = /^(Get|Query|Head)/;
  expect(world.lastCalls.flatMap((name, index) => (reads.test(name) ? [] : [index + 1]))).toEqual(writes);
  expect(await filesBelow(`work/${scene.organizationId}/`)).toHaveLength(3); // plan, file and map
  await expectReady([scene]);
});

test('preparing is completed if the worker dies before or after any of its calls', async () => {
  const scenes: Scene[] = [];
  for (const { call, when } of [...writes.map((call) => ({ call, when: 'before' as const })), lastDeath]) {
    const scene = await waiting();
    expect(await prepare(scene, killAt(call, when))).toBe('killed');
    scenes.push(scene);
  }
  await expectReady(scenes); // the queue still has each message
});

test('of two runs at once, one makes the parts, whenever the other one comes', async () => {
  const scenes: Scene[] = [];
  for (const index of [4, 5, 19, 24, 26, 29]) {
    const scene = await waiting();
    const overtaken = meanwhileAt(index, () => prepare(scene));
    expect(await prepare(scene, overtaken)).toBe(0);
    scenes.push(scene);
  }
  await expectReady(scenes);
});

test('preparing leaves nothing if the transcription is deleted at any of its calls', async () => {
  const scenes: Scene[] = [];
  for (const index of [2, 4, 17, 19, 23, 26, 27, 29, 30, 31]) {
    const scene = await waiting();
    const deletion = meanwhileAt(index, () => world.delete(scene.organizationId, scene.transcriptionId));
    expect(await prepare(scene, deletion)).toBe(0);
    scenes.push(scene);
  }
  await rest();
  for (const scene of scenes) {
    expect(await world.state(scene.organizationId, scene.transcriptionId)).toBe(404);
    expect(await filesBelow(`work/${scene.organizationId}/`)).toEqual([]);
  }
});

test('a new transcription goes on with the parts that a deleted one has prepared', async () => {
  const scene = await waiting();
  const { organizationId, transcriptionId } = scene;
  const lastPart = 26;
  expect(await prepare(scene, killAt(lastPart, 'after'))).toBe('killed');
  await world.delete(organizationId, transcriptionId);
  const next = await world.create(scene);
  world.clock = new Date(world.clock.getTime() + 16 * 60_000); // the killed run could still write until then
  expect(await prepare({ body: JSON.stringify({ organizationId, transcriptionId: next }) })).toBe(0);
  expect(world.lastCalls).not.toContain('CreateMultipartUploadCommand');
  await expectReady([{ ...scene, transcriptionId: next }]);
});

test.each(['GetObjectCommand', 'UploadPartCommand', 'TransactWriteItemsCommand'])(
  'preparing is completed if %s fails four times, or is applied and its answer is lost',
  async (command) => {
    const scenes: Scene[] = [];
    for (const [when, times] of [
      ['before', 4],
      ['after', 1],
    ] as const) {
      const scene = await waiting();
      await prepare(scene, failing(command, serviceError('SlowDown', 503), when, times));
      scenes.push(scene);
    }
    await expectReady(scenes);
  },
);

test('a file that is replaced while it is prepared fails its part', async () => {
  const scene = await waiting();
  const { bucket: Bucket, key: Key } = scene.tracks[1]?.location ?? {};
  const firstRead = 20;
  const replaced = meanwhileAt(firstRead, () => s3.send(new PutObjectCommand({ Bucket, Key, Body: silentAmr(10) })));
  expect(await prepare(scene, replaced)).toBe(0);
  await rest();
  const missing = [
    { participantId: 'ada', from: 0, code: 'recording_missing' },
    { participantId: 'eve', from: 5, code: 'unsupported_media' },
  ];
  expect(await world.api('getTranscription', scene)).toMatchObject({ body: { state: 'ready', missing } });
});

test('a recording none of whose tracks can be transcribed fails with their code', async () => {
  const organizationId = organization();
  const recordingId = randomUUID();
  const tracks = ['ada', 'bob'].map((participantId) => ({
    ...{ participantId, startDate: at(0) },
    location: { bucket: buckets.recordings, key: `${organizationId}/${participantId}-is-missing` },
  }));
  await world.event(organizationId, 'recording.finished', {
    ...{ recordingId, roomName: '/standup', roomSessionId: randomUUID(), filename: 'standup' },
    ...{ startDate: at(0), endDate: at(60), tracks },
  });
  const transcriptionId = await world.create({ organizationId, recordingId });
  await rest();
  const outcome = await world.api('getTranscription', { organizationId, transcriptionId });
  expect(outcome).toMatchObject({ body: { state: 'failed', failure: { code: 'recording_missing' } } });
});

test('a mixed file that is cut off fails before it has parts', async () => {
  const recording = await world.recording(organization(), { body: long.subarray(0, long.byteLength / 2) });
  const transcriptionId = await world.create(recording);
  await world.deliver('transcriptionJobs');
  const outcome = await world.api('getTranscription', { ...recording, transcriptionId });
  expect(outcome).toMatchObject({ body: { state: 'failed', failure: { code: 'media_unreadable' } } });
});
