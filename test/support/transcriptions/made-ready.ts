import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { MissingSpan } from '#shared/contracts/transcriptions/transcription.ts';
import { unnamedSpeakers, type Voice } from '#shared/domain/transcript/speakers.ts';
import { toTurns } from '#shared/domain/transcript/transcript.ts';
import { endWork } from '#shared/use-cases/transcriptions/end-work.ts';
import { transcriptionRecord } from '../operations/records.ts';
import { FakeStore } from '../storage/fake-store.ts';
import { spoken } from './transcripts.ts';

type Facts = {
  readonly speakers?: readonly Voice[];
  readonly missing?: readonly MissingSpan[];
  readonly echoes?: (turns: readonly Turn[]) => readonly Turn[];
};

/** A store with a transcription that is ready: two speakers, whom nothing names by default, with a turn each. */
export async function madeReady({ speakers, missing, echoes }: Facts = {}): Promise<FakeStore> {
  const record = transcriptionRecord();
  const store = new FakeStore(record);
  const second = spoken('hello again', 10).items.map((item) => ({ ...item, speaker: 'Speaker 2' }));
  const turns = toTurns([...spoken().items, ...second], 'en-US');
  const transcript = {
    ...{ languageCode: 'en-US', turns, speakers: speakers ?? unnamedSpeakers(turns) },
    ...(missing && { missing }),
    ...(echoes && { echoes: echoes(turns) }),
  };
  const { transcriptions, filesOf: files, speakersOf, sendChange } = store;
  await endWork(
    { transcriptions, files, speakers: speakersOf, sendChange },
    { key: record, read: async () => ({ transcript, transcribedSeconds: 600 }), remove: async () => {} },
  );
  return store;
}
