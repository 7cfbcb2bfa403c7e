import * as z from 'zod';
import type { Log } from '../log.ts';
import { openRecordStore, type RecordStore } from '../record-store.ts';
import { Language } from '../request-fields.ts';

/** A custom vocabulary, with its phrases, or a vocabulary filter, with its words. */
export const Vocabulary = z.object({
  name: z.string(),
  languageCode: Language,
  entries: z.array(z.string()),
  createdAt: z.iso.datetime(),
});
export type Vocabulary = z.infer<typeof Vocabulary>;

/** The custom vocabularies and the vocabulary filters. Each kind has its own names. */
export type Vocabularies = {
  readonly vocabularies: RecordStore<Vocabulary>;
  readonly filters: RecordStore<Vocabulary>;
};

/** Reads the vocabularies, or the filters, of a folder. */
export const openVocabularyStore = (folder: string, log: Log): Promise<RecordStore<Vocabulary>> =>
  openRecordStore(folder, { parse: (value) => Vocabulary.parse(value), nameOf: ({ name }) => name, log });
