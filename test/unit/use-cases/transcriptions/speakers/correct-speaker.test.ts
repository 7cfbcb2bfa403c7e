import { describe, expect, test } from 'vitest';
import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { nobodyKnown } from '#shared/domain/insights/session/session-people.ts';
import { unnamed, type Voice } from '#shared/domain/transcript/speakers.ts';
import { generatedFileKey, wordsFileKey } from '#shared/domain/transcriptions/transcript-location.ts';
import {
  ParticipantNotFound,
  ServiceUnavailable,
  SpeakerNotFound,
  TranscriptionNotFound,
} from '#shared/runtime/errors.ts';
import { correctSpeaker, undoCorrection } from '#shared/use-cases/transcriptions/speakers/correct-speaker.ts';
import { writeTranscript } from '#shared/use-cases/transcriptions/write-transcript.ts';
import { organizationId, tombstone, transcriptionRecord, uuid } from '../../../../support/operations/records.ts';
import { FakeStore } from '../../../../support/storage/fake-store.ts';
import { madeReady } from '../../../../support/transcriptions/made-ready.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const one = { ...owner, speaker: 'Speaker 1' };
const two = { ...owner, speaker: 'Speaker 2' };
const stays = [
  { participantId: 'ada', displayName: 'Guest', from: -10, to: 5 },
  { participantId: 'ada', displayName: 'Ada', from: 5, to: 600 },
  { participantId: 'dial-in', displayName: '+49 170 1234567', from: 0, to: 600 },
  { participantId: 'nameless', displayName: '', from: 0, to: 600 },
  { participantId: '+49 170 7654321', displayName: '', from: 0, to: 600 },
  { participantId: 'other ada', displayName: 'Ada', from: 0, to: 600 },
];

const depsOf = ({ transcriptions, speakersOf: speakers, speakerChanges: changes, sendChange }: FakeStore) => ({
  ...{ transcriptions, speakers, changes, sendChange, pause: async () => {} },
  people: { peopleOf: async () => ({ ...nobodyKnown, stays }) },
});
const write = ({ speakersOf: speakers, filesOf: files }: FakeStore) => writeTranscript({ speakers, files }, owner);
const linesOf = (store: FakeStore) => store.files.get(generatedFileKey(owner, 'txt'))?.split('\n').slice(0, -1);

test('a name is stored at once, and is in every file once they are written again', async () => {
  const store = await madeReady();
  expect(await correctSpeaker(depsOf(store), one, { displayName: 'Ada' }, 'request')).toMatchObject({
    ...{ speaker: 'Speaker 1', participantId: null, displayName: 'Ada', source: 'corrected', confidence: 1 },
    spokenSeconds: 0.9,
  });
  expect(store.speakerRows.values().next().value).toMatchObject({ revision: 1 });
  await write(store);
  for (const format of transcriptFormats) {
    const text = store.files.get(generatedFileKey(owner, format));
    expect(text, format).toContain('Ada');
    if (format !== 'json') expect(text, format).not.toContain('Speaker 1');
  }
  expect(linesOf(store)).toEqual(['[00:00:00] Ada: Good morning.', '[00:00:10] Speaker 2: hello again']);
});

test.each([
  ['ada', 'Ada'],
  ['dial-in', '+•• ••• •••••67'],
  ['nameless', 'nameless'],
  ['+49 170 7654321', '+•• ••• •••••21'],
])('the participant %s has the name %s', async (participantId, displayName) => {
  const store = await madeReady();
  expect(await correctSpeaker(depsOf(store), one, { participantId }, 'request')).toMatchObject({
    ...{ participantId, displayName },
  });
});

describe('a participant whose name another participant has', () => {
  const nameOf = async (store: FakeStore, key: typeof one, participantId: string) =>
    (await correctSpeaker(depsOf(store), key, { participantId }, 'request')).displayName;
  const track = (speaker: string, participantId: string, displayName: string): Voice => ({
    ...{ speaker, participantId, displayName, source: 'track', confidence: 1, input: 'microphone' },
  });

  test('gets a number, also when it is corrected again', async () => {
    const store = await madeReady();
    expect(await nameOf(store, one, 'ada')).toBe('Ada');
    for (const _ of [1, 2]) expect(await nameOf(store, two, 'other ada')).toBe('Ada (2)');
    expect(await nameOf(store, two, 'ada')).toBe('Ada');
  });

  test('keeps the number that the participant has in the transcript', async () => {
    const speakers = [track('Speaker 1', 'other ada', 'Ada, speaker 1'), track('Speaker 2', 'ada', 'Ada (2) (screen)')];
    const store = await madeReady({ speakers });
    expect(await nameOf(store, one, 'ada')).toBe('Ada (2)');
    expect(await nameOf(store, two, 'other ada')).toBe('Ada');
  });
});

test.each([
  ['is called like a participant of the transcript', 'a\u200bda', 'ada (2)'],
  ['is called like the label of another speaker', 'speaker\u00a02', 'speaker 2 (2)'],
  ['has an invisible character in the name', '\u3164Bo', 'Bo'],
])(
  'who %s gets a name that can be told apart, the same in the answer and in every file',
  async (_who, typed, shown) => {
    const ada: Voice = {
      speaker: 'Speaker 2',
      participantId: 'ada',
      displayName: 'Ada',
      source: 'matched',
      confidence: 1,
    };
    const isLabel = typed.startsWith('speaker');
    const store = await madeReady({ speakers: [unnamed('Speaker 1'), isLabel ? unnamed('Speaker 2') : ada] });
    const answer = await correctSpeaker(depsOf(store), one, { displayName: typed }, 'request');
    expect(answer.displayName).toBe(shown);
    await write(store);
    expect(linesOf(store)).toEqual([
      `[00:00:00] ${shown}: Good morning.`,
      `[00:00:10] ${isLabel ? 'Speaker 2' : 'Ada'}: hello again`,
    ]);
    const file = JSON.parse(store.files.get(generatedFileKey(owner, 'json')) ?? '');
    expect(file.speakers[0].displayName).toBe(shown);
  },
);

test('an undone correction leaves the files as they were, and the corrections of others', async () => {
  const store = await madeReady();
  await correctSpeaker(depsOf(store), two, { displayName: 'Bo' }, 'request');
  await write(store);
  const before = new Map(store.files);
  await correctSpeaker(depsOf(store), one, { displayName: 'Ada' }, 'request');
  await write(store);
  expect(new Map(store.files)).not.toEqual(before);
  expect(await undoCorrection(depsOf(store), one, 'request')).toMatchObject({ displayName: 'Speaker 1' });
  await write(store);
  expect(new Map(store.files)).toEqual(before);
});

test('undoing what was not corrected changes no file', async () => {
  const store = await madeReady();
  const before = new Map(store.files);
  await undoCorrection(depsOf(store), one, 'request');
  await write(store);
  expect(new Map(store.files)).toEqual(before);
});

describe('a correction is refused', () => {
  test('of a transcription that does not exist or was deleted', async () => {
    for (const store of [new FakeStore(), new FakeStore(tombstone())])
      await expect(correctSpeaker(depsOf(store), one, { displayName: 'Ada' }, 'request')).rejects.toThrow(
        TranscriptionNotFound,
      );
  });

  test('of a speaker that the transcript does not have', async () => {
    const store = await madeReady();
    for (const speaker of ['Speaker 3', 'speaker 1', '__proto__', 'constructor'])
      await expect(undoCorrection(depsOf(store), { ...one, speaker }, 'request')).rejects.toThrow(SpeakerNotFound);
  });

  test('of a transcription that is not ready, whose speakers are stored a moment before', async () => {
    const store = await madeReady();
    store.put(transcriptionRecord());
    await expect(correctSpeaker(depsOf(store), one, { displayName: 'Ada' }, 'request')).rejects.toThrow(
      SpeakerNotFound,
    );
    expect(store.changes).toEqual([]);
  });

  test('with a participant who was not in the session', async () => {
    const store = await madeReady();
    const attempt = correctSpeaker(depsOf(store), one, { participantId: 'eve' }, 'request');
    await expect(attempt).rejects.toThrow(ParticipantNotFound);
    expect(store.changes).toEqual([]);
  });
});

test('of two corrections at once, none is lost', async () => {
  const store = await madeReady();
  let hasCompeted = false;
  store.meanwhile = async (call) => {
    if (call !== 'changeSpeakers' || hasCompeted) return;
    hasCompeted = true;
    await correctSpeaker(depsOf(store), two, { displayName: 'Bo' }, 'other');
  };
  await correctSpeaker(depsOf(store), one, { displayName: 'Ada' }, 'request');
  await write(store);
  expect(linesOf(store)).toEqual(['[00:00:00] Ada: Good morning.', '[00:00:10] Bo: hello again']);
});

test('a correction that always loses gives up with a message, and stores nothing', async () => {
  const store = await madeReady();
  const changes = { change: async () => false };
  const attempt = correctSpeaker({ ...depsOf(store), changes }, one, { displayName: 'Ada' }, 'request');
  await expect(attempt).rejects.toThrow(ServiceUnavailable);
});

test.each(['sendChange', 'changeSpeakers', 'after'])(
  'a process that dies at %s leaves files that will be those of the row',
  async (where) => {
    const store = await madeReady();
    let sent = 0;
    store.meanwhile = (call) => {
      if (call === 'sendChange') sent += 1;
      if (call === where || (where === 'after' && call === 'sendChange' && sent === 2)) throw new Error('died');
    };
    await expect(correctSpeaker(depsOf(store), one, { displayName: 'Ada' }, 'request')).rejects.toThrow('died');
    store.meanwhile = () => {};
    const isStored = store.speakerRows.values().next().value?.revision === 1;
    expect(isStored).toBe(where === 'after');
    if (isStored) expect(store.changes).toHaveLength(1); // the one that was sent before the change
    await write(store);
    expect(linesOf(store)?.[0]).toBe(`[00:00:00] ${isStored ? 'Ada' : 'Speaker 1'}: Good morning.`);
  },
);

describe('files that are written again', () => {
  test('have the correction that came while they were written', async () => {
    const store = await madeReady();
    await correctSpeaker(depsOf(store), one, { displayName: 'Ada' }, 'request');
    let hasCompeted = false;
    store.meanwhile = async (call) => {
      if (call !== 'write' || hasCompeted) return;
      hasCompeted = true;
      await correctSpeaker(depsOf(store), two, { displayName: 'Bo' }, 'other');
    };
    await write(store);
    expect(linesOf(store)).toEqual(['[00:00:00] Ada: Good morning.', '[00:00:10] Bo: hello again']);
  });

  test('stay as they are once the words have expired, and the message is done', async () => {
    const store = await madeReady();
    await correctSpeaker(depsOf(store), one, { displayName: 'Ada' }, 'request');
    await write(store);
    store.files.delete(wordsFileKey(owner));
    await correctSpeaker(depsOf(store), two, { displayName: 'Bo' }, 'request');
    const before = new Map(store.files);
    await write(store);
    expect(new Map(store.files)).toEqual(before);
  });

  test('are removed if the transcription was deleted before the words were read', async () => {
    const store = await madeReady();
    store.meanwhile = async (call) => {
      if (call !== 'read') return;
      store.meanwhile = () => {};
      await store.speakersOf.remove(owner);
      store.files.delete(wordsFileKey(owner));
    };
    await write(store);
    expect([...store.files.keys()]).toEqual([]);
  });

  test('are removed if the transcription was deleted meanwhile', async () => {
    const store = await madeReady();
    let isDeleted = false;
    store.meanwhile = async (call) => {
      if (call !== 'write' || isDeleted) return;
      isDeleted = true;
      await store.speakersOf.remove(owner);
      await store.filesOf.removeGenerated(owner);
    };
    await write(store);
    expect([...store.files.keys()]).toEqual([]);
  });

  test('are removed by the repetition if the process that wrote them died', async () => {
    const store = await madeReady();
    await store.speakersOf.remove(owner);
    await write(store);
    expect([...store.files.keys()]).toEqual([]);
  });
});
