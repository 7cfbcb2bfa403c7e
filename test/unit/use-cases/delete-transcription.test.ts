import { expect, test } from 'vitest';
import { isDeleted, type StoredTranscription } from '#shared/domain/transcription.ts';
import { ServiceUnavailable } from '#shared/errors.ts';
import { deleteTranscription } from '#shared/use-cases/delete-transcription.ts';
import { FakeStore } from '../../support/fake-store.ts';
import { organizationId, tombstone, transcriptionRecord, uuid } from '../../support/records.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const remove = ({ transcriptions, filesOf: files, jobsOf: jobs }: FakeStore) =>
  deleteTranscription({ transcriptions, files, jobs, now: () => now }, owner.organizationId, owner.transcriptionId);

function storeOf(row: StoredTranscription): FakeStore {
  const store = new FakeStore(row);
  store.files.set(`generated/acme/${uuid(1)}/${uuid(1)}.md`, 'text');
  return store;
}

test.each([
  ['was never there', new FakeStore()],
  ['is deleted already', new FakeStore(tombstone())],
  ["is another organization's", new FakeStore(transcriptionRecord({ organizationId: organizationId('other') }))],
])('one that %s needs nothing', async (_name, store) => {
  const before = [...store.rows];
  await remove(store);
  expect(store.calls).toEqual(['find']);
  expect([...store.rows]).toEqual(before);
});

test('files go first, then the job, then the row: what dies on the way is found again', async () => {
  const store = storeOf(transcriptionRecord({ state: 'ready' }));
  store.setJob(owner, 'completed');
  await remove(store);
  expect(store.calls).toEqual(['find', 'removeAllOf', 'removeJob', 'replaceWithTombstone']);
  expect(store.files.size + store.jobs.size).toBe(0);
});

test('a tombstone stays that holds no more than it must, for two months', async () => {
  const store = storeOf(transcriptionRecord({ state: 'ready' }));
  await remove(store);
  expect(store.get(owner)).toStrictEqual({
    ...owner,
    deletedAt: now.toISOString(),
    expiresAt: now.getTime() / 1000 + 60 * 24 * 60 * 60,
  });
});

test.each([
  ['in_progress', 'RECORDING_TRANSCRIPTION', true],
  ['ready', 'RECORDING_TRANSCRIPTION', false],
  ['failed', 'RECORDING_TRANSCRIPTION', false],
  ['in_progress', 'LIVE_TRANSCRIPTION', false],
  ['ready', 'LIVE_TRANSCRIPTION', false],
] as const)(
  'of one that is %s, a %s, a job that may still write is looked at later: %s',
  async (state, type, isDue) => {
    const store = storeOf(transcriptionRecord({ state, type }));
    await remove(store);
    const stored = store.get(owner);
    expect(stored && isDeleted(stored) && stored.dueAt !== undefined).toBe(isDue);
    expect(store.calls.includes('removeJob')).toBe(type === 'RECORDING_TRANSCRIPTION');
  },
);

test('one that ends while it is deleted is deleted with what its end wrote', async () => {
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

test('one that somebody else deletes meanwhile is deleted', async () => {
  const store = storeOf(transcriptionRecord({ state: 'ready' }));
  store.meanwhile = (call) => {
    if (call === 'replaceWithTombstone') store.put(tombstone());
  };
  await remove(store);
  expect(store.get(owner)).toHaveProperty('deletedAt');
});

test('one that changes again and again asks to be sent again, and is still there', async () => {
  const store = storeOf(transcriptionRecord());
  store.meanwhile = (call, count) => {
    if (call === 'replaceWithTombstone') store.put(transcriptionRecord({ state: count % 2 ? 'ready' : 'failed' }));
  };
  await expect(remove(store)).rejects.toThrow(ServiceUnavailable);
  expect(store.get(owner)).toHaveProperty('state');
});

test.each(['removeAllOf', 'removeJob', 'replaceWithTombstone'])(
  'where %s fails the row stays, and the next call finishes',
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
