import { LanguageCode, PiiEntityType, VocabularyFilterMethod } from '@aws-sdk/client-transcribe';
import { describe, expect, test } from 'vitest';
import {
  languageCodes,
  piiTypes,
  TranscriptionOptions,
  vocabularyFilterMethods,
} from '#shared/contracts/transcriptions/transcription-options.ts';
import { issuesOf, taken } from '../../../support/issues.ts';

describe('the options of a transcription', () => {
  test.each([
    ['languages', languageCodes, LanguageCode],
    ['types of personal data', piiTypes, PiiEntityType],
    ['methods of a filter', vocabularyFilterMethods, VocabularyFilterMethod],
  ])('has the %s of Amazon Transcribe', (_, ours, theirs) => {
    expect([...ours].sort()).toEqual(Object.values(theirs).sort());
  });

  test('accepts every option', () => {
    const options = {
      language: ['en-US', 'de-DE'],
      multiLanguage: true,
      vocabulary: 'product-names',
      vocabularyFilter: { name: 'rude.words', method: 'remove' },
      redact: { types: ['ALL'] },
      maxSpeakers: 30,
      channels: ['p-1', 'p-2'],
      tracks: false,
    };
    expect(taken(TranscriptionOptions, options)).toEqual(options);
    expect(taken(TranscriptionOptions, {})).toEqual({});
  });

  test.each([
    [{ language: ['en-US'] }, 'language: must list from 2 to 5 codes'],
    [{ language: languageCodes.slice(0, 6) }, 'language: must list from 2 to 5 codes'],
    [{ vocabulary: 'two words' }, 'vocabulary: must have 1 to 200 letters, digits, dots, hyphens and underscores'],
    [{ vocabularyFilter: { name: 'a' } }, 'vocabularyFilter.method: must be one of mask, remove, tag'],
    [{ vocabularyFilter: { name: 'a', method: 'mask', more: 1 } }, 'vocabularyFilter.more: is not a known parameter'],
    [{ redact: {} }, 'redact.types: is required'],
    [{ redact: { types: [] } }, 'redact.types: must name at least one type'],
    [{ redact: { types: ['NAME', 'NAME'] } }, 'redact.types: must name each type once'],
    [{ maxSpeakers: 1 }, 'maxSpeakers: must be a whole number from 2 to 30'],
    [{ maxSpeakers: 31 }, 'maxSpeakers: must be a whole number from 2 to 30'],
    [{ maxSpeakers: 2.5 }, 'maxSpeakers: must be a whole number'],
    [{ channels: ['p-1'] }, 'channels: must name the participants of the two channels'],
    [{ channels: ['p-1', 'p-1'] }, 'channels: must name two different participants'],
    [{ tracks: 'no' }, 'tracks: must be a boolean'],
  ])('rejects %j', (options, issue) => {
    expect(issuesOf(TranscriptionOptions, options)).toEqual([issue]);
  });

  test.each(['en', 'EN-us', 7, null, ['en-US', 'en']])('rejects the language %j, and lists the codes', (language) => {
    expect(issuesOf(TranscriptionOptions, { language })).toEqual([
      `language: must be "auto", a code, or a list of codes. The codes are ${languageCodes.join(', ')}`,
    ]);
  });
});
