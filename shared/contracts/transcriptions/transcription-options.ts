import * as z from 'zod/mini';
import { Identifier, oneOf } from '../common/fields.ts';

/** The languages that the engine recognizes: `LanguageCode` of Amazon Transcribe, which a test compares. */
export const languageCodes = [
  'ab-GE',
  'af-ZA',
  'am-ET',
  'ar-AE',
  'ar-SA',
  'ast-ES',
  'az-AZ',
  'ba-RU',
  'be-BY',
  'bg-BG',
  'bn-IN',
  'bs-BA',
  'ca-ES',
  'ckb-IQ',
  'ckb-IR',
  'cs-CZ',
  'cy-GB',
  'cy-WL',
  'da-DK',
  'de-CH',
  'de-DE',
  'el-GR',
  'en-AB',
  'en-AU',
  'en-GB',
  'en-IE',
  'en-IN',
  'en-NZ',
  'en-US',
  'en-WL',
  'en-ZA',
  'es-ES',
  'es-MX',
  'es-US',
  'et-EE',
  'et-ET',
  'eu-ES',
  'fa-AF',
  'fa-IR',
  'fi-FI',
  'fr-CA',
  'fr-FR',
  'ga-IE',
  'gd-GB',
  'gl-ES',
  'gu-IN',
  'ha-NG',
  'he-IL',
  'hi-IN',
  'hr-HR',
  'ht-HT',
  'hu-HU',
  'hy-AM',
  'id-ID',
  'is-IS',
  'it-IT',
  'ja-JP',
  'jv-ID',
  'kab-DZ',
  'ka-GE',
  'kk-KZ',
  'km-KH',
  'kn-IN',
  'ko-KR',
  'ky-KG',
  'lg-IN',
  'lt-LT',
  'lv-LV',
  'mhr-RU',
  'mi-NZ',
  'mk-MK',
  'ml-IN',
  'mn-MN',
  'mr-IN',
  'ms-MY',
  'mt-MT',
  'my-MM',
  'ne-NP',
  'nl-NL',
  'no-NO',
  'or-IN',
  'pa-IN',
  'pl-PL',
  'ps-AF',
  'pt-BR',
  'pt-PT',
  'ro-RO',
  'ru-RU',
  'rw-RW',
  'si-LK',
  'sk-SK',
  'sl-SI',
  'so-SO',
  'sq-AL',
  'sr-RS',
  'su-ID',
  'sv-SE',
  'sw-BI',
  'sw-KE',
  'sw-RW',
  'sw-TZ',
  'sw-UG',
  'ta-IN',
  'te-IN',
  'th-TH',
  'tl-PH',
  'tr-TR',
  'tt-RU',
  'ug-CN',
  'uk-UA',
  'uz-UZ',
  'vi-VN',
  'wo-SN',
  'zh-CN',
  'zh-HK',
  'zh-TW',
  'zu-ZA',
] as const;
/** What can be redacted: `PiiEntityType` of Amazon Transcribe, which a test compares. `ALL` stands for all others. */
export const piiTypes = [
  'ADDRESS',
  'AGE',
  'ALL',
  'AWS_ACCESS_KEY',
  'AWS_SECRET_KEY',
  'BANK_ACCOUNT_NUMBER',
  'BANK_ROUTING',
  'CA_HEALTH_NUMBER',
  'CA_SOCIAL_INSURANCE_NUMBER',
  'CREDIT_DEBIT_CVV',
  'CREDIT_DEBIT_EXPIRY',
  'CREDIT_DEBIT_NUMBER',
  'DATE_TIME',
  'DRIVER_ID',
  'EMAIL',
  'INTERNATIONAL_BANK_ACCOUNT_NUMBER',
  'IP_ADDRESS',
  'LICENSE_PLATE',
  'MAC_ADDRESS',
  'NAME',
  'PASSPORT_NUMBER',
  'PASSWORD',
  'PHONE',
  'PIN',
  'SSN',
  'SWIFT_CODE',
  'URL',
  'USERNAME',
  'US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER',
  'VEHICLE_IDENTIFICATION_NUMBER',
] as const;

/** A type of personal data. */
export type PiiType = (typeof piiTypes)[number];

/** How the words of a vocabulary filter are changed: replaced with `***`, left out, or only tagged. */
export const vocabularyFilterMethods = ['mask', 'remove', 'tag'] as const;

/** How many speakers the engine can tell apart in one file. */
export const speakerRange = { fewest: 2, most: 30 } as const;

/** How many languages a list can name. */
export const languageRange = { fewest: 2, most: 5 } as const;

const speakersMessage = `must be a whole number from ${speakerRange.fewest} to ${speakerRange.most}`;
const languagesMessage = `must list from ${languageRange.fewest} to ${languageRange.most} codes`;

/** The name of a vocabulary or of a vocabulary filter, as Amazon Transcribe allows it. */
const ResourceName = z
  .string()
  .check(z.regex(/^[0-9a-zA-Z._-]{1,200}$/, 'must have 1 to 200 letters, digits, dots, hyphens and underscores'));

const channelsMessage = 'must name the participants of the two channels';
const languageMessage = `must be "auto", a code, or a list of codes. The codes are ${languageCodes.join(', ')}`;

/** A language and its dialect, such as `en-US`. */
export const LanguageCode = z.enum(languageCodes);
export type LanguageCode = z.infer<typeof LanguageCode>;

/** One language, or `auto`: the engine finds it out. */
export const LanguageCodeOrAuto = z.enum(['auto', ...languageCodes]);

/** Several languages, one of which is spoken. */
export const LanguageCodes = z
  .array(LanguageCode)
  .check(z.minLength(languageRange.fewest, languagesMessage), z.maxLength(languageRange.most, languagesMessage));

const Language = z.union([LanguageCodeOrAuto, LanguageCodes], {
  error: ({ input }) => (isCodeList(input) ? languagesMessage : languageMessage),
});

const isDistinct = (values: readonly string[]) => new Set(values).size === values.length;

/** True for a list of codes that has too few or too many of them. */
function isCodeList(input: unknown): boolean {
  return Array.isArray(input) && input.every((code) => languageCodes.includes(code));
}

/**
 * How a recording is transcribed. Every field is optional. The rules between fields are those of `shared/domain/transcriptions/option-rules.ts`, because
 * they depend on the defaults of the organization and the stage.
 */
export const TranscriptionOptions = z.strictObject({
  language: z.optional(Language),
  /** True if more than one language is spoken. */
  multiLanguage: z.optional(z.boolean()),
  vocabulary: z.optional(ResourceName),
  vocabularyFilter: z.optional(z.strictObject({ name: ResourceName, method: oneOf(vocabularyFilterMethods) })),
  /** Personal data that is replaced with its type. The text without redaction is never made. */
  redact: z.optional(
    z.strictObject({
      types: z
        .array(oneOf(piiTypes))
        .check(z.minLength(1, 'must name at least one type'), z.refine(isDistinct, 'must name each type once')),
    }),
  ),
  maxSpeakers: z.optional(
    z
      .int(speakersMessage)
      .check(z.minimum(speakerRange.fewest, speakersMessage), z.maximum(speakerRange.most, speakersMessage)),
  ),
  /** Who is heard on the first and on the second channel of the mixed file. */
  channels: z.optional(
    z
      .array(Identifier)
      .check(
        z.minLength(2, { error: channelsMessage, abort: true }),
        z.maxLength(2, { error: channelsMessage, abort: true }),
        z.refine(isDistinct, 'must name two different participants'),
      ),
  ),
  /** True: the tracks are transcribed. False: the mixed file is, even if there are tracks. */
  tracks: z.optional(z.boolean()),
});
export type TranscriptionOptions = z.infer<typeof TranscriptionOptions>;

/** The name of an option. */
export type OptionName = keyof TranscriptionOptions;
