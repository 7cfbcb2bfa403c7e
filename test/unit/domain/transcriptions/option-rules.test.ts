import { expect, test } from 'vitest';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { optionIssues, optionRules } from '#shared/domain/transcriptions/option-rules.ts';

const redact: TranscriptionOptions['redact'] = { types: ['ALL'] };
const vocabularyFilter: TranscriptionOptions['vocabularyFilter'] = { name: 'rude-words', method: 'mask' };

test.each<TranscriptionOptions>([
  {},
  { language: 'auto', multiLanguage: true },
  { language: ['en-US', 'de-DE'], multiLanguage: true },
  { language: 'en-US', multiLanguage: false, vocabulary: 'names', vocabularyFilter, redact, maxSpeakers: 2 },
  { channels: ['p-1', 'p-2'], tracks: false, maxSpeakers: 4 },
])('%j go together', (options) => {
  expect(optionIssues(options)).toEqual([]);
});

test.each<[TranscriptionOptions, keyof TranscriptionOptions, string]>([
  [{ language: ['en-US', 'en-GB'] }, 'language', 'must not list a language twice, nor two dialects of one language'],
  [{ language: 'en-US', multiLanguage: true }, 'multiLanguage', 'cannot be combined with one code in language'],
  [{ vocabulary: 'names' }, 'vocabulary', 'needs one code in language'],
  [{ language: ['en-US', 'de-DE'], vocabulary: 'names' }, 'vocabulary', 'needs one code in language'],
  [{ language: 'auto', vocabularyFilter }, 'vocabularyFilter', 'needs one code in language'],
  [{ redact }, 'redact', 'needs one of these codes in language: en-US, es-US,'],
  [{ language: 'en-GB', redact }, 'redact', 'needs one of these codes in language'],
  [{ language: ['en-US', 'de-DE'], redact }, 'redact', 'needs one of these codes in language'],
  [{ channels: ['p-1', 'p-2'], tracks: true }, 'channels', 'cannot be combined with tracks'],
])('%j break a rule of %s', (options, option, message) => {
  expect(optionIssues(options)).toEqual([{ path: `options.${option}`, message: expect.stringContaining(message) }]);
});

test('every rule between two options names the other one', () => {
  for (const { other, message } of optionRules) if (other) expect(message).toContain(other);
});
