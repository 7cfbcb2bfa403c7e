import { expect, test } from 'vitest';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import { offersWork } from '#shared/domain/transcriptions/parts/work.ts';
import { jobOutputKey, partOutputKey, redactedKey } from '#shared/domain/transcriptions/transcript-location.ts';
import { isDeleted, type StoredTranscription } from '#shared/domain/transcriptions/transcription.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { deleteTranscription } from '#shared/use-cases/transcriptions/delete-transcription.ts';
import {
  organizationId,
  partRecord,
  tombstone,
  transcriptionRecord,
  uuid,
} from '../../../support/operations/records.ts';
import { FakeStore } from '../../../support/storage/fake-store.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const dueAt = '2026-03-01T10:02:00.000Z';
const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const remove = ({ transcriptions, works, filesOf: files, speakersOf: speakers, sendChange, jobsOf: jobs }: FakeStore) =>
  deleteTranscription(
    { transcriptions, works, files, speakers, sendChange, jobs, now: () => now },
    owner.organizationId,
    owner.transcriptionId,
  );

function storeOf(row: StoredTranscription): FakeStore {
  const store = new FakeStore(row);
  store.files.set(`generated/acme/${uuid(1)}/${uuid(1)}.md`, 'text');
  store.speakerRows.set(`acme/${uuid(1)}`, { languageCode: null, speakers: [], corrections: {}, revision: 0 });
  return store;
}

test.each([
  ['never existed', new FakeStore()],
  ['is deleted already', new FakeStore(tombstone())],
  ["is another organization's", new FakeStore(transcriptionRecord({ organizationId: organizationId('other') }))],
])('deleting a transcription that %s does nothing', async (_name, store) => {
  const before = [...store.rows];
  await remove(store);
  expect(store.calls).toEqual(['find']);
  expect([...store.rows]).toEqual(before);
});

test('files are removed first, then the job, then the row, so that a failed deletion can be repeated', async () => {
  const store = storeOf(transcriptionRecord({ state: 'ready' }));
  store.setJob(owner, 'completed');
  await remove(store);
  expect(store.calls).toEqual(['find', 'removeSpeakers', 'removeAllOf', 'removeJob', 'replaceWithTombstone']);
  expect(store.files.size + store.jobs.size).toBe(0);
});

test('a minimal tombstone stays for 60 days', async () => {
  const store = storeOf(transcriptionRecord({ state: 'ready' }));
  await remove(store);
  expect(store.get(owner)).toStrictEqual({
    ...owner,
    deletedAt: now.toISOString(),
    expiresAt: now.getTime() / 1000 + 60 * 24 * 60 * 60,
  });
});

test.each([
  ['that is in progress', { dueAt }, true],
  ['that is ready', { state: 'ready' }, false],
  ['that has failed', { state: 'failed' }, false],
  ['that has failed, and whose job may still run', { state: 'failed', dueAt }, true],
  ['of the live type that is in progress', { type: 'LIVE_TRANSCRIPTION', dueAt }, false],
  ['of the live type that is ready', { type: 'LIVE_TRANSCRIPTION', state: 'ready' }, false],
] as const)('deleting a transcription %s: %j leaves a due date for its job: %s', async (_what, facts, isDue) => {
  const record = transcriptionRecord(facts);
  const store = storeOf(record);
  await remove(store);
  const stored = store.get(owner);
  expect(stored && isDeleted(stored) && stored.dueAt !== undefined).toBe(isDue);
  expect(store.calls.includes('removeJob')).toBe(record.type === 'RECORDING_TRANSCRIPTION' && !isDue);
});

test('a transcription that ends during its deletion is deleted with its new files', async () => {
  const store = storeOf(transcriptionRecord());
  store.meanwhile = (call, count) => {
    if (call !== 'replaceWithTombstone' || count > 1) return;
    store.put(transcriptionRecord({ state: 'ready' }));
    store.files.set(`generated/acme/${uuid(1)}/late.vtt`, 'text');
  };
  await remove(store);
  expect(store.files.size).toBe(0);
  expect(store.get(owner)).toHaveProperty('deletedAt');
});

test('a concurrent deletion of the same transcription succeeds', async () => {
  const store = storeOf(transcriptionRecord({ state: 'ready' }));
  store.meanwhile = (call) => {
    if (call === 'replaceWithTombstone') store.put(tombstone());
  };
  await remove(store);
  expect(store.get(owner)).toHaveProperty('deletedAt');
});

test('a transcription that changes at every attempt is kept, and the caller is asked to retry', async () => {
  const store = storeOf(transcriptionRecord());
  store.meanwhile = (call, count) => {
    if (call === 'replaceWithTombstone') store.put(transcriptionRecord({ state: count % 2 ? 'ready' : 'failed' }));
  };
  await expect(remove(store)).rejects.toThrow(ServiceUnavailable);
  expect(store.get(owner)).toHaveProperty('state');
});

test.each(['removeAllOf', 'removeJob', 'replaceWithTombstone'])(
  'if %s fails, the row stays and the next call completes the deletion',
  async (step) => {
    const store = storeOf(transcriptionRecord({ state: 'ready' }));
    store.meanwhile = (call, count) => {
      if (call === step && count === 1) throw new Error('down');
    };
    await expect(remove(store)).rejects.toThrow('down');
    expect(store.get(owner)).toHaveProperty('state', 'ready');
    await remove(store);
    expect(store.get(owner)).toHaveProperty('deletedAt');
    expect(store.files.size).toBe(0);
  },
);

const whileItRuns = { jobStartedAt: '2026-03-01T10:00:01.000Z' };

test.each([
  ['is in progress', { dueAt, ...whileItRuns }, true],
  ['is in progress, and has parts', { dueAt, partCount: 3 }, true],
  ['has failed', { state: 'failed', dueAt }, false],
  ['is ready, and whose job was taken over and not yet started for it', { state: 'ready', workId: uuid(9) }, false],
] as const)('the work of a transcription that %s can be taken over: %s', async (_what, facts, isOffered) => {
  const store = storeOf(transcriptionRecord(facts));
  await remove(store);
  const { location = { bucket: '', key: '' } } = transcriptionRecord();
  expect(store.get(owner)).toMatchObject({
    dueAt: 'partCount' in facts || 'jobStartedAt' in facts ? deadlines.leftJob(now) : deadlines.leftPreparation(now),
  });
  expect(offersWork(store.get(owner), { location })).toBe(isOffered);
  expect(offersWork(store.get(owner), { location: { ...location, key: 'another' } })).toBe(false);
  expect(store.calls).not.toContain('removeJob');
});

test('a work whose media may be being prepared is checked after the preparation has ended', async () => {
  const store = storeOf(transcriptionRecord({ dueAt }));
  await remove(store);
  expect(store.get(owner)).toMatchObject({ dueAt: deadlines.leftPreparation(now) });
});

test.each(['ready', 'failed'] as const)(
  'the parts that a merge has left of a transcription that is %s are removed',
  async (state) => {
    const [began, other] = [uuid(9), uuid(8)];
    const store = storeOf(transcriptionRecord({ state, workId: began, partCount: 2 }));
    for (const workId of [began, other]) {
      store.works.put({ ...owner, workId }, [partRecord(1, { state: 'done' })]);
      store.files.set(`work/acme/${workId}/1.ogg`, workId);
    }
    await remove(store);
    expect([...store.files.values()]).toEqual([other]);
    expect([...store.works.parts.values()].map(({ workId }) => workId)).toEqual([other]);
    expect(store.get(owner)).not.toHaveProperty('dueAt');
    expect(store.calls).not.toContain('removeJob');
  },
);

test.each([
  ['from one job', { jobStartedAt: now.toISOString() }, jobOutputKey(owner)],
  ['in parts', { partCount: 2 }, partOutputKey({ ...owner, workId: uuid(1), part: 2 })],
])('the outputs with and without redaction of a transcription made %s are removed', async (_how, facts, key) => {
  const store = storeOf(transcriptionRecord({ state: 'ready', ...facts }));
  for (const output of [key, redactedKey(key)]) store.files.set(output, 'output');
  await remove(store);
  expect([...store.files.keys()]).toEqual([]);
});

test('what a preparation has left of a transcription that failed is removed', async () => {
  const store = storeOf(transcriptionRecord({ state: 'failed' }));
  store.works.put({ ...owner, workId: uuid(1) }, [partRecord(1, { state: 'waiting' })]);
  store.files.set(`work/acme/${uuid(1)}/1.ogg`, 'audio');
  await remove(store);
  expect([store.files.size, store.works.parts.size]).toEqual([0, 0]);
});

test('the files and the job of a work that was taken over are removed, and nothing else', async () => {
  const store = storeOf(transcriptionRecord({ state: 'ready', workId: uuid(9), jobStartedAt: now.toISOString() }));
  store.files.set(`generated/acme/${uuid(9)}/transcribe-output.json`, 'output');
  store.files.set(`generated/acme/${uuid(8)}/transcribe-output.json`, 'of another');
  store.setJob({ ...owner, transcriptionId: uuid(9) }, 'completed');
  await remove(store);
  expect([...store.files.values()]).toEqual(['of another']);
  expect(store.jobs.size).toBe(0);
  expect(store.get(owner)).not.toHaveProperty('workId');
});
