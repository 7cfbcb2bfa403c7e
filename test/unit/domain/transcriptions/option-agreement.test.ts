import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateVocabularyCommand,
  CreateVocabularyFilterCommand,
  DeleteVocabularyCommand,
  DeleteVocabularyFilterCommand,
  type LanguageCode,
  StartTranscriptionJobCommand,
  TranscribeClient,
} from '@aws-sdk/client-transcribe';
import { beforeAll, expect, test } from 'vitest';
import { transcribeSettings } from '#shared/adapters/transcriptions/transcribe-settings.ts';
import {
  languageCodes,
  piiTypes,
  TranscriptionOptions,
} from '#shared/contracts/transcriptions/transcription-options.ts';
import { optionRules } from '#shared/domain/transcriptions/option-rules.ts';
import { ServiceError } from '#tools/local/services/service-error.ts';
import { parseStartRequest } from '#tools/local/transcribe/requests.ts';
import { startTranscribe } from '#tools/local/transcribe/start-transcribe.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { type AnyOptions, anyOptions } from '../../../support/transcriptions/any-options.ts';

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const combinations = 10_000;

/** What the options break on our side: a field by its own schema, or a rule between fields. */
type Break = { readonly name: string; readonly isOurs: (options: AnyOptions) => boolean };

const listOf = ({ language }: AnyOptions): readonly string[] => (Array.isArray(language) ? language : []);
const isKnown = (values: readonly string[], known: readonly string[]) => values.every((value) => known.includes(value));
const distinct = (values: readonly string[]) => new Set(values).size;
const typesOf = ({ redact }: AnyOptions): readonly string[] => (redact as { types: string[] } | undefined)?.types ?? [];

/**
 * What only this service refuses, by the name of the break. Transcribe takes the parameters that these options make, so the local one must.
 */
const notOfTranscribe: readonly (Break & { readonly why: string })[] = [
  { name: 'speed', isOurs: () => true, why: 'an option that does not exist' },
  { name: 'channels', isOurs: () => true, why: 'channels that are not two different participants' },
  { name: 'channels and tracks', isOurs: () => true, why: 'channels of a recording that is transcribed from tracks' },
  {
    name: 'language',
    isOurs: (options) =>
      isKnown(listOf(options), languageCodes) && listOf(options).length > 5 && distinct(listOf(options)) > 1,
    why: 'more than five languages, which Amazon does not recommend and does not refuse',
  },
  {
    name: 'language and itself',
    isOurs: (options) => distinct(listOf(options)) > 1,
    why: 'two dialects of a language, or a code twice beside another. Amazon refuses dialects in streams only',
  },
  ...['vocabulary and language', 'vocabularyFilter and language'].map((name) => ({
    name,
    isOurs: (options: AnyOptions) => distinct(listOf(options)) > 1 && distinct(listOf(options)) <= 5,
    why: 'one vocabulary or filter for several languages, which Amazon applies to none but its own, without an error',
  })),
  {
    name: 'redact',
    isOurs: (options) => isKnown(typesOf(options), piiTypes),
    why: 'no type to redact, or a type twice',
  },
];

const nameOf = ({ option, other }: (typeof optionRules)[number]) => `${option} and ${other ?? 'itself'}`;

/** What these options break: each field and each rule by its name. */
function breaksOf(options: AnyOptions): string[] {
  const issues = TranscriptionOptions.safeParse(options).error?.issues ?? [];
  const fields = issues.map((issue) => String(issue.code === 'unrecognized_keys' ? issue.keys[0] : issue.path[0]));
  const broken = optionRules.filter(({ isBroken }) => isBroken(options as TranscriptionOptions));
  return [...new Set(fields), ...broken.map(nameOf)];
}

const isOfTranscribe = (name: string, options: AnyOptions): boolean =>
  !notOfTranscribe.some((own) => own.name === name && own.isOurs(options));

/** The request that the service would send with these options, refused or not. */
const requestOf = (options: AnyOptions) => ({
  TranscriptionJobName: 'job',
  Media: { MediaFileUri: 's3://recordings/one.wav' },
  OutputBucketName: 'transcripts',
  OutputKey: 'one.json',
  ...transcribeSettings(options as TranscriptionOptions),
});

/** What the local Transcribe says against these options, as JSON brings them to it. Undefined if it accepts them. */
function refusalOf(options: AnyOptions): string | undefined {
  const body: unknown = JSON.parse(JSON.stringify(requestOf(options)));
  try {
    parseStartRequest(body);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'BadRequestException') return error.message;
    throw error;
  }
}

/** A combination, what it breaks on our side, and what the local Transcribe says against it. */
type Case = { readonly options: AnyOptions; readonly breaks: readonly string[]; readonly refusal: string | undefined };

/** Why both sides disagree about a combination. Undefined if they agree. */
function disagreement({ options, breaks, refusal }: Case): string | undefined {
  const ofTranscribe = breaks.filter((name) => isOfTranscribe(name, options));
  if (ofTranscribe.length > 0 === (refusal !== undefined)) return undefined;
  const shown = JSON.stringify(options).slice(0, 500);
  return refusal === undefined
    ? `Our side refuses ${shown} because of ${ofTranscribe}. The local Transcribe accepts it.`
    : `Our side accepts ${shown}. The local Transcribe refuses it: ${refusal.slice(0, 200)}`;
}

let cases: Case[];
beforeAll(() => {
  const all = Array.from({ length: combinations }, (_, number) => anyOptions(seed, number));
  cases = all.map((options) => ({ options, breaks: breaksOf(options), refusal: refusalOf(options) }));
});

test(`both sides agree about ${combinations} combinations of options (FUZZ_SEED=${seed})`, () => {
  expect(cases.flatMap((one) => disagreement(one) ?? []).slice(0, 5)).toEqual([]);
});

test(`a quarter to a half of the combinations is accepted, and each field and each rule is broken (FUZZ_SEED=${seed})`, () => {
  const accepted = cases.filter(({ breaks }) => breaks.length === 0).length;
  expect(accepted).toBeGreaterThan(combinations / 4);
  expect(accepted).toBeLessThan(combinations / 2);
  const cannotBreak = ['multiLanguage', 'tracks']; // true or false
  const fields = Object.keys(TranscriptionOptions.shape).filter((name) => !cannotBreak.includes(name));
  const broken = new Set(cases.flatMap(({ breaks }) => breaks));
  expect([...broken].sort()).toEqual([...fields, ...optionRules.map(nameOf), 'speed'].sort());
});

test(`what is listed as refused by this service alone is accepted by the local Transcribe (FUZZ_SEED=${seed})`, () => {
  for (const { name, isOurs, why } of notOfTranscribe) {
    const alone = cases.filter(({ options, breaks }) => String(breaks) === name && isOurs(options));
    expect(alone.length, why).toBeGreaterThan(0);
    expect(
      alone.flatMap(({ refusal }) => refusal ?? []),
      why,
    ).toEqual([]);
  }
});

test(`without any one rule of Transcribe in our table, both sides disagree (FUZZ_SEED=${seed})`, () => {
  const ofTranscribe = optionRules.map(nameOf).filter((name) => name !== 'channels and tracks');
  for (const removed of ofTranscribe) {
    const isMissed = cases.some(({ breaks, ...one }) => {
      const left = breaks.filter((name) => name !== removed);
      return left.length < breaks.length && disagreement({ ...one, breaks: left }) !== undefined;
    });
    expect(isMissed, removed).toBe(true);
  }
});

test(`the local Transcribe says the same over HTTP to the client of AWS (FUZZ_SEED=${seed})`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'option-agreement-'));
  const server = await startTranscribe({
    ...{ port: 0, host: '127.0.0.1', dataDir, s3Url: 'http://127.0.0.1:9', region: 'us-east-1' },
    emit: async () => undefined,
    createTranscriber: () => async () => ({ languageCode: 'en-US', mediaFormat: 'wav', transcriptUri: '' }),
    log: () => undefined,
  });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new TranscribeClient({ endpoint: server.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  const random = createRandom(seed, 'http');
  const shuffled = random.shuffled(cases);
  const some = [true, false].flatMap((isRefused) =>
    shuffled.filter(({ refusal }) => (refusal !== undefined) === isRefused).slice(0, 24),
  );
  for (const [number, { options, refusal }] of some.entries()) {
    const request = { ...requestOf(options), TranscriptionJobName: `job-${number}` };
    const remove = refusal === undefined ? await createVocabularies(client, options, request.LanguageCode) : undefined;
    const answer = client.send(new StartTranscriptionJobCommand(request)).then(
      () => undefined,
      (error: Error) => `${error.name}: ${error.message}`,
    );
    expect(await answer, JSON.stringify(options)).toBe(refusal && `BadRequestException: ${refusal}`);
    await remove?.();
  }
  client.destroy();
  await server.stop();
  await rm(dataDir, { recursive: true });
});

/** Creates the vocabulary and the filter that the options name, in this language. Returns how to delete them. */
async function createVocabularies(client: TranscribeClient, options: AnyOptions, code: LanguageCode = 'en-US') {
  const { vocabulary: VocabularyName, vocabularyFilter } = options as TranscriptionOptions;
  const VocabularyFilterName = vocabularyFilter?.name;
  const entries = { LanguageCode: code, Phrases: ['word'], Words: ['word'] };
  if (VocabularyName) await client.send(new CreateVocabularyCommand({ ...entries, VocabularyName }));
  if (VocabularyFilterName) await client.send(new CreateVocabularyFilterCommand({ ...entries, VocabularyFilterName }));
  return async (): Promise<void> => {
    if (VocabularyName) await client.send(new DeleteVocabularyCommand({ VocabularyName }));
    if (VocabularyFilterName) await client.send(new DeleteVocabularyFilterCommand({ VocabularyFilterName }));
  };
}
