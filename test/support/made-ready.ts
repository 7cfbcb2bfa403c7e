import { unnamedSpeakers } from '#shared/domain/speakers.ts';
import { toTurns } from '#shared/domain/transcript.ts';
import { endWork } from '#shared/use-cases/end-work.ts';
import { FakeStore } from './fake-store.ts';
import { transcriptionRecord } from './records.ts';
import { spoken } from './transcripts.ts';

/** A store with a transcription that is ready: two speakers, with a turn each. */
export async function madeReady(): Promise<FakeStore> {
  const record = transcriptionRecord();
  const store = new FakeStore(record);
  const second = spoken('hello again', 10).items.map((item) => ({ ...item, speaker: 'Speaker 2' }));
  const turns = toTurns([...spoken().items, ...second], 'en-US');
  const transcript = { languageCode: 'en-US', turns, speakers: unnamedSpeakers(turns) };
  const { transcriptions, filesOf: files, speakersOf: speakers, sendChange } = store;
  await endWork(
    { transcriptions, files, speakers, sendChange },
    { key: record, read: async () => ({ transcript }), remove: async () => {} },
  );
  return store;
}
