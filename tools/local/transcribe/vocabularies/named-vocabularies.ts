import type { LanguageCode } from '@aws-sdk/client-transcribe';
import { badRequest } from '../bad-request.ts';
import { JobFailure } from '../failure.ts';
import type { RecordStore } from '../record-store.ts';
import type { StartRequest } from '../start-request.ts';
import type { Vocabularies, Vocabulary } from './vocabulary.ts';
import { notFound } from './vocabulary-operations.ts';

/**
 * Throws BadRequestException for a request that names a vocabulary or a filter that does not exist, or that has another language than
 * the request. With language identification another language is no error: it is not applied, as Amazon documents.
 */
export function checkNamedVocabularies(request: StartRequest, { vocabularies, filters }: Vocabularies): void {
  for (const named of [request.Settings, ...Object.values(request.LanguageIdSettings ?? {})]) {
    check(vocabularies, 'vocabulary', named?.VocabularyName, request.LanguageCode);
    check(filters, 'vocabulary filter', named?.VocabularyFilterName, request.LanguageCode);
  }
}

function check(
  store: RecordStore<Vocabulary>,
  noun: string,
  name: string | undefined,
  code: LanguageCode | undefined,
): void {
  if (name === undefined) return;
  const vocabulary = store.get(name);
  if (vocabulary === undefined) throw badRequest(notFound(noun));
  if (code !== undefined && vocabulary.languageCode !== code) {
    throw badRequest(
      `The language code of the ${noun} doesn't match the language code of the request. Use a ${noun} for ${code}.`,
    );
  }
}

/**
 * The words that a job filters in this language, in lower case. Throws a JobFailure if the filter was deleted after the job started: words
 * must not slip through.
 */
export function filteredWords(
  { Settings: settings, LanguageIdSettings: languages = {} }: StartRequest,
  languageCode: LanguageCode,
  { filters }: Vocabularies,
): ReadonlySet<string> {
  const name = settings?.VocabularyFilterName ?? languages[languageCode]?.VocabularyFilterName;
  if (name === undefined) return new Set();
  const filter = filters.get(name);
  if (filter === undefined) throw new JobFailure('filterDeleted');
  return new Set(filter.languageCode === languageCode ? filter.entries.map((word) => word.toLowerCase()) : []);
}
