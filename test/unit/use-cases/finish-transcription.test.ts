import { describe, expect, test } from 'vitest';
import { transcriptFormats } from '#shared/contracts/transcription.ts';
import { failure } from '#shared/domain/failures.ts';
import type { Transcript } from '#shared/domain/transcript.ts';
import { generatedFileKey, jobOutputKey } from '#shared/domain/transcript-location.ts';
import type { StoredTranscription } from '#shared/domain/transcription.ts';
import { ServiceUnavailable } from '#shared/errors.ts';
import { finishTranscription } from '#shared/use-cases/finish-transcription.ts';
import { FakeStore } from '../../support/fake-store.ts';
import { organizationId, tombstone, transcriptionRecord, uuid } from '../../support/records.ts';
import { transcript, turn } from '../../support/transcripts.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const outputKey = jobOutputKey(owner);
const keys = transcriptFormats.map((format) => generatedFileKey(owner, format));

/** A transcription whose job has written its output. */
function storeOf(row: StoredTranscription | undefined = transcriptionRecord()): FakeStore {
  const store = row ? new FakeStore(row) : new FakeStore();
  store.files.set(outputKey, 'output');
  store.setJob(owner, 'completed');
  return store;
}

const finish = (
  { transcriptions, filesOf: files, jobsOf: jobs }: FakeStore,
  parsed: Transcript | undefined = transcript(turn()),
  jobFailure = undefined as ReturnType<typeof failure> | undefined,
) => finishTranscription({ transcriptions, files, jobs, parseOutput: () => parsed }, owner, jobFailure);

test('a job that is done makes it ready, with a file for each format and the recording billed', async () => {
  const store = storeOf();
  await finish(store);
  expect(store.get(owner)).toMatchObject({ state: 'ready', durationInSeconds: 600, filename: `${uuid(1)}.md` });
  expect([...store.files.keys()].sort()).toEqual([...keys, outputKey].sort());
});

test('files are there before the state says so', async () => {
  const store = storeOf();
  store.meanwhile = (call) => {
    if (call === 'markReady') expect([...store.files.keys()]).toEqual(expect.arrayContaining(keys));
  };
  await finish(store);
  expect(store.calls).toContain('markReady');
});

test.each([
  ['that failed', transcript(turn()), failure('unsupported_media'), 'unsupported_media'],
  ['in which nobody speaks', transcript(), undefined, 'no_speech'],
])('a job %s makes it fail, without a file, unbilled, its job kept to be asked', async (_name, parsed, why, code) => {
  const store = storeOf();
  await finish(store, parsed, why);
  expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code }, durationInSeconds: 0 });
  expect(store.files.size).toBe(0);
  expect(store.jobs.size).toBe(1);
});

test('output that cannot be read makes it fail', async () => {
  const store = storeOf();
  const { transcriptions, filesOf: files, jobsOf: jobs } = store;
  await finishTranscription({ transcriptions, files, jobs, parseOutput: () => undefined }, owner, undefined);
  expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code: 'engine_error' } });
});

test('output that is too large to be read is never parsed', async () => {
  const store = storeOf();
  store.files.set(outputKey, 'x'.repeat(32 * 1024 * 1024 + 1));
  const { transcriptions, filesOf: files, jobsOf: jobs } = store;
  const parseOutput = () => {
    throw new Error('parsed');
  };
  await finishTranscription({ transcriptions, files, jobs, parseOutput }, owner, undefined);
  expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code: 'engine_error' } });
});

test('output that is not there (yet) is asked for again, and nothing is decided', async () => {
  const store = storeOf();
  store.files.clear();
  await expect(finish(store)).rejects.toThrow(ServiceUnavailable);
  expect(store.get(owner)).toMatchObject({ state: 'in_progress' });
});

describe('what was deleted meanwhile', () => {
  test.each([
    ['before', undefined],
    ['a while before', tombstone()],
  ])('%s leaves neither files nor job', async (_name, row) => {
    const store = row ? storeOf(row) : storeOf();
    if (!row) store.rows.clear();
    await finish(store);
    expect([store.files.size, store.jobs.size]).toEqual([0, 0]);
    expect(store.get(owner)).toEqual(row);
  });

  test.each(['read', 'write', 'markReady'])(
    'just before %s leaves neither files nor job, and stays deleted',
    async (step) => {
      const store = storeOf();
      store.meanwhile = (call) => {
        if (call === step) store.put(tombstone());
      };
      await finish(store);
      expect([store.files.size, store.jobs.size]).toEqual([0, 0]);
      expect(store.get(owner)).toEqual(tombstone());
    },
  );
});

describe('the first end stands', () => {
  test('ready, whatever is said later', async () => {
    const store = storeOf();
    await finish(store);
    const before = [store.get(owner), [...store.files]];
    await finish(store);
    await finish(store, undefined, failure('engine_error'));
    expect([store.get(owner), [...store.files]]).toEqual(before);
  });

  test('failed, whatever is said later, and the late output goes', async () => {
    const store = storeOf();
    await finish(store, undefined, failure('no_speech'));
    store.files.set(outputKey, 'late');
    await finish(store);
    expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code: 'no_speech' } });
    expect(store.files.size).toBe(0);
  });

  test('failed just before it would be ready leaves no file', async () => {
    const store = storeOf();
    store.meanwhile = (call) => {
      if (call === 'markReady') store.put(transcriptionRecord({ state: 'failed' }));
    };
    await finish(store);
    expect(store.get(owner)).toMatchObject({ state: 'failed' });
    expect(store.files.size).toBe(0);
  });

  test('ready just before it would fail keeps its files', async () => {
    const store = storeOf();
    for (const key of keys) store.files.set(key, 'theirs');
    store.meanwhile = (call) => {
      if (call === 'markFailed') store.put(transcriptionRecord({ state: 'ready' }));
    };
    await finish(store, undefined, failure('engine_error'));
    expect(store.files.size).toBe(keys.length + 1);
  });

  test('of two that finish at once, with all its files', async () => {
    const store = storeOf();
    await Promise.all([finish(store), finish(store)]);
    expect(store.get(owner)).toMatchObject({ state: 'ready' });
    expect([...store.files.keys()]).toEqual(expect.arrayContaining(keys));
  });
});

test.each(['read', 'write', 'markReady'])('a %s that fails leaves it to the next try', async (step) => {
  const store = storeOf();
  store.meanwhile = (call, count) => {
    if (call === step && count === 1) throw new Error('down');
  };
  await expect(finish(store)).rejects.toThrow('down');
  expect(store.get(owner)).toMatchObject({ state: 'in_progress' });
  await finish(store);
  expect(store.get(owner)).toMatchObject({ state: 'ready' });
});

test('a write whose answer was lost is known as done, and its files stay', async () => {
  const store = storeOf();
  const { transcriptions, filesOf: files, jobsOf: jobs } = store;
  const markReady: typeof transcriptions.markReady = async (record, facts) => {
    await transcriptions.markReady(record, facts);
    return { applied: false, stored: store.get(owner) };
  };
  const deps = { transcriptions: { ...transcriptions, markReady }, files, jobs, parseOutput: () => transcript(turn()) };
  await finishTranscription(deps, owner, undefined);
  expect([...store.files.keys()]).toEqual(expect.arrayContaining(keys));
});
