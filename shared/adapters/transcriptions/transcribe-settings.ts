import type { LanguageIdSettings, StartTranscriptionJobRequest } from '@aws-sdk/client-transcribe';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { builtInOptions } from '#shared/domain/transcriptions/effective-options.ts';

type JobSettings = Pick<
  StartTranscriptionJobRequest,
  | 'LanguageCode'
  | 'IdentifyLanguage'
  | 'IdentifyMultipleLanguages'
  | 'LanguageOptions'
  | 'LanguageIdSettings'
  | 'Settings'
  | 'ContentRedaction'
>;

/**
 * The parameters of a Transcribe job for these options. Options that break a rule give parameters that Transcribe refuses. Channels are
 * told apart instead of voices, unless `maxSpeakers` asks for both. A redacted job makes no other output.
 */
export function transcribeSettings(options: TranscriptionOptions = {}): JobSettings {
  const { vocabulary, vocabularyFilter, redact, channels } = options;
  const isList = Array.isArray(options.language);
  const maxSpeakers = options.maxSpeakers ?? (channels ? undefined : builtInOptions.maxSpeakers);
  return {
    ...languageSettings(options),
    Settings: {
      ...(maxSpeakers !== undefined && { ShowSpeakerLabels: true, MaxSpeakerLabels: maxSpeakers }),
      ...(channels && { ChannelIdentification: true }),
      ...(vocabulary !== undefined && !isList && { VocabularyName: vocabulary }),
      ...(vocabularyFilter && !isList && { VocabularyFilterName: vocabularyFilter.name }),
      ...(vocabularyFilter && { VocabularyFilterMethod: vocabularyFilter.method }),
    },
    ...(redact && {
      ContentRedaction: { RedactionType: 'PII', RedactionOutput: 'redacted', PiiEntityTypes: [...redact.types] },
    }),
  };
}

/** Exactly one of the three ways to say the language, unless the options break a rule. */
function languageSettings(options: TranscriptionOptions): JobSettings {
  const { language = 'auto', multiLanguage } = options;
  const identify = multiLanguage ? { IdentifyMultipleLanguages: true } : { IdentifyLanguage: true };
  if (language === 'auto') return identify;
  if (!Array.isArray(language)) return { LanguageCode: language, ...(multiLanguage && identify) };
  const ofEach = settingsOfEach(options);
  return {
    ...identify,
    LanguageOptions: [...language],
    ...(ofEach && { LanguageIdSettings: Object.fromEntries(language.map((code) => [code, ofEach])) }),
  };
}

/**
 * Transcribe takes names of vocabularies with each code of a list. It does not apply those of another language, and says nothing about it:
 * https://docs.aws.amazon.com/transcribe/latest/APIReference/API_LanguageIdSettings.html
 */
function settingsOfEach({ vocabulary, vocabularyFilter }: TranscriptionOptions): LanguageIdSettings | undefined {
  if (vocabulary === undefined && !vocabularyFilter) return undefined;
  return {
    ...(vocabulary !== undefined && { VocabularyName: vocabulary }),
    ...(vocabularyFilter && { VocabularyFilterName: vocabularyFilter.name }),
  };
}
