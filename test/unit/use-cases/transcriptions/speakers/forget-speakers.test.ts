import { describe, expect, test } from 'vitest';
import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { nobodyKnown } from '#shared/domain/insights/session/session-people.ts';
import type { Voice } from '#shared/domain/transcript/speakers.ts';
import {
  generatedFileKey,
  jobOutputKey,
  redactedKey,
  wordsFileKey,
} from '#shared/domain/transcriptions/transcript-location.ts';
import { withSpeakers } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { correctSpeaker } from '#shared/use-cases/transcriptions/speakers/correct-speaker.ts';
import { forgetSpeakers } from '#shared/use-cases/transcriptions/speakers/forget-speakers.ts';
import { writeTranscript } from '#shared/use-cases/transcriptions/write-transcript.ts';
import { organizationId, uuid } from '../../../../support/operations/records.ts';
import type { FakeStore } from '../../../../support/storage/fake-store.ts';
import { madeReady } from '../../../../support/transcriptions/made-ready.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const traces = /\bada\b|Good morning/i;

const voice = (speaker: string, participantId: string, displayName: string, facts: Partial<Voice> = {}): Voice => ({
  ...{ speaker, participantId, displayName, source: 'track', confidence: 1, ...facts },
});

/** A transcription of the tracks of Ada and Bo. Ada says "Good morning.", also into Bo's microphone. */
async function store(): Promise<FakeStore> {
  const missing = [{ participantId: 'ada', from: 60, to: 90, code: 'media_unreadable' as const }];
  const made = await madeReady({
    speakers: [voice('Speaker 1', 'ada', 'Ada'), voice('Speaker 2', 'bo', 'Bo')],
    missing,
    echoes: (turns) => turns.slice(0, 1).map((turn) => ({ ...turn, speaker: 'Speaker 2' })),
  });
  made.files.set(jobOutputKey(owner), 'Good morning');
  made.files.set(redactedKey(jobOutputKey(owner)), 'Good morning');
  return made;
}

const depsOf = ({
  transcriptions,
  speakersOf: speakers,
  speakerChanges,
  filesOf: files,
  files: stored,
}: FakeStore) => ({
  ...{ transcriptions, speakers, changes: speakerChanges },
  files: withSpeakers(files, speakers),
  removeFiles: async (keys: readonly string[]) => {
    for (const key of keys) stored.delete(key);
  },
});
const forget = (made: FakeStore, participantId: string, { names = [] as string[], isMissing = false } = {}) =>
  forgetSpeakers(depsOf(made), owner, { participantIds: new Set([participantId]), names: new Set(names) }, isMissing);
const everything = (made: FakeStore) =>
  [...made.files.values(), JSON.stringify([...made.speakerRows.values()])].join('\n');
const linesOf = (made: FakeStore) =>
  made.files
    .get(generatedFileKey(owner, 'txt'))
    ?.split('\n')
    .filter((line) => line.startsWith('['));

test('nothing of the person is left in any file or row, and the turns of others are as they were', async () => {
  const made = await store();
  expect(linesOf(made)).toEqual(['[00:00:00] Ada: Good morning.', '[00:00:10] Bo: hello again']);
  expect(await forget(made, 'ada')).toBe(1);
  expect(everything(made)).not.toMatch(traces);
  expect(linesOf(made)).toEqual(['[00:00:10] Bo: hello again']);
  for (const format of transcriptFormats)
    expect(made.files.get(generatedFileKey(owner, format))).toContain('hello again');
  expect(made.speakerRows.values().next().value?.speakers).toMatchObject([{ speaker: 'Speaker 2', share: 1 }]);
});

test.each(['presence', 'matched'] as const)('a speaker who is the participant by %s is removed too', async (source) => {
  const made = await madeReady({
    speakers: [
      voice('Speaker 1', 'ada', 'Ada', { source, confidence: 0.97 }),
      voice('Speaker 2', 'bo', 'Bo', { source, confidence: 0.9 }),
    ],
  });
  expect(everything(made)).toMatch(traces);
  expect(await forget(made, 'ada')).toBe(1);
  expect(everything(made)).not.toMatch(traces);
  expect(linesOf(made)).toEqual(['[00:00:10] Bo: hello again']);
});

test('a speaker whom a person called the participant is removed too', async () => {
  const made = await madeReady();
  const people = {
    peopleOf: async () => ({ ...nobodyKnown, stays: [{ participantId: 'ada', displayName: 'Ada', from: 0, to: 1 }] }),
  };
  const { transcriptions, speakersOf: speakers, speakerChanges, sendChange } = made;
  await correctSpeaker(
    { transcriptions, speakers, changes: speakerChanges, sendChange, people },
    { ...owner, speaker: 'Speaker 1' },
    { participantId: 'ada' },
    'request',
  );
  expect(await forget(made, 'ada')).toBe(1);
  expect(everything(made)).not.toMatch(traces);
});

test('a speaker whom a person called by the name is removed too, and other names stay', async () => {
  const made = await madeReady();
  const { transcriptions, speakersOf: speakers, speakerChanges, sendChange } = made;
  const people = { peopleOf: async () => nobodyKnown };
  const names = [
    ['Speaker 1', ' ADA'],
    ['Speaker 2', 'Adam'],
  ] as const;
  for (const [speaker, displayName] of names)
    await correctSpeaker(
      { transcriptions, speakers, changes: speakerChanges, sendChange, people },
      { ...owner, speaker },
      { displayName },
      'request',
    );
  expect(await forget(made, 'ada')).toBe(0);
  expect(await forget(made, 'ada', { names: ['ada'] })).toBe(1);
  expect(everything(made)).not.toMatch(traces);
  expect(linesOf(made)).toEqual(['[00:00:10] Adam: hello again']);
});

test('what the transcript lacks no longer names a person who does not speak', async () => {
  const missing = [{ participantId: 'ada', from: 60, to: 90, code: 'media_unreadable' as const }];
  const made = await madeReady({ missing });
  const before = linesOf(made);
  expect(everything(made)).toContain('"ada"');
  expect(await forget(made, 'ada', { isMissing: true })).toBe(0);
  expect(everything(made)).not.toMatch(/\bada\b/);
  expect(linesOf(made)).toEqual(before);
});

test('the names that persons gave to others stay', async () => {
  const made = await store();
  const { transcriptions, speakersOf: speakers, speakerChanges, sendChange } = made;
  const people = { peopleOf: async () => nobodyKnown };
  const two = { ...owner, speaker: 'Speaker 2' };
  await correctSpeaker(
    { transcriptions, speakers, changes: speakerChanges, sendChange, people },
    two,
    { displayName: 'Bob' },
    'request',
  );
  await forget(made, 'ada');
  expect(linesOf(made)).toEqual(['[00:00:10] Bob: hello again']);
});

test.each([['eve'], ['Speaker 1'], ['']])('the id %j of nobody in the transcript changes nothing', async (id) => {
  const made = await store();
  const before = new Map(made.files);
  expect(await forget(made, id)).toBe(0);
  expect(new Map(made.files)).toEqual(before);
});

test('files whose words have expired are removed, because nothing else tells the person’s words from those of others', async () => {
  const made = await store();
  made.files.delete(wordsFileKey(owner));
  expect(await forget(made, 'ada')).toBe(0);
  expect(everything(made)).not.toMatch(traces);
  expect(await forget(made, 'ada')).toBe(0);
});

test('a speaker who is called the person during the removal is removed too', async () => {
  for (let overtaken = 1; overtaken <= 2; overtaken += 1) {
    const made = await store();
    const { transcriptions, speakersOf: speakers, speakerChanges, sendChange } = made;
    const stays = [{ participantId: 'ada', displayName: 'Ada', from: 0, to: 1 }];
    const people = { peopleOf: async () => ({ ...nobodyKnown, stays }) };
    let changes = 0;
    made.meanwhile = async (call) => {
      if (call !== 'changeSpeakers') return;
      changes += 1;
      if (changes !== overtaken) return;
      made.meanwhile = () => {};
      const two = { ...owner, speaker: 'Speaker 2' };
      await correctSpeaker(
        { transcriptions, speakers, changes: speakerChanges, sendChange, people },
        two,
        { participantId: 'ada' },
        'request',
      );
    };
    await forget(made, 'ada');
    expect(everything(made), `change ${overtaken}`).not.toMatch(traces);
  }
});

test('a late end of the transcription’s work does not bring the person back', async () => {
  const made = await store();
  const words = made.files.get(wordsFileKey(owner)) ?? '';
  await forget(made, 'ada');
  made.files.set(wordsFileKey(owner), words); // as a call writes that began before the transcription was ready
  await writeTranscript({ speakers: made.speakersOf, files: made.filesOf }, owner);
  expect(everything(made)).not.toMatch(traces);
  expect(linesOf(made)).toEqual(['[00:00:10] Bo: hello again']);
});

describe('a removal that dies', () => {
  test('at any call can run again, and then nothing is left', async () => {
    for (let dies = 1; ; dies += 1) {
      const made = await store();
      let calls = 0;
      made.meanwhile = () => {
        calls += 1;
        if (calls === dies) throw new Error('died');
      };
      const isDone = await forget(made, 'ada').then(
        () => true,
        () => false,
      );
      if (isDone) break;
      made.meanwhile = () => {};
      await forget(made, 'ada');
      expect(everything(made), `call ${dies}`).not.toMatch(traces);
      expect(linesOf(made)).toEqual(['[00:00:10] Bo: hello again']);
    }
  });
});

test('a writer that still has the words writes again, whenever it is overtaken', async () => {
  const writes = transcriptFormats.length;
  for (let overtaken = 1; overtaken <= writes; overtaken += 1) {
    const made = await store();
    let isOvertaken = false;
    let count = 0;
    made.meanwhile = async (call) => {
      if (call !== 'write' || isOvertaken) return;
      count += 1;
      if (count < overtaken) return;
      isOvertaken = true;
      await forget(made, 'ada');
    };
    await writeTranscript({ speakers: made.speakersOf, files: made.filesOf }, owner);
    expect(made.files.has(wordsFileKey(owner))).toBe(true);
    expect(everything(made), `write ${overtaken}`).not.toMatch(traces);
  }
});
