import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { TranscriptionPage } from '#shared/contracts/transcriptions/transcription-operations.ts';
import type { RecordingRecord } from '#shared/domain/transcriptions/recording.ts';
import { recordingFileKey } from '#shared/storage/transcriptions/keys.ts';
import { dynamodb } from '../../support/machine.ts';
import { jobNameOf } from '../support/functions.ts';
import { expectInvariants } from '../support/transcriptions/invariants.ts';
import { transcriptCanary } from '../support/world.ts';
import { tokenOf } from './actions/api-actions.ts';
import { belongingsOf } from './belongings.ts';
import type { ReportedRecording } from './knowledge.ts';
import type { Scene } from './scene.ts';
import { expectLatestTracks } from './tracks.ts';

type Row = Readonly<Record<string, unknown>>;
type Letter = {
  readonly type: string;
  readonly organizationId: string;
  readonly data: { readonly location: { readonly key: string } };
};

const documents = DynamoDBDocumentClient.from(dynamodb);
const orders = ['startDate:desc', 'startDate:asc', 'roomName:asc', 'durationInSeconds:desc'] as const;

/** What must hold after each step. Throws if it does not. */
export const invariantsOfEachStep: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'a recording has at most one unfinished transcription': async ({ world }) => {
    const unfinished = (await world.states.observe()).filter(
      ({ state, recordingId }) => state === 'in_progress' && recordingId,
    );
    const recordings = unfinished.map(({ organizationId, recordingId }) => `${organizationId} ${recordingId}`);
    expect(recordings).toEqual([...new Set(recordings)]);
  },
  'a recording has at most one running job, except one of a transcription that has failed': async (scene) => {
    const { world, knowledge } = scene;
    const running = world.transcribe.running().filter((name) => !world.states.failedJobs.has(name));
    const files = running.map((name) => world.transcribe.mediaOf(name));
    const moved = [...knowledge.recordings.values()].filter((events) => events.length > 2).flat(); // perhaps there and back
    const unmoved = files.filter((file) => !moved.some(({ key }) => file.endsWith(`/${key}`)));
    expect(unmoved).toEqual([...new Set(unmoved)]);
  },
  'no answer has data of another organization': async ({ world, organizations }) => {
    for (const { organizationId, body = '' } of world.answers.slice(-1)) {
      for (const other of organizations) if (other !== organizationId) expect(body).not.toContain(other);
    }
  },
};

/** What must hold at the end, after all faults. Throws if it does not. To add an invariant, add a row. */
export const invariantsAtRest: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'nothing was wrong on the way': async ({ problems }) => expect(problems).toEqual([]),

  'nothing of an erased organization remains': async ({ world, erased }) => {
    for (const organizationId of erased) expect(await belongingsOf(world, organizationId)).toEqual([]);
  },

  'dead letters are the messages that must be refused': async (scene) => {
    const { world, knowledge } = scene;
    const ofForeignFiles: object[] = [];
    const letters = await world.queues.readDeadLetters();
    for (const letter of letters as Letter[])
      if (
        letter.type === 'recording.finished' &&
        !(await ownsFile(scene, letter.organizationId, letter.data.location.key))
      )
        ofForeignFiles.push(letter);
    const others = letters.filter((letter) => !ofForeignFiles.includes(letter as object));
    expect(others).toHaveLength(knowledge.refused.length);
    expect(others).toEqual(expect.arrayContaining([...knowledge.refused]));
  },

  'the invariants of every fault test hold': async ({ world, logs }) => {
    const deadLetters = world.queues.count('deadLetterQueues');
    await expectInvariants(world, logs, { deadLetters });
  },

  'every transcription with a Location is stored': async (scene) => {
    const rows = await rowsById(scene);
    for (const [organizationId, ids] of scene.knowledge.created)
      for (const id of ids) expect(rows.has(`${organizationId} ${id}`), `${organizationId} ${id}`).toBe(true);
  },

  'every accepted deletion has happened, and no other': async (scene) => {
    const { deleted, deletionRequested } = scene.knowledge;
    for (const row of await scene.world.states.rows()) {
      const [organizationId, id] = [String(row.organizationId), String(row.transcriptionId)];
      const isDeleted = row.deletedAt !== undefined;
      if (deleted.get(organizationId)?.has(id)) expect(isDeleted, `${organizationId} ${id} is deleted`).toBe(true);
      if (isDeleted) expect([...(deletionRequested.get(organizationId) ?? [])]).toContain(id);
    }
  },

  'lists and single reads show what is stored': async ({ world, organizations }) => {
    const rows = (await world.states.rows()).filter(({ deletedAt }) => !deletedAt);
    for (const [index, organizationId] of organizations.entries()) {
      const own = rows
        .filter((row) => row.organizationId === organizationId)
        .map(({ transcriptionId }) => transcriptionId);
      const query = `limit=100&sortBy=${orders[(rows.length + index) % orders.length]}`;
      const list = await world.api('listTranscriptions', { organizationId, query });
      const listed = list === 'killed' ? [] : TranscriptionPage.parse(list.body).results;
      expect(listed.map(({ transcriptionId }) => transcriptionId).sort()).toEqual(own.sort());
    }
    for (const { organizationId, transcriptionId } of (await world.states.rows()).filter(({ deletedAt }) => deletedAt))
      expect(await world.state(String(organizationId), String(transcriptionId))).toBe(404);
  },

  'a live transcription has an end that was reported': async (scene) => {
    const rows = await rowsById(scene);
    for (const [key, events] of scene.knowledge.live) {
      const row = rows.get(key);
      if (row?.deletedAt !== undefined) continue;
      const ends = events.flatMap((event) => (event.type === 'transcription.started' ? [] : [event]));
      const possible = ends.map(({ type, data }) => ({
        state: type === 'transcription.finished' ? 'ready' : 'failed',
        ...(data.location && { location: data.location }),
      }));
      const wanted =
        possible.length > 0
          ? possible
          : [{ state: 'failed', failure: expect.objectContaining({ code: 'end_not_reported' }) }];
      expect(
        wanted.map((each) => expect.objectContaining(each)),
        `${key} is ${JSON.stringify(row)}`,
      ).toContainEqual(row);
    }
  },

  'the files of live transcriptions remain until they are deleted': async (scene) => {
    const rows = await rowsById(scene);
    const files = new Set(await keysBelow(scene, 'live/'));
    for (const [key, row] of rows) {
      const folder = `live/${key.replace(' ', '/')}/`;
      const own = [...files].filter((file) => file.startsWith(folder));
      const { key: file } = (row.location ?? {}) as { readonly key?: string };
      if (row.deletedAt !== undefined) expect(own, `${key} is deleted`).toEqual([]);
      else if (file?.startsWith('live/')) expect(own).toContain(file);
    }
  },

  'a ready transcript has the words of its own job': async ({ world, organizations }) => {
    for (const row of (await world.states.rows()).filter(
      ({ state, recordingId }) => state === 'ready' && recordingId,
    )) {
      const [organizationId, id] = [String(row.organizationId), String(row.transcriptionId)];
      expect(row.durationInSeconds, 'a ready transcription is billed').toBe(60);
      const text = await world.fileOf(organizationId, id, 'json');
      expect(text).toContain(id);
      for (const other of organizations) if (other !== organizationId) expect(text).not.toContain(other);
    }
  },

  'a transcription fails for a reason only': async (scene) => {
    const { world, knowledge } = scene;
    const failed = (await world.states.rows()).filter(({ state, recordingId }) => state === 'failed' && recordingId);
    for (const { organizationId, transcriptionId, workId, recordingId, failure } of failed) {
      const result = knowledge.jobResults.get(jobNameOf({ organizationId, transcriptionId, workId }));
      const isMissing = knowledge.withoutFile.get(String(organizationId))?.has(String(recordingId));
      const reasons = [
        ...(result === undefined ? [] : (codesOfResults[result] ?? [])),
        ...(isMissing ? ['recording_missing'] : []),
        ...(mayBeGivenUp(scene) ? ['engine_error'] : []),
      ];
      expect(reasons, `${organizationId} ${transcriptionId}`).toContain((failure as { readonly code: string }).code);
    }
  },

  'a recording is as the latest of its accepted events describes it': async (scene) => {
    for (const [key, events] of scene.knowledge.recordings) {
      const [organizationId = '', recordingId] = key.split(' ');
      const row = await rowOf(scene.world.resources.tables.recordings, { organizationId, recordingId });
      const accepted: ReportedRecording[] = [];
      for (const event of events) if (await ownsFile(scene, organizationId, event.key)) accepted.push(event);
      const latest = accepted
        .map(({ finishedAt }) => finishedAt)
        .toSorted()
        .at(-1);
      const { finishedAt, roomName, location } = (row ?? {}) as Partial<RecordingRecord>;
      const stored = row && { finishedAt, key: location?.key, roomName };
      expect(
        latest === undefined ? [undefined] : accepted.filter(({ finishedAt }) => finishedAt === latest),
      ).toContainEqual(stored);
    }
  },

  'a recording has the latest report of each track': expectLatestTracks,

  'revoked links and links of deleted transcriptions open nothing': async ({ world, knowledge }) => {
    const ended = knowledge.links.filter(
      ({ organizationId, transcriptionId, isRevoked }) =>
        isRevoked || knowledge.deleted.get(organizationId)?.has(transcriptionId),
    );
    for (const { organizationId, token } of ended.slice(-3))
      expect(await world.api('followAccessLink', { organizationId, token })).toMatchObject({ status: 404 });
  },

  'links open the transcript of their owner': async ({ world }) => {
    const ready = (await world.states.rows()).filter(({ state }) => state === 'ready').slice(-2);
    for (const { organizationId, transcriptionId, recordingId } of ready) {
      const call = { organizationId: String(organizationId), transcriptionId: String(transcriptionId) };
      const link = await world.api('createAccessLink', call);
      if (link === 'killed' || link.status !== 200) continue; // a live transcript may have no file
      const redirect = await world.api('followAccessLink', { ...call, token: tokenOf(link.body) });
      if (redirect === 'killed') continue;
      const file = await fetch(String(redirect.location));
      const words = recordingId === undefined ? `words of ${call.organizationId}` : transcriptCanary;
      expect([file.status, await file.text()]).toEqual([200, expect.stringContaining(words)]);
    }
  },
};

/** True if the first organization that named a file of a recording is this one. */
async function ownsFile({ world }: Scene, organizationId: string, key: string): Promise<boolean> {
  const { tables, buckets } = world.resources;
  const owner = await rowOf(tables.recordingFiles, recordingFileKey({ bucket: buckets.recordings, key }));
  return owner?.organizationId === organizationId;
}

/** The failures that the end of a job explains. */
const codesOfResults: Readonly<Record<string, readonly string[]>> = {
  silence: ['no_speech'],
  nonsense: ['engine_error'],
  failure: ['unsupported_media'],
};

/** After some hours, the reconciler's next check can be later than the time at which it gives up. */
function mayBeGivenUp({ movedHours, tally }: Scene): boolean {
  return movedHours >= 3 || tally.byKind.has('clock ahead');
}

async function rowsById({ world }: Scene): Promise<Map<string, Row>> {
  return new Map((await world.states.rows()).map((row) => [`${row.organizationId} ${row.transcriptionId}`, row]));
}

async function rowOf(TableName: string, key: Readonly<Record<string, unknown>>): Promise<Row | undefined> {
  const { Item } = await documents.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }));
  return Item;
}

async function keysBelow({ world }: Scene, Prefix: string): Promise<string[]> {
  const keys: string[] = [];
  const pages = paginateListObjectsV2(
    { client: world.resources.s3 },
    { Bucket: world.resources.buckets.transcripts, Prefix },
  );
  for await (const { Contents = [] } of pages) keys.push(...Contents.map(({ Key }) => String(Key)));
  return keys;
}
