import { createHash } from 'node:crypto';
import type {
  OptionName,
  PiiType,
  TranscriptionOptions,
} from '#shared/contracts/transcriptions/transcription-options.ts';
import type { Issue } from '#shared/runtime/errors.ts';
import { brokenRules, optionIssues } from './option-rules.ts';

/** What holds unless a request or a default says otherwise. */
export const builtInOptions = { language: 'auto', multiLanguage: false, maxSpeakers: 10 } as const;

/** The options that can be defaults. Channels belong to one recording. */
export const defaultableOptions = [
  'language', // before the options that need a language
  'multiLanguage',
  'redact',
  'vocabulary',
  'vocabularyFilter',
  'maxSpeakers',
  'tracks',
] as const satisfies readonly OptionName[];

/** Options that hold where a request does not say otherwise. */
export type OptionDefaults = Pick<TranscriptionOptions, (typeof defaultableOptions)[number]>;

/**
 * The request's options, and those defaults that fit them, field by field. The first defaults count before the others. A default that
 * breaks a rule with what is there is left out. What a default redacts is always redacted, and a request can only add to it. Returns the
 * issues if the request breaks a rule.
 */
export function withDefaults(
  requested: TranscriptionOptions,
  defaults: readonly OptionDefaults[],
): { readonly options: TranscriptionOptions } | { readonly issues: readonly Issue[] } {
  let options = requested;
  for (const layer of defaults)
    for (const name of defaultableOptions)
      if (fits(options, layer, name)) options = { ...options, [name]: layer[name] };
  if (options.redact) options = { ...options, redact: { types: allTypes([options, ...defaults]) } };
  const issues = [...optionIssues(options), ...lostRedaction(requested, options, defaults)];
  return issues.length > 0 ? { issues } : { options };
}

function fits(options: TranscriptionOptions, layer: OptionDefaults, name: keyof OptionDefaults): boolean {
  if (options[name] !== undefined || layer[name] === undefined) return false;
  // A vocabulary has the language that it is a default together with.
  if ((name === 'vocabulary' || name === 'vocabularyFilter') && options.language !== layer.language) return false;
  if (options.channels && (name === 'maxSpeakers' || name === 'tracks')) return false;
  const before = brokenRules(options);
  return brokenRules({ ...options, [name]: layer[name] }).every((rule) => before.includes(rule));
}

/** The types that the request or a default redacts. */
function allTypes(layers: readonly OptionDefaults[]): PiiType[] {
  return [...new Set(layers.flatMap(({ redact }) => redact?.types ?? []))];
}

/** Redaction is the one default that is never left out: then text would be stored that must not be. */
function lostRedaction(
  requested: TranscriptionOptions,
  { redact }: TranscriptionOptions,
  defaults: readonly OptionDefaults[],
): Issue[] {
  if (redact !== undefined || defaults.every((layer) => layer.redact === undefined)) return [];
  const option: OptionName = requested.language === undefined ? 'multiLanguage' : 'language';
  const message = 'excludes redact, which is a default of your organization: set redact and one of its languages';
  return [{ path: `options.${option}`, message }];
}

/** The options in the only form in which they are stored: without what is built in, and lists sorted. Undefined if nothing is left. */
export function canonicalOptions(options: TranscriptionOptions): TranscriptionOptions | undefined {
  const { language, multiLanguage, vocabulary, vocabularyFilter, redact, maxSpeakers, channels, tracks } = options;
  const canonical: TranscriptionOptions = {
    ...(language !== undefined && language !== 'auto' && { language: sortedIfList(language) }),
    ...(multiLanguage && { multiLanguage }),
    ...(vocabulary !== undefined && { vocabulary }),
    ...(vocabularyFilter && { vocabularyFilter: { name: vocabularyFilter.name, method: vocabularyFilter.method } }),
    ...(redact && { redact: { types: redact.types.includes('ALL') ? ['ALL'] : redact.types.toSorted() } }),
    ...(maxSpeakers !== undefined && (channels || maxSpeakers !== builtInOptions.maxSpeakers) && { maxSpeakers }),
    ...(channels && { channels }),
    ...(tracks === false && { tracks }),
  };
  return Object.keys(canonical).length > 0 ? canonical : undefined;
}

function sortedIfList(language: NonNullable<TranscriptionOptions['language']>) {
  return Array.isArray(language) ? language.toSorted() : language;
}

/** The options that took effect, as the API shows them. */
export function shownOptions(
  stored: TranscriptionOptions | undefined,
  isMadeFromTracks: boolean,
): TranscriptionOptions {
  const { maxSpeakers, ...others } = builtInOptions;
  return { ...others, ...(!stored?.channels && { maxSpeakers }), ...stored, tracks: isMadeFromTracks };
}

/** A short hash of stored options. */
export function optionsFingerprint(options: TranscriptionOptions): string {
  return createHash('sha256')
    .update(JSON.stringify(canonicalOptions(options)))
    .digest('base64url')
    .slice(0, 22);
}
