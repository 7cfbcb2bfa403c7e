import { LanguageCode } from '@aws-sdk/client-transcribe';
import { badRequest } from './bad-request.ts';
import { identifies, type StartRequest } from './start-request.ts';

/** A combination of parameters that StartTranscriptionJob refuses. Each parameter alone would be right. */
type Rule = { readonly breaks: (request: StartRequest) => boolean; readonly message: string };

// https://docs.aws.amazon.com/transcribe/latest/dg/pii-redaction-batch.html, and its changes of 1 May 2026 in the document history.
const redactedLanguages: readonly LanguageCode[] = [
  LanguageCode.EN_US,
  LanguageCode.ES_US,
  LanguageCode.FR_FR,
  LanguageCode.FR_CA,
  LanguageCode.DE_DE,
  LanguageCode.DE_CH,
  LanguageCode.IT_IT,
  LanguageCode.PT_PT,
  LanguageCode.PT_BR,
];

/** https://docs.aws.amazon.com/transcribe/latest/APIReference/API_StartTranscriptionJob.html */
const languageRules: readonly Rule[] = [
  {
    breaks: (request) => waysToTheLanguage(request) === 0,
    message: 'The language code is missing. Either add a language code or turn on language identification.',
  },
  {
    breaks: (request) => waysToTheLanguage(request) > 1,
    message:
      "You can't use a language code together with language identification, or both kinds of language identification. Use one of LanguageCode, IdentifyLanguage and IdentifyMultipleLanguages.",
  },
];

/**
 * Several dialects of one language are right: https://docs.aws.amazon.com/transcribe/latest/dg/lang-id-batch.html advises to name
 * those of English. Only streams refuse them.
 */
const optionRules: readonly Rule[] = [
  {
    breaks: (request) => request.LanguageOptions !== undefined && !identifies(request),
    message:
      'LanguageOptions needs language identification. Turn on IdentifyLanguage or IdentifyMultipleLanguages, or remove LanguageOptions.',
  },
  {
    breaks: ({ LanguageOptions: options }) => options !== undefined && new Set(options).size < 2,
    message: 'LanguageOptions has too few language codes. Add two or more different ones, or remove LanguageOptions.',
  },
];

/** https://docs.aws.amazon.com/transcribe/latest/APIReference/API_LanguageIdSettings.html */
const languageSettingRules: readonly Rule[] = [
  {
    breaks: (request) =>
      request.LanguageIdSettings !== undefined && !(identifies(request) && request.LanguageOptions !== undefined),
    message: 'LanguageIdSettings needs language identification and LanguageOptions. Add both, or use Settings.',
  },
  {
    breaks: (request) => request.LanguageIdSettings !== undefined && languagesWithSettings(request).length < 2,
    message: 'LanguageIdSettings supports two to five language codes.',
  },
  {
    breaks: (request) => languagesWithSettings(request).some((code) => !request.LanguageOptions?.includes(code)),
    message: 'The language codes of LanguageIdSettings must be among LanguageOptions.',
  },
  {
    breaks: (request) =>
      identifies(request) &&
      (request.Settings?.VocabularyName !== undefined || request.Settings?.VocabularyFilterName !== undefined),
    message:
      'With language identification, VocabularyName and VocabularyFilterName belong to LanguageIdSettings, not to Settings.',
  },
];

/** https://docs.aws.amazon.com/transcribe/latest/APIReference/API_Settings.html */
const settingRules: readonly Rule[] = [
  {
    breaks: (request) => namesAFilter(request) && request.Settings?.VocabularyFilterMethod === undefined,
    message: 'VocabularyFilterMethod is missing. Add VocabularyFilterMethod or remove VocabularyFilterName.',
  },
  {
    breaks: (request) => request.Settings?.VocabularyFilterMethod !== undefined && !namesAFilter(request),
    message:
      'VocabularyFilterMethod needs VocabularyFilterName. Add VocabularyFilterName or remove VocabularyFilterMethod.',
  },
  {
    breaks: ({ Settings: settings }) => settings?.ShowSpeakerLabels === true && settings.MaxSpeakerLabels === undefined,
    message: 'MaxSpeakerLabels is missing. Add MaxSpeakerLabels or turn off ShowSpeakerLabels.',
  },
  {
    breaks: ({ Settings: settings }) =>
      settings?.ShowSpeakerLabels !== true && settings?.MaxSpeakerLabels !== undefined,
    message: 'MaxSpeakerLabels needs ShowSpeakerLabels. Turn on ShowSpeakerLabels or remove MaxSpeakerLabels.',
  },
];

/** https://docs.aws.amazon.com/transcribe/latest/dg/pii-redaction-batch.html */
const redactionRules: readonly Rule[] = [
  {
    breaks: (request) => request.ContentRedaction !== undefined && identifies(request),
    message: "You can't use content redaction together with language identification. Use LanguageCode.",
  },
  {
    breaks: ({ ContentRedaction: redaction, LanguageCode: code }) =>
      redaction !== undefined && code !== undefined && !redactedLanguages.includes(code),
    message: `Content redaction isn't supported for this language code. Use one of ${redactedLanguages.join(', ')}.`,
  },
];

/**
 * The combinations that Amazon Transcribe refuses, in the order in which this server looks at them. They are written from Amazon's
 * documentation, and from nothing of the service, because a test compares the service's own rules with them.
 */
const rules: readonly Rule[] = [
  ...languageRules,
  ...optionRules,
  ...languageSettingRules,
  ...settingRules,
  ...redactionRules,
];

/** Throws BadRequestException if Amazon refuses this combination of parameters. */
export function checkCombination(request: StartRequest): void {
  const broken = rules.find((rule) => rule.breaks(request));
  if (broken !== undefined) throw badRequest(broken.message);
}

const waysToTheLanguage = (request: StartRequest): number =>
  [request.LanguageCode !== undefined, request.IdentifyLanguage, request.IdentifyMultipleLanguages].filter(Boolean)
    .length;

const languagesWithSettings = ({ LanguageIdSettings: settings = {} }: StartRequest): LanguageCode[] =>
  Object.keys(settings) as LanguageCode[];

/** The method belongs to `Settings`, also for the filters of `LanguageIdSettings`. */
const namesAFilter = ({ Settings: settings, LanguageIdSettings: languages = {} }: StartRequest): boolean =>
  settings?.VocabularyFilterName !== undefined ||
  Object.values(languages).some((language) => language.VocabularyFilterName !== undefined);
