import { describe, expect, test, vi } from 'vitest';
import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { nobodyKnown, type SessionPeople } from '#shared/domain/insights/session/session-people.ts';
import type { Spoken } from '#shared/domain/transcript/transcript.ts';
import { failure } from '#shared/domain/transcriptions/failures.ts';
import { generatedFileKey, jobOutputKey, wordsFileKey } from '#shared/domain/transcriptions/transcript-location.ts';
import type { StoredTranscription, TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { finishTranscription } from '#shared/use-cases/transcriptions/finish-transcription.ts';
import { organizationId, tombstone, transcriptionRecord, uuid } from '../../../support/operations/records.ts';
import { FakeStore } from '../../../support/storage/fake-store.ts';
import { silence, spoken } from '../../../support/transcriptions/transcripts.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const outputKey = jobOutputKey(owner);
const keys = [...transcriptFormats.map((format) => generatedFileKey(owner, format)), wordsFileKey(owner)];

const due = { postpone: async () => {} };
const nobody = { people: { peopleOf: async () => nobodyKnown }, speech: { speechOf: async () => [] } };

/** A transcription whose job has written its output. */
function storeOf(row: StoredTranscription | undefined = transcriptionRecord()): FakeStore {
  const store = row ? new FakeStore(row) : new FakeStore();
  store.files.set(outputKey, 'output');
  store.setJob(owner, 'completed');
  return store;
}

const finish = (
  { transcriptions, filesOf: files, jobsOf: jobs, speakersOf: speakers, sendChange }: FakeStore,
  parsed: Spoken | undefined = spoken(),
  jobFailure = undefined as ReturnType<typeof failure> | undefined,
) =>
  finishTranscription(
    { transcriptions, due, files, speakers, sendChange, jobs, ...nobody, parseOutput: () => parsed },
    owner,
    jobFailure,
  );

test('a completed job makes the transcription ready, with a file per format and the length of the recording billed', async () => {
  const store = storeOf();
  await finish(store);
  expect(store.get(owner)).toMatchObject({ state: 'ready', durationInSeconds: 600, filename: `${uuid(1)}.md` });
  expect([...store.files.keys()].sort()).toEqual([...keys, outputKey].sort());
});

test.each([
  ['by the channels of their words', [1, 1], ['[00:00:00] Bo: Good morning.']],
  ['by nothing if a word has no channel', [1, undefined], ['[00:00:00] Speaker 1: Good morning.']],
])('the speakers of a file whose channels have participants are named %s', async (_, channels, lines) => {
  const store = storeOf(transcriptionRecord({ options: { channels: ['ada', 'bo'] } }));
  const { items, languageCode } = spoken();
  const heard = items.map((item, index) => ({ ...item, channel: channels[Math.min(index, 1)] }));
  const stays = [{ participantId: 'bo', displayName: 'Bo', from: 0, to: 600 }];
  const { transcriptions, filesOf: files, jobsOf: jobs, speakersOf: speakers, sendChange } = store;
  const people = { peopleOf: async () => ({ ...nobodyKnown, stays }) };
  const deps = { transcriptions, due, files, speakers, sendChange, jobs, ...nobody, people };
  await finishTranscription({ ...deps, parseOutput: () => ({ languageCode, items: heard }) }, owner, undefined);
  expect(store.files.get(generatedFileKey(owner, 'txt'))?.split('\n').slice(0, -1)).toEqual(lines);
});

test('all files are written before the state is ready', async () => {
  const store = storeOf();
  store.meanwhile = (call) => {
    if (call === 'markReady') expect([...store.files.keys()]).toEqual(expect.arrayContaining(keys));
  };
  await finish(store);
  expect(store.calls).toContain('markReady');
});

test.each([
  ['that failed', spoken(), failure('unsupported_media'), 'unsupported_media'],
  ['without speech', silence, undefined, 'no_speech'],
])(
  'a job %s makes the transcription fail without files or billed seconds, and the job is kept',
  async (_name, parsed, why, code) => {
    const store = storeOf();
    await finish(store, parsed, why);
    expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code }, durationInSeconds: 0 });
    expect(store.files.size).toBe(0);
    expect(store.jobs.size).toBe(1);
  },
);

test('of a job that redacts, only the redacted output is read', async () => {
  const redacting = () => transcriptionRecord({ options: { language: 'en-US', redact: { types: ['ALL'] } } });
  const store = storeOf(redacting());
  await expect(finish(store)).rejects.toThrow(ServiceUnavailable);
  const redacted = storeOf(redacting());
  redacted.files.clear();
  redacted.files.set(`generated/acme/${uuid(1)}/redacted-transcribe-output.json`, 'output');
  await finish(redacted);
  expect(redacted.get(owner)).toMatchObject({ state: 'ready' });
});

test.each([
  ['the one that the options name', { language: 'ja-JP' }, 'ja-JP'],
  ['unknown if the options name several', { language: ['ja-JP', 'en-US'] }, null],
  ['unknown if the options leave it open', { language: 'auto' }, null],
  ['unknown without options', undefined, null],
] as const)('the language of a transcript of which Transcribe tells none is %s', async (_, options, languageCode) => {
  const store = storeOf(transcriptionRecord({ options: options as TranscriptionOptions | undefined }));
  await finish(store, { ...spoken(), languageCode: null });
  expect(JSON.parse(store.files.get(generatedFileKey(owner, 'json')) ?? '')).toMatchObject({ languageCode });
  expect(store.speakerRows.get(`acme/${uuid(1)}`)).toMatchObject({ languageCode });
  const hasSpaces = store.files.get(generatedFileKey(owner, 'txt'))?.includes('Good morning');
  expect(hasSpaces).toBe(languageCode !== 'ja-JP');
});

test('a transcript of several languages lists them in its json document and beside its speakers', async () => {
  const store = storeOf();
  const languages = [
    { languageCode: 'hi-IN', seconds: 5.325 },
    { languageCode: 'en-US', seconds: 2.45 },
  ];
  await finish(store, { ...spoken(), languageCode: 'hi-IN', languages });
  const shown = { languageCode: 'hi-IN', languages: ['hi-IN', 'en-US'] };
  expect(JSON.parse(store.files.get(generatedFileKey(owner, 'json')) ?? '')).toMatchObject(shown);
  expect(store.speakerRows.get(`acme/${uuid(1)}`)).toMatchObject(shown);
});

test('output that cannot be parsed makes the transcription fail', async () => {
  const store = storeOf();
  const { transcriptions, filesOf: files, jobsOf: jobs, speakersOf: speakers, sendChange } = store;
  await finishTranscription(
    { transcriptions, due, files, speakers, sendChange, jobs, ...nobody, parseOutput: () => undefined },
    owner,
    undefined,
  );
  expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code: 'engine_error' } });
});

test('output that is too large is never parsed', async () => {
  const store = storeOf();
  store.files.set(outputKey, 'x'.repeat(32 * 1024 * 1024 + 1));
  const { transcriptions, filesOf: files, jobsOf: jobs, speakersOf: speakers, sendChange } = store;
  const parseOutput = () => {
    throw new Error('parsed');
  };
  await finishTranscription(
    { transcriptions, due, files, speakers, sendChange, jobs, ...nobody, parseOutput },
    owner,
    undefined,
  );
  expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code: 'engine_error' } });
});

test('missing output throws, so that it is retried, and changes nothing', async () => {
  const store = storeOf();
  store.files.clear();
  await expect(finish(store)).rejects.toThrow(ServiceUnavailable);
  expect(store.get(owner)).toMatchObject({ state: 'in_progress' });
});

describe('the speakers of a finished transcription', () => {
  const people: SessionPeople = {
    ...{ isObserved: true, endedAt: '2026-03-01T09:20:00.000Z', others: [] },
    stays: [{ participantId: 'ada', displayName: 'Ada', from: -60, to: 1200 }],
  };
  /** Finishes a transcription whose recording has these seconds, and returns its speakers and what was read for them. */
  const finished = async (recordedSeconds: number | undefined, known = people, parsed = spoken()) => {
    const store = storeOf(transcriptionRecord({ recordedSeconds }));
    const { transcriptions, filesOf: files, jobsOf: jobs, speakersOf: speakers, sendChange } = store;
    const peopleOf = vi.fn(async () => known);
    const speechOf = vi.fn(async () => []);
    const deps = { transcriptions, due, files, speakers, sendChange, jobs, parseOutput: () => parsed };
    await finishTranscription({ ...deps, people: { peopleOf }, speech: { speechOf } }, owner, undefined);
    return { named: [...store.speakerRows.values()].flatMap((row) => row.speakers), peopleOf, speechOf };
  };
  const session = { organizationId: owner.organizationId, roomSessionId: uuid(3), roomName: '/sales' };

  test('are named by those who were there, and by when they were active on the clock of the recording', async () => {
    const { named, peopleOf, speechOf } = await finished(600);
    expect(named).toMatchObject([{ speaker: 'Speaker 1', displayName: 'Ada', source: 'presence', confidence: 1 }]);
    const { roomSessionId, roomName, startDate } = transcriptionRecord();
    expect(peopleOf.mock.calls).toEqual([[{ ...session, roomSessionId, roomName }, startDate]]);
    expect(speechOf.mock.calls).toEqual([[{ ...session, roomSessionId, roomName }, startDate, 600]]);
  });

  test.each([602, undefined])('need no feed for a recording whose length is %s instead of 600 s', async (seconds) => {
    const { named, speechOf } = await finished(seconds);
    expect(named).toMatchObject([{ displayName: 'Ada' }]);
    expect(speechOf).not.toHaveBeenCalled();
  });

  test('need no feed if nobody was there, and nothing at all if nobody spoke', async () => {
    const unknown = await finished(600, nobodyKnown);
    expect(unknown.named).toMatchObject([{ displayName: 'Speaker 1', source: 'recognizer' }]);
    expect(unknown.speechOf).not.toHaveBeenCalled();
    expect((await finished(600, people, silence)).peopleOf).not.toHaveBeenCalled();
  });

  test('are read again by the next attempt if reading them fails', async () => {
    const store = storeOf();
    const { transcriptions, filesOf: files, jobsOf: jobs, speakersOf: speakers, sendChange } = store;
    const peopleOf = vi.fn(async () => people).mockRejectedValueOnce(new Error('throttled'));
    const deps = { transcriptions, due, files, speakers, sendChange, jobs, parseOutput: () => spoken() };
    const attempt = () => finishTranscription({ ...deps, ...nobody, people: { peopleOf } }, owner, undefined);
    await expect(attempt()).rejects.toThrow('throttled');
    expect(store.get(owner)).toMatchObject({ state: 'in_progress' });
    expect(await attempt()).toMatchObject({ state: 'ready' });
  });
});

describe('a transcription that is deleted', () => {
  test.each([
    ['before', undefined],
    ['some time before', tombstone()],
  ])('%s has no files and no job in the end', async (_name, row) => {
    const store = row ? storeOf(row) : storeOf();
    if (!row) store.rows.clear();
    await finish(store);
    expect([store.files.size, store.jobs.size]).toEqual([0, 0]);
    expect(store.get(owner)).toEqual(row);
  });

  test.each([
    ['less than five minutes ago has no files, and keeps its job, which a worker may be starting', '10:04:59.999', 1],
    ['five minutes ago has no files and no job', '10:05:00.000', 0],
  ])('%s, while it is due', async (_what, time, jobsLeft) => {
    const store = storeOf(tombstone({ dueAt: '2026-03-01T12:00:00.000Z', jobFingerprint: 'of its file' }));
    const { transcriptions, filesOf: files, jobsOf: jobs, speakersOf: speakers, sendChange } = store;
    const now = () => new Date(`2026-03-01T${time}Z`);
    await finishTranscription(
      { transcriptions, due, files, speakers, sendChange, jobs, ...nobody, now, parseOutput: () => undefined },
      owner,
      undefined,
    );
    expect([store.files.size, store.jobs.size]).toEqual([0, jobsLeft]);
    expect(store.get(owner)).not.toHaveProperty('jobFingerprint');
  });

  test.each(['read', 'write', 'markReady'])(
    'just before %s has no files and no job in the end, and stays deleted',
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

describe('a transcription that has ended', () => {
  test('as ready stays ready after a later result', async () => {
    const store = storeOf();
    await finish(store);
    const before = [store.get(owner), [...store.files]];
    await finish(store);
    await finish(store, undefined, failure('engine_error'));
    expect([store.get(owner), [...store.files]]).toEqual(before);
  });

  test('as failed stays failed after a later result, and the late output is removed', async () => {
    const store = storeOf();
    await finish(store, undefined, failure('no_speech'));
    store.files.set(outputKey, 'late');
    await finish(store);
    expect(store.get(owner)).toMatchObject({ state: 'failed', failure: { code: 'no_speech' } });
    expect(store.files.size).toBe(0);
  });

  test('as failed just before it becomes ready has no files', async () => {
    const store = storeOf();
    store.meanwhile = (call) => {
      if (call === 'markReady') store.put(transcriptionRecord({ state: 'failed' }));
    };
    await finish(store);
    expect(store.get(owner)).toMatchObject({ state: 'failed' });
    expect(store.files.size).toBe(0);
  });

  test('as ready just before it fails keeps its files', async () => {
    const store = storeOf();
    for (const key of keys) store.files.set(key, 'theirs');
    store.meanwhile = (call) => {
      if (call === 'markFailed') store.put(transcriptionRecord({ state: 'ready' }));
    };
    await finish(store, undefined, failure('engine_error'));
    expect(store.files.size).toBe(keys.length + 1);
  });

  test('through two concurrent calls is ready with all its files', async () => {
    const store = storeOf();
    await Promise.all([finish(store), finish(store)]);
    expect(store.get(owner)).toMatchObject({ state: 'ready' });
    expect([...store.files.keys()]).toEqual(expect.arrayContaining(keys));
  });
});

test.each(['read', 'write', 'markReady'])('a failed %s is completed by the next attempt', async (step) => {
  const store = storeOf();
  store.meanwhile = (call, count) => {
    if (call === step && count === 1) throw new Error('down');
  };
  await expect(finish(store)).rejects.toThrow('down');
  expect(store.get(owner)).toMatchObject({ state: 'in_progress' });
  await finish(store);
  expect(store.get(owner)).toMatchObject({ state: 'ready' });
});

test('a write whose answer was lost is recognized as applied, and the files stay', async () => {
  const store = storeOf();
  const { transcriptions, filesOf: files, jobsOf: jobs, speakersOf: speakers, sendChange } = store;
  const markReady: typeof transcriptions.markReady = async (record, facts, transcribedSeconds) => {
    await transcriptions.markReady(record, facts, transcribedSeconds);
    return { applied: false, stored: store.get(owner) };
  };
  const deps = {
    transcriptions: { ...transcriptions, markReady },
    due,
    files,
    speakers,
    sendChange,
    jobs,
    ...nobody,
    parseOutput: () => spoken(),
  };
  await finishTranscription(deps, owner, undefined);
  expect([...store.files.keys()]).toEqual(expect.arrayContaining(keys));
});

describe('a job whose work was taken over', () => {
  const taken = { ...owner, transcriptionId: uuid(3) };
  const takenKeys = [...transcriptFormats.map((format) => generatedFileKey(taken, format)), wordsFileKey(taken)];
  const takenStore = (facts: Partial<TranscriptionRecord> = {}) => {
    const store = storeOf(tombstone({ takenOverBy: uuid(3) }));
    store.put(transcriptionRecord({ transcriptionId: uuid(3), workId: uuid(1), ...facts }));
    return store;
  };

  test('makes the new transcription ready in its own folder, and leaves nothing in that of the deleted one', async () => {
    const store = takenStore();
    expect(await finish(store)).toMatchObject({ transcriptionId: uuid(3), state: 'ready' });
    expect(store.get(taken)).toMatchObject({ state: 'ready', durationInSeconds: 600 });
    expect([...store.files.keys()].sort()).toEqual(takenKeys.sort());
    expect(store.jobs.size).toBe(1);
  });

  test('while the deleted one was being finished ends the new one', async () => {
    const store = storeOf();
    store.meanwhile = (call) => {
      if (call !== 'markReady' || store.get(taken)) return;
      store.put(tombstone({ takenOverBy: uuid(3) }));
      store.put(transcriptionRecord({ transcriptionId: uuid(3), workId: uuid(1) }));
    };
    expect(await finish(store)).toMatchObject({ transcriptionId: uuid(3), state: 'ready' });
    expect([...store.files.keys()].sort()).toEqual(takenKeys.sort());
  });

  test('without output is removed, and the reconciler has it started again at once', async () => {
    const store = takenStore({ dueAt: '2026-03-01T10:20:00.000Z' });
    store.files.clear();
    const postpone = vi.fn(async () => {});
    const { transcriptions, filesOf: files, jobsOf: jobs, speakersOf: speakers, sendChange } = store;
    const deps = {
      transcriptions,
      due: { postpone },
      files,
      speakers,
      sendChange,
      jobs,
      ...nobody,
      parseOutput: () => spoken(),
    };
    const now = new Date('2026-03-01T10:03:00.000Z');
    expect(await finishTranscription({ ...deps, now: () => now }, owner, undefined)).toBeUndefined();
    expect(store.jobs.size).toBe(0);
    expect(postpone).toHaveBeenCalledExactlyOnceWith(store.get(taken), now.toISOString());
    expect(store.get(taken)).toMatchObject({ state: 'in_progress' });
  });
});
