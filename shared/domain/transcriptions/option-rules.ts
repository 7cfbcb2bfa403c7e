import type {
  LanguageCode,
  OptionName,
  TranscriptionOptions,
} from '#shared/contracts/transcriptions/transcription-options.ts';
import type { Issue } from '#shared/runtime/errors.ts';

/** The languages in which Amazon Transcribe redacts: https://docs.aws.amazon.com/transcribe/latest/dg/pii-redaction.html */
export const redactableLanguages: readonly LanguageCode[] = [
  'en-US',
  'es-US',
  'fr-FR',
  'fr-CA',
  'de-DE',
  'de-CH',
  'it-IT',
  'pt-PT',
  'pt-BR',
];

/** A rule between two options, or within one if `other` is missing. */
type OptionRule = {
  /** The option that is refused. */
  readonly option: OptionName;
  readonly other?: OptionName;
  readonly isBroken: (options: TranscriptionOptions) => boolean;
  /** What the caller must change. It names `other`. */
  readonly message: string;
  /** True for a rule of this service. The others are those of Amazon Transcribe. */
  readonly isOurs?: boolean;
};

const isOneCode = ({ language }: TranscriptionOptions) => typeof language === 'string' && language !== 'auto';
const codesOf = ({ language }: TranscriptionOptions) => (Array.isArray(language) ? language : []);
const dialectsOf = (options: TranscriptionOptions) => codesOf(options).map((code) => code.split('-')[0]);
const hasTwice = (values: readonly unknown[]) => new Set(values).size < values.length;

/**
 * Which options go together. A request and the defaults are checked as one. Each vocabulary and each filter has one language, so it fits
 * one code, and no list:
 * https://docs.aws.amazon.com/transcribe/latest/APIReference/API_LanguageIdSettings.html
 */
export const optionRules: readonly OptionRule[] = [
  {
    option: 'language',
    isBroken: (options) => hasTwice(dialectsOf(options)),
    message: 'must not list a language twice, nor two dialects of one language',
    isOurs: true, // Amazon refuses them in streams only
  },
  {
    option: 'multiLanguage',
    other: 'language',
    isBroken: (options) => options.multiLanguage === true && isOneCode(options),
    message: 'cannot be combined with one code in language: set language to "auto" or to a list',
  },
  {
    option: 'vocabulary',
    other: 'language',
    isBroken: (options) => options.vocabulary !== undefined && !isOneCode(options),
    message: 'needs one code in language: the language of the vocabulary',
  },
  {
    option: 'vocabularyFilter',
    other: 'language',
    isBroken: (options) => options.vocabularyFilter !== undefined && !isOneCode(options),
    message: 'needs one code in language: the language of the filter',
  },
  {
    option: 'redact',
    other: 'language',
    isBroken: ({ redact, language }) => redact !== undefined && !redactableLanguages.some((code) => code === language),
    message: `needs one of these codes in language: ${redactableLanguages.join(', ')}`,
  },
  {
    option: 'channels',
    other: 'tracks',
    isBroken: ({ channels, tracks }) => channels !== undefined && tracks === true,
    message: 'cannot be combined with tracks: the channels are those of the mixed file',
    isOurs: true,
  },
];

/** The rules that these options break. */
export function brokenRules(options: TranscriptionOptions): OptionRule[] {
  return optionRules.filter(({ isBroken }) => isBroken(options));
}

/** The issues of options that break rules. Each names both options. Empty if the options go together. */
export function optionIssues(options: TranscriptionOptions): Issue[] {
  return brokenRules(options).map(({ option, message }) => ({ path: `options.${option}`, message }));
}
