import { describe, expect, test } from 'vitest';
import { nobodyKnown } from '#shared/domain/insights/session/session-people.ts';
import { unnamedSpeakers } from '#shared/domain/transcript/speakers.ts';
import { toTurns } from '#shared/domain/transcript/transcript.ts';
import { generatedFileKey, wordsFileKey } from '#shared/domain/transcriptions/transcript-location.ts';
import { endWork } from '#shared/use-cases/transcriptions/end-work.ts';
import { correctSpeaker } from '#shared/use-cases/transcriptions/speakers/correct-speaker.ts';
import { writeTranscript } from '#shared/use-cases/transcriptions/write-transcript.ts';
import { transcriptionRecord } from '../../../support/operations/records.ts';
import { FakeStore } from '../../../support/storage/fake-store.ts';
import { spoken, turn } from '../../../support/transcriptions/transcripts.ts';

const record = transcriptionRecord();
const turns = toTurns(spoken().items, 'en-US');
const transcript = { languageCode: 'en-US', turns, speakers: unnamedSpeakers(turns) };

const end = ({ transcriptions, filesOf: files, speakersOf: speakers, sendChange }: FakeStore) =>
  endWork(
    { transcriptions, files, speakers, sendChange },
    { key: record, read: async () => ({ transcript, transcribedSeconds: 600 }), remove: async () => {} },
  );
const write = ({ speakersOf: speakers, filesOf: files }: FakeStore) => writeTranscript({ speakers, files }, record);
const people = { peopleOf: async () => nobodyKnown };

/** Another call ends the work, and a person corrects the speaker: before the call that began earlier writes any of its files. */
function storeWithLateCall(): FakeStore {
  const store = new FakeStore(record);
  const others = async () => {
    store.meanwhile = () => {};
    await end(store);
    const { transcriptions, speakersOf: speakers, speakerChanges: changes, sendChange } = store;
    const key = { ...record, speaker: 'Speaker 1' };
    await correctSpeaker(
      { transcriptions, speakers, changes, sendChange, people },
      key,
      { displayName: 'Ada' },
      'request',
    );
    await write(store);
    store.changes.length = 0;
  };
  let isDone: Promise<void> | undefined;
  store.meanwhile = (call) => {
    if (call !== 'write') return undefined;
    isDone ??= Promise.resolve().then(others);
    return isDone;
  };
  return store;
}

describe('a late end of a work, which replaces files with corrected names', () => {
  test('has them written again', async () => {
    const store = storeWithLateCall();
    await end(store);
    expect(store.changes).toEqual([record.transcriptionId]);
    await write(store);
    expect(store.files.get(generatedFileKey(record, 'txt'))).toContain('Ada: ');
  });

  test('has them written again by its repetition, if the process dies after the files', async () => {
    const store = storeWithLateCall();
    const { markReady } = store.transcriptions;
    let hasDied = false;
    store.transcriptions.markReady = async (...facts: Parameters<typeof markReady>) => {
      const ended = await markReady(...facts);
      if (!ended.applied && !hasDied) {
        hasDied = true;
        throw new Error('died');
      }
      return ended;
    };
    await expect(end(store)).rejects.toThrow('died');
    expect(store.files.get(generatedFileKey(record, 'txt'))).toContain('Speaker 1: ');
    await end(store);
    expect(store.changes).toEqual([record.transcriptionId]);
  });

  test('asks for nothing if nobody has corrected a speaker', async () => {
    const store = new FakeStore(record);
    await end(store);
    await end(store);
    expect(store.changes).toEqual([]);
  });
});

test('the row of the speakers fits into an item, however many voices the engine hears at 100 microphones', async () => {
  const store = new FakeStore(record);
  const { transcriptions, filesOf: files, speakersOf: speakers, sendChange } = store;
  const voices = Array.from({ length: 2000 }, (_, index) => ({
    ...{ speaker: `Speaker ${index + 1}`, participantId: `p-${index % 100}`, source: 'track' as const, confidence: 1 },
    ...{ displayName: `Room ${index % 100}, speaker ${index}`, input: 'microphone' as const },
  }));
  const all = voices.map(({ speaker }, index) => turn({ speaker, startSeconds: index, endSeconds: index + 1 }));
  const long = { languageCode: 'en-US', turns: all, speakers: voices };
  const read = async () => ({ transcript: long, transcribedSeconds: 2000 });
  const deps = { transcriptions, files, speakers, sendChange };
  await endWork(deps, { key: record, read, remove: async () => {} });
  const [row] = store.speakerRows.values();
  expect(row?.speakers).toHaveLength(100);
  expect(JSON.stringify(row).length).toBeLessThan(400 * 1024);
  const words = JSON.parse(store.files.get(wordsFileKey(record)) ?? '{}');
  expect(words.transcript.speakers).toHaveLength(100);
});
