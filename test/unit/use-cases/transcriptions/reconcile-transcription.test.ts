import { describe, expect, test, vi } from 'vitest';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import type { StoredTranscription } from '#shared/domain/transcriptions/transcription.ts';
import { reconcileTranscription } from '#shared/use-cases/transcriptions/reconcile-transcription.ts';
import {
  organizationId,
  partRecord,
  tombstone,
  transcriptionRecord,
  uuid,
} from '../../../support/operations/records.ts';
import { FakeStore } from '../../../support/storage/fake-store.ts';

const hour = 60 * 60 * 1000;
const createdAt = '2026-03-01T10:00:00.000Z';
const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const due = { ...owner, dueAt: '2026-03-01T10:02:00.000Z' };
const afterHours = (hours: number) => new Date(Date.parse(createdAt) + hours * hour);

function fixture(row: StoredTranscription | undefined, now = afterHours(1)) {
  const store = row ? new FakeStore(row) : new FakeStore();
  const said = { postpone: vi.fn(async () => {}), settle: vi.fn(async () => {}) };
  const sendJobs = vi.fn(async () => {});
  const sendMerge = vi.fn(async () => {});
  const sendResult = vi.fn(async () => {});
  const reconcile = () =>
    reconcileTranscription(
      {
        transcriptions: store.transcriptions,
        due: said,
        works: store.works,
        partsAtOnce: 2,
        files: store.filesOf,
        jobs: store.jobsOf,
        sendJobs,
        sendMerge,
        sendResult,
        now: () => now,
      },
      due,
    );
  return { store, reconcile, sendJobs, sendMerge, sendResult, ...said };
}

const nextQuestion = (since: string) => deadlines.nextQuestion(afterHours(1), new Date(since));

test.each([
  ['does not exist', undefined],
  ['is ready', transcriptionRecord({ state: 'ready' })],
  ['has failed', transcriptionRecord({ state: 'failed' })],
])('nothing is done for a transcription that %s, because the index is behind', async (_name, row) => {
  const { store, reconcile, sendJobs, sendResult } = fixture(row);
  expect(await reconcile()).toBe('settled');
  expect(store.calls).toEqual(['find']);
  expect([sendJobs, sendResult].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

describe('a transcription in progress', () => {
  test('without a job is sent again and checked later', async () => {
    const record = transcriptionRecord({ correlationId: 'call-1' });
    const { reconcile, sendJobs, sendResult, postpone } = fixture(record);
    expect(await reconcile()).toBe('sent-again');
    expect(sendJobs).toHaveBeenCalledExactlyOnceWith('acme', [{ ...owner, correlationId: 'call-1', attempt: 0 }]);
    expect(sendResult).not.toHaveBeenCalled();
    expect(postpone).toHaveBeenCalledExactlyOnceWith(due, nextQuestion(transcriptionRecord().createdAt));
  });

  test('with a running job is checked later', async () => {
    const { store, reconcile, sendJobs, sendResult, postpone } = fixture(transcriptionRecord());
    store.setJob(owner, 'running');
    expect(await reconcile()).toBe('postponed');
    expect(sendJobs).not.toHaveBeenCalled();
    expect(sendResult).not.toHaveBeenCalled();
    expect(postpone).toHaveBeenCalledExactlyOnceWith(due, nextQuestion(transcriptionRecord().createdAt));
  });

  test.each([
    [24, 'denied', 'engine_access_denied', undefined],
    [24.1, 'given-up', 'engine_access_denied', { code: 'engine_access_denied' }],
    [24.1, 'given-up', 'engine_not_enabled', { code: 'engine_not_enabled' }],
  ] as const)(
    'whose job AWS does not let the service read is not sent again, and after %d hours is %s',
    async (hours, outcome, denied, failure) => {
      const { store, reconcile, sendJobs, sendResult } = fixture(transcriptionRecord({ createdAt }), afterHours(hours));
      store.setJob(owner, { denied });
      expect(await reconcile()).toBe(outcome);
      expect([sendJobs, sendResult].flatMap(({ mock }) => mock.calls)).toEqual([]);
      expect(store.get(owner)).toMatchObject(failure ? { state: 'failed', failure } : { state: 'in_progress' });
    },
  );

  test.each(['completed', { failureReason: 'why' }] as const)(
    'with a job that is %j gets the lost event',
    async (state) => {
      const { store, reconcile, sendJobs, sendResult, postpone } = fixture(transcriptionRecord());
      store.setJob(owner, state);
      expect(await reconcile()).toBe('result-sent');
      expect(sendResult).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(owner), state);
      expect(sendJobs).not.toHaveBeenCalled();
      expect(postpone).toHaveBeenCalledOnce();
    },
  );

  test('stays due if the message cannot be sent', async () => {
    const { reconcile, sendJobs, postpone } = fixture(transcriptionRecord());
    sendJobs.mockRejectedValueOnce(new Error('down'));
    await expect(reconcile()).rejects.toThrow('down');
    expect(postpone).not.toHaveBeenCalled();
  });

  test.each([
    ['absent', 24, 'in_progress'],
    ['absent', 24.1, 'failed'],
    ['running', 24, 'in_progress'],
    ['running', 24.1, 'failed'],
    ['completed', 24.1, 'in_progress'],
    ['completed', 72, 'in_progress'],
    ['completed', 72.1, 'failed'],
  ] as const)('with a job that is %s %d hours after its creation is %s', async (state, hours, expected) => {
    const { store, reconcile } = fixture(transcriptionRecord({ createdAt }), afterHours(hours));
    if (state !== 'absent') store.setJob(owner, state);
    expect((await reconcile()) === 'given-up').toBe(expected === 'failed');
    expect(store.get(owner)).toMatchObject({ state: expected });
    const dueAt = deadlines.leftPreparation(afterHours(hours)); // no start was stored, so its media may be being prepared
    if (expected === 'failed') expect(store.get(owner)).toMatchObject({ failure: { code: 'engine_error' }, dueAt });
  });
});

test('parts that wait for more than a day fail, and those that are done are merged, until it is given up', async () => {
  const record = transcriptionRecord({ createdAt, partCount: 2 });
  const { store, reconcile, sendMerge } = fixture(record, afterHours(25));
  store.works.put({ ...owner, workId: uuid(1) }, [partRecord(1, { state: 'done' }), partRecord(2)]);
  expect(await reconcile()).toBe('sent-again');
  expect(sendMerge).toHaveBeenCalledOnce();
  expect(store.get(owner)).toHaveProperty('state', 'in_progress');
});

test.each([
  [['waiting', 'waiting'], [0, 1], 24.1, 'given-up', 'engine_not_enabled'],
  [['waiting', 'failed'], [0], 24.1, 'given-up', 'engine_not_enabled'],
  [['waiting', 'waiting'], [1], 24.1, 'given-up', 'engine_error'],
  [['running', 'waiting'], [0, 1], 24.1, 'given-up', 'engine_not_enabled'],
  [['running', 'failed'], [0], 24.1, 'given-up', 'engine_not_enabled'],
] as const)(
  'a transcription with the parts %j, of which AWS denies %j, is after %d hours %s, with the code %s',
  async (states, denied, hours, outcome, code) => {
    const record = transcriptionRecord({ createdAt, partCount: 2 });
    const { store, reconcile } = fixture(record, afterHours(hours));
    const parts = states.map((state, index) => partRecord(index + 1, { state }));
    store.works.put({ ...owner, workId: uuid(1) }, parts);
    for (const index of denied) store.setJob({ ...owner, part: index + 1 }, { denied: 'engine_not_enabled' });
    expect(await reconcile()).toBe(outcome);
    expect(store.get(owner)).toMatchObject(code ? { failure: { code } } : { state: 'in_progress' });
  },
);

test('a live transcription without an end event fails, and no job is looked up', async () => {
  const { store, reconcile } = fixture(transcriptionRecord({ type: 'LIVE_TRANSCRIPTION' }));
  expect(await reconcile()).toBe('given-up');
  expect(store.calls).toEqual(['find', 'markFailed']);
  expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code: 'end_not_reported' } });
});

test.each([
  ['a live transcription', { type: 'LIVE_TRANSCRIPTION' }, 1],
  ['a transcription of a recording', {}, 25],
] as const)('%s that ends while the reconciler gives it up counts as settled', async (_name, facts, hours) => {
  const record = transcriptionRecord({ createdAt, ...facts });
  const { store, reconcile } = fixture(record, afterHours(hours));
  store.meanwhile = (call) => {
    if (call === 'markFailed' || call === 'abandon') store.put({ ...record, state: 'ready' });
  };
  expect(await reconcile()).toBe('settled');
  expect(store.get(owner)).toMatchObject({ state: 'ready' });
});

describe.each([
  ['deleted', tombstone({ dueAt: due.dueAt }), tombstone().deletedAt],
  ['failed', transcriptionRecord({ state: 'failed', createdAt, dueAt: due.dueAt }), createdAt],
] as const)('a %s transcription that is due', (what, row, since) => {
  test.each([
    ['runs', 'running'],
    ['may not be read, and so may run,', { denied: 'engine_access_denied' }],
  ] as const)('and whose job %s is checked later, and nothing is removed yet', async (_what, state) => {
    const { store, reconcile, postpone, settle } = fixture(row);
    store.setJob(owner, state);
    expect(await reconcile()).toBe('postponed');
    expect(postpone).toHaveBeenCalledExactlyOnceWith(due, nextQuestion(since));
    expect(settle).not.toHaveBeenCalled();
    expect(store.calls).toEqual(['find', 'listParts', 'jobState']);
  });

  test.each(['absent', 'completed', { failureReason: 'why' }] as const)(
    'and whose job is %j loses its files, and its job if it is deleted',
    async (state) => {
      const { store, reconcile, settle } = fixture(row);
      store.files.set(`generated/acme/${uuid(1)}/transcribe-output.json`, 'late');
      if (state !== 'absent') store.setJob(owner, state);
      expect(await reconcile()).toBe('cleaned-up');
      expect([store.files.size, store.jobs.size]).toEqual([0, what === 'failed' && state !== 'absent' ? 1 : 0]);
      expect(settle).toHaveBeenCalledExactlyOnceWith(due);
    },
  );

  test.each(what === 'failed' ? ['removeGenerated'] : ['removeGenerated', 'removeJob'])(
    'stays due if %s fails',
    async (step) => {
      const { store, reconcile, settle } = fixture(row);
      store.meanwhile = (call) => {
        if (call === step) throw new Error('down');
      };
      await expect(reconcile()).rejects.toThrow('down');
      expect(settle).not.toHaveBeenCalled();
    },
  );
});

test('a deleted transcription whose job cannot be removed yet is checked later', async () => {
  const { store, reconcile, postpone, settle } = fixture(tombstone({ dueAt: due.dueAt }));
  store.setJob(owner, 'completed');
  store.meanwhile = (call) => {
    if (call === 'removeJob') store.setJob(owner, 'running'); // Transcribe refuses, as above five requests a second
  };
  expect(await reconcile()).toBe('postponed');
  expect(postpone).toHaveBeenCalledOnce();
  expect(settle).not.toHaveBeenCalled();
});

describe('a deleted transcription whose work can be taken over', () => {
  const first = uuid(9);
  const offered = tombstone({ dueAt: due.dueAt, workId: first, jobFingerprint: 'of its file' });
  const work = { ...owner, transcriptionId: first };
  const filesOf = (transcriptionId: string) => `generated/acme/${transcriptionId}/file.json`;
  const withFiles = (row: StoredTranscription) => {
    const used = fixture(row);
    for (const id of [first, uuid(1)]) used.store.files.set(filesOf(id), 'text');
    used.store.setJob(work, 'completed');
    return used;
  };

  test('loses its offer before the job and the output of the work', async () => {
    const { store, reconcile, settle } = withFiles(offered);
    expect(await reconcile()).toBe('cleaned-up');
    expect(store.calls.slice(0, 5)).toEqual(['find', 'listParts', 'jobState', 'withdrawWork', 'removeJob']);
    expect(store.calls.slice(5)).toEqual(['removeGenerated', 'removeWork', 'removeWorkRows', 'listParts']);
    expect([store.files.size, store.jobs.size]).toEqual([0, 0]);
    expect(store.get(owner)).not.toHaveProperty('jobFingerprint');
    expect(settle).toHaveBeenCalledExactlyOnceWith(due);
  });

  test.each(['before', 'while'])(
    'loses only its own files if the work is taken over %s it is checked',
    async (when) => {
      const { jobFingerprint: _, ...rest } = offered;
      const taken = { ...rest, takenOverBy: uuid(3) };
      const { store, reconcile, settle } = withFiles(when === 'before' ? taken : offered);
      store.meanwhile = (call) => {
        if (call === 'withdrawWork') store.put(taken);
      };
      expect(await reconcile()).toBe('cleaned-up');
      expect([...store.files.keys()]).toEqual([filesOf(first)]);
      expect(store.jobs.size).toBe(1);
      expect(settle).toHaveBeenCalledExactlyOnceWith(due);
    },
  );

  test('loses nothing if it began the work that another has taken over', async () => {
    const { store, reconcile, settle } = fixture(tombstone({ dueAt: due.dueAt, takenOverBy: uuid(3) }));
    store.files.set(filesOf(uuid(1)), 'output');
    expect(await reconcile()).toBe('cleaned-up');
    expect(store.files.size).toBe(1);
    expect(settle).toHaveBeenCalledOnce();
  });
});
