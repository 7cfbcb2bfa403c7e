import { expect, test } from 'vitest';
import { transcribeSettings } from '#shared/adapters/transcriptions/transcribe-settings.ts';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';

const voices = { ShowSpeakerLabels: true, MaxSpeakerLabels: 10 };

test.each<[TranscriptionOptions, object]>([
  [{}, { IdentifyLanguage: true, Settings: voices }],
  [
    { language: 'auto', multiLanguage: true },
    { IdentifyMultipleLanguages: true, Settings: voices },
  ],
  [
    { language: 'de-CH', multiLanguage: false },
    { LanguageCode: 'de-CH', Settings: voices },
  ],
  [
    { language: ['en-US', 'de-DE'], maxSpeakers: 3 },
    {
      IdentifyLanguage: true,
      LanguageOptions: ['en-US', 'de-DE'],
      Settings: { ShowSpeakerLabels: true, MaxSpeakerLabels: 3 },
    },
  ],
  [
    { language: 'en-US', vocabulary: 'names', vocabularyFilter: { name: 'rude-words', method: 'tag' } },
    {
      LanguageCode: 'en-US',
      Settings: {
        ...voices,
        VocabularyName: 'names',
        VocabularyFilterName: 'rude-words',
        VocabularyFilterMethod: 'tag',
      },
    },
  ],
  [
    { language: 'en-US', redact: { types: ['NAME'] } },
    {
      LanguageCode: 'en-US',
      Settings: voices,
      ContentRedaction: { RedactionType: 'PII', RedactionOutput: 'redacted', PiiEntityTypes: ['NAME'] },
    },
  ],
  [{ channels: ['p-1', 'p-2'] }, { IdentifyLanguage: true, Settings: { ChannelIdentification: true } }],
  [
    { channels: ['p-1', 'p-2'], maxSpeakers: 2 },
    {
      IdentifyLanguage: true,
      Settings: { ShowSpeakerLabels: true, MaxSpeakerLabels: 2, ChannelIdentification: true },
    },
  ],
])('%j give the parameters of a job', (options, settings) => {
  expect(transcribeSettings(options)).toEqual(settings);
});

test('options that break a rule give parameters that break it, too', () => {
  expect(transcribeSettings({ language: 'en-US', multiLanguage: true })).toMatchObject({
    LanguageCode: 'en-US',
    IdentifyMultipleLanguages: true,
  });
  expect(transcribeSettings({ language: ['en-US', 'de-DE'], vocabulary: 'names' })).toMatchObject({
    LanguageIdSettings: { 'en-US': { VocabularyName: 'names' }, 'de-DE': { VocabularyName: 'names' } },
  });
});
