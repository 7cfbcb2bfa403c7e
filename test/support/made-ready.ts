import type { Turn } from '#shared/contracts/transcript-document.ts';
import type { MissingSpan } from '#shared/contracts/transcription.ts';
import { unnamedSpeakers, type Voice } from '#shared/domain/speakers.ts';
import { toTurns } from '#shared/domain/transcript.ts';
import { endWork } from '#shared/use-cases/end-work.ts';
import { FakeStore } from './fake-store.ts';
import { transcriptionRecord } from './records.ts';
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
