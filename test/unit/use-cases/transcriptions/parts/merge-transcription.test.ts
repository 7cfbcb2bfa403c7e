import { describe, expect, test, vi } from 'vitest';
import { nobodyKnown, type SessionPeople } from '#shared/domain/insights/session/session-people.ts';
import type { TranscriptionPart, Work } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { WorkPlan } from '#shared/domain/transcriptions/parts/work-plan.ts';
import {
  generatedFileKey,
  partMapKey,
  partOutputKey,
  planKey,
  redactedKey,
} from '#shared/domain/transcriptions/transcript-location.ts';
import { mergeTranscription } from '#shared/use-cases/transcriptions/parts/merge-transcription.ts';
import { tombstone, transcriptionRecord, uuid } from '../../../../support/operations/records.ts';
import { FakeStore } from '../../../../support/storage/fake-store.ts';
import { spoken } from '../../../../support/transcriptions/transcripts.ts';
import { plannedSource, transcriptionPart, workKey, workPlan } from '../../../../support/transcriptions/works.ts';

const owner = { organizationId: workKey.organizationId, transcriptionId: workKey.workId };
const prepared = { kind: 'prepare', output: 'ogg', pieces: [{ from: 0, to: 600 }] } as const;
const tracks = workPlan(
  plannedSource({ participantId: 'ada' }),
  plannedSource({ participantId: 'bo', plan: prepared }),
);
const ada = transcriptionPart({ participantId: 'ada', submittedSeconds: 600.2 });
const bo = transcriptionPart({ part: 2, participantId: 'bo', submittedSeconds: 200.1 }); // 600.2 + 200.1 is 800.3000000000001

/** A work whose outputs are the words of its parts. `without` names a file that does not exist. */
function workOf(
  parts: readonly TranscriptionPart[],
  {
    without = '',
    row = transcriptionRecord(),
    people = nobodyKnown,
    plan = tracks,
    channel = undefined as number | undefined,
  } = {},
) {
  const store = new FakeStore(row);
  store.files.set(planKey(workKey, 'hash'), JSON.stringify(plan));
  for (const [index, part] of parts.entries())
    store.files.set(partOutputKey(part), ['good morning', 'hi all'][index] ?? '');
  store.files.set(partMapKey(bo), '[[0,30,600]]');
  store.files.delete(without);
  const rows = [...parts];
  const head: Work = { ...workKey, planKey: planKey(workKey, 'hash'), partCount: 2, endedParts: parts.length };
  const works = {
    find: async (): Promise<Work | undefined> => head,
    listParts: async () => rows,
    remove: async () => void rows.splice(0),
  };
  const speechOf = vi.fn(async () => []);
  const deps = {
    transcriptions: store.transcriptions,
    files: store.filesOf,
    works,
    speakers: store.speakersOf,
    sendChange: store.sendChange,
    people: { peopleOf: async () => people },
    speech: { speechOf },
    parseOutput: (text: string) => {
      const { languageCode, items } = spoken(text);
      return text === 'nonsense' ? undefined : { languageCode, items: items.map((item) => ({ ...item, channel })) };
    },
  };
  return {
    store,
    rows,
    works,
    speechOf,
    merge: (maxWords?: number) => mergeTranscription({ ...deps, maxWords }, workKey),
  };
}

const linesOf = (store: FakeStore) => store.files.get(generatedFileKey(owner, 'txt'))?.split('\n').slice(0, -1);
const lostBo = { participantId: 'bo', from: 0, to: 600 };

test('a merge makes the transcription ready, billed by its dates, with what is known of its parts', async () => {
  const { store, rows, merge } = workOf([ada, bo], { row: transcriptionRecord({ dueAt: '2026-03-01T12:00:00.000Z' }) });
  expect(await merge()).toMatchObject({ transcriptionId: uuid(1), state: 'ready' });
  expect(store.get(owner)).toMatchObject({
    ...{ state: 'ready', durationInSeconds: 600, recordedSeconds: 600, submittedSeconds: 800.3 },
    filename: `${uuid(1)}.md`,
  });
  expect(store.get(owner)).not.toHaveProperty('missing');
  expect(store.get(owner)).not.toHaveProperty('approximateTimes');
  expect(linesOf(store)).toEqual(['[00:00:00] Speaker 1: good morning', '[00:00:30] Speaker 2: hi all']);
  expect([rows.length, [...store.files.keys()].filter((key) => key.startsWith('work/'))]).toEqual([0, []]);
});

test('a merge names the microphones after those who were in the session', async () => {
  const stays = [{ participantId: 'bo', displayName: 'Bo', from: -60, to: 900 }];
  const { store, merge } = workOf([ada, bo], { people: { ...nobodyKnown, stays } });
  await merge();
  expect(linesOf(store)).toEqual(['[00:00:00] Speaker 1: good morning', '[00:00:30] Bo: hi all']);
});

describe('a merge of a mixed file', () => {
  const mixed = workPlan(
    plannedSource({ plan: { ...prepared, pieces: [...prepared.pieces, { from: 540, to: 1140 }] } }),
  );
  const parts = [transcriptionPart(), transcriptionPart({ part: 2, from: 540, to: 1140 })];
  const alone: SessionPeople = {
    ...{ isObserved: true, endedAt: '2026-03-01T09:20:00.000Z', others: [] },
    stays: [{ participantId: 'bo', displayName: 'Bo', from: -60, to: 1200 }],
  };
  const merged = async (plan: WorkPlan, { missing = 0, channels = undefined as string[] | undefined } = {}) => {
    const { store, merge, speechOf } = workOf(parts, {
      people: alone,
      ...(channels && { channel: 1, row: transcriptionRecord({ options: { channels } }) }),
      plan: { ...plan, partCount: 2 },
      without: missing ? partOutputKey({ ...workKey, part: missing }) : '',
    });
    for (const part of parts) store.files.set(partMapKey(part), `[[0,${part.part === 1 ? 0 : 700},600]]`);
    await merge();
    return { lines: linesOf(store), speechOf };
  };

  test('names the one person who was there, by a feed that it reads once', async () => {
    const { lines, speechOf } = await merged(mixed, { missing: 2 });
    expect(lines?.at(-1)).toBe('[00:00:00] Bo: good morning');
    expect(speechOf.mock.calls).toEqual([
      [expect.objectContaining({ roomName: expect.any(String) }), mixed.clockStart, 600],
    ]);
  });

  test('names nobody of the labels of two pieces that are not known to be one person', async () => {
    const { lines } = await merged(mixed);
    expect(lines).toEqual(['[00:00:00] Speaker 1: good morning', '[00:11:40] Speaker 2: hi all']);
  });

  test('names the participant of a channel, over the cut', async () => {
    const { lines } = await merged(mixed, { channels: ['ada', 'bo'] });
    expect(lines).toEqual(['[00:00:00] Bo: good morning', '[00:11:40] Bo: hi all']);
  });

  test('reads no feed if the times are not exact', async () => {
    const { speechOf } = await merged({ ...mixed, hasWrongDate: true });
    expect(speechOf).not.toHaveBeenCalled();
  });
});

describe('a merge changes nothing', () => {
  test.each([
    ['while a part runs', [ada, { ...bo, state: 'running' } as const]],
    ['while a part waits', [{ ...ada, state: 'waiting' } as const, bo]],
    ['while a part is not stored', [ada]],
  ])('%s', async (_when, parts) => {
    const { store, rows, merge } = workOf(parts);
    expect(await merge()).toBeUndefined();
    expect(store.get(owner)).toMatchObject({ state: 'in_progress' });
    expect([rows.length, linesOf(store)]).toEqual([parts.length, undefined]);
  });

  test('of a work that does not exist', async () => {
    const { store, works, merge } = workOf([ada, bo]);
    works.find = async () => undefined;
    expect(await merge()).toBeUndefined();
    expect(store.get(owner)).toMatchObject({ state: 'in_progress' });
  });
});

describe('a part is missing', () => {
  test.each([
    [
      'that failed',
      [ada, { ...bo, state: 'failed', failureCode: 'media_unreadable' } as const],
      '',
      'media_unreadable',
    ],
    ['without its output', [ada, bo], partOutputKey(bo), 'engine_error'],
    ['without its time map', [ada, bo], partMapKey(bo), 'engine_error'],
  ] as const)('%s', async (_what, parts, without, code) => {
    const { store, merge } = workOf(parts, { without });
    await merge();
    expect(store.get(owner)).toMatchObject({ state: 'ready', missing: [{ ...lostBo, code }] });
    expect(linesOf(store)?.slice(2)).toEqual(['[00:00:00] Speaker 1: good morning']);
  });

  test('whose output nobody can read', async () => {
    const { store, merge } = workOf([ada, bo]);
    store.files.set(partOutputKey(bo), 'nonsense');
    await merge();
    expect(store.get(owner)).toMatchObject({ state: 'ready', missing: [{ ...lostBo, code: 'engine_error' }] });
  });
});

describe('a merge of parts that were to be redacted', () => {
  const row = transcriptionRecord({ options: { language: 'en-US', redact: { types: ['ALL'] } } });
  const cut = workPlan(plannedSource({ plan: { ...prepared, pieces: [...prepared.pieces, { from: 540, to: 1140 }] } }));
  const pieces = [transcriptionPart(), transcriptionPart({ part: 2, from: 540, to: 1140 })];
  const works = [
    ['tracks', tracks, [ada, bo]],
    ['the pieces of a cut file', { ...cut, partCount: 2 }, pieces],
  ] as const;
  const redactedWork = (plan: WorkPlan, parts: readonly TranscriptionPart[], without = '') => {
    const work = workOf(parts, { row, plan });
    for (const part of parts) {
      work.store.files.set(partMapKey(part), `[[0,${part.from + (part.part - 1) * 160},600]]`);
      work.store.files.set(partOutputKey(part), 'unredacted');
      work.store.files.set(redactedKey(partOutputKey(part)), `redacted ${part.part}`);
    }
    work.store.files.delete(without);
    return work;
  };
  const textOf = ({ files }: FakeStore) => [...files].filter(([key]) => key.startsWith('generated/')).join();

  test.each(works)('reads only the redacted output of %s, and removes both', async (_what, plan, parts) => {
    const { store, merge } = redactedWork(plan, parts);
    await merge();
    expect(store.get(owner)).toMatchObject({ state: 'ready' });
    expect(store.get(owner)).not.toHaveProperty('missing');
    expect(linesOf(store)?.map((line) => line.split(': ')[1])).toEqual(['redacted 1', 'redacted 2']);
    expect(textOf(store)).not.toContain('unredacted');
    expect([...store.files.keys()].filter((key) => !key.startsWith('generated/'))).toEqual([]);
  });

  test.each(works)('misses one of %s that has only its other output', async (_what, plan, parts) => {
    const { store, merge } = redactedWork(plan, parts, redactedKey(partOutputKey({ ...workKey, part: 2 })));
    await merge();
    expect(store.get(owner)).toMatchObject({ state: 'ready', missing: [{ code: 'engine_error' }] });
    expect(textOf(store)).toContain('redacted 1');
    expect(textOf(store)).not.toMatch(/unredacted|redacted 2/);
  });
});

test('parts after the most words that fit into memory are missing, and are not read', async () => {
  const { store, merge } = workOf([ada, bo]);
  await merge(2);
  expect(store.get(owner)).toMatchObject({ state: 'ready', missing: [{ ...lostBo, code: 'engine_error' }] });
  expect(store.calls.filter((call) => call === 'read')).toHaveLength(2);
});

test('a part in which everything is silent has no output, and is not missing', async () => {
  const { store, merge } = workOf([ada, { ...bo, file: undefined, submittedSeconds: 0 }], {
    without: partOutputKey(bo),
  });
  await merge();
  expect(store.get(owner)).toMatchObject({ state: 'ready', submittedSeconds: 600.2 });
  expect(store.get(owner)).not.toHaveProperty('missing');
});

test.each([
  [
    'all of whose parts failed',
    [ada, bo].map((part) => ({ ...part, state: 'failed', failureCode: 'no_speech' }) as const),
    '',
  ],
  ['without its plan', [ada, bo], planKey(workKey, 'hash')],
] as const)('a work %s fails, and is removed', async (_what, parts, without) => {
  const { store, rows, merge } = workOf(parts, { without });
  expect(await merge()).toMatchObject({ state: 'failed' });
  expect(store.get(owner)).toMatchObject({ failure: { code: without ? 'engine_error' : 'no_speech' } });
  expect([rows.length, store.files.size]).toEqual([0, 0]);
});

test('files of a work that another call has removed are not missing', async () => {
  const { store, merge } = workOf([ada, bo]);
  store.meanwhile = (call, count) => {
    if (call !== 'read' || count !== 2) return;
    store.files.clear();
    store.files.set(generatedFileKey(owner, 'txt'), 'whole\n');
    store.put(transcriptionRecord({ state: 'ready' }));
  };
  expect(await merge()).toBeUndefined();
  expect(linesOf(store)).toEqual(['whole']);
});

test.each([
  ['ready', transcriptionRecord({ state: 'ready' })],
  ['failed', transcriptionRecord({ state: 'failed' })],
  ['deleted', tombstone()],
])('a work whose transcription is %s is removed without a look at it', async (_state, row) => {
  const { store, rows, merge } = workOf([ada, bo], { row: row as ReturnType<typeof transcriptionRecord> });
  expect(await merge()).toBeUndefined();
  expect(store.calls).not.toContain('read');
  expect([rows.length, store.files.size, store.get(owner)]).toEqual([0, 0, row]);
});

test.each([
  ['deleted', tombstone({ dueAt: '2026-03-01T10:05:00.000Z' })],
  ['abandoned', transcriptionRecord({ state: 'failed', dueAt: '2026-03-01T10:05:00.000Z' })],
])(
  'a work whose transcription was %s and is still due is left to the reconciler, which needs its rows',
  async (_state, row) => {
    const { rows, merge } = workOf([ada, bo], { row: row as ReturnType<typeof transcriptionRecord> });
    expect(await merge()).toBeUndefined();
    expect(rows).toHaveLength(2);
  },
);
