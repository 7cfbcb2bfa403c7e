import * as z from 'zod';
import { badRequest } from '../bad-request.ts';
import { longest, NOT_EMPTY, parseRequest, required } from '../parse-request.ts';
import { Language, ResourceName, Tags } from '../request-fields.ts';

const Entries = z.optional(
  z
    .array(z.string({ error: required }).min(1, NOT_EMPTY).max(256, longest(256)), { error: required })
    .min(1, NOT_EMPTY),
);

const CreateVocabulary = z.object({
  VocabularyName: ResourceName,
  LanguageCode: Language,
  Phrases: Entries,
  Tags: z.optional(Tags),
});
const CreateFilter = z.object({
  VocabularyFilterName: ResourceName,
  LanguageCode: Language,
  Words: Entries,
  Tags: z.optional(Tags),
});

/** What a request to create a vocabulary or a filter says. */
export type NewVocabulary = { name: string; languageCode: z.infer<typeof Language>; entries: string[] };

/** Parses a CreateVocabulary request. */
export function parseCreateVocabulary(body: unknown): NewVocabulary {
  const { VocabularyName: name, LanguageCode: languageCode, Phrases } = parseRequest(CreateVocabulary, body);
  return { name, languageCode, entries: listed(Phrases, 'Phrases') };
}

/** Parses a CreateVocabularyFilter request. */
export function parseCreateFilter(body: unknown): NewVocabulary {
  const { VocabularyFilterName: name, LanguageCode: languageCode, Words } = parseRequest(CreateFilter, body);
  return { name, languageCode, entries: listed(Words, 'Words') };
}

/** Parses a request that names a vocabulary. */
export const parseVocabularyName = (body: unknown): string =>
  parseRequest(z.object({ VocabularyName: ResourceName }), body).VocabularyName;

/** Parses a request that names a vocabulary filter. */
export const parseFilterName = (body: unknown): string =>
  parseRequest(z.object({ VocabularyFilterName: ResourceName }), body).VocabularyFilterName;

function listed(entries: string[] | undefined, name: string): string[] {
  if (entries === undefined) throw badRequest(`The local Transcribe server reads no files of entries: add ${name}.`);
  return entries;
}
