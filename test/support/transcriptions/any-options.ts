import { LanguageCode, PiiEntityType, VocabularyFilterMethod } from '@aws-sdk/client-transcribe';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { createRandom, type Random } from '#tools/simulation/random.ts';

/** The options of a request, right or wrong. Each value has the JSON type of its field: another one never reaches Transcribe. */
export type AnyOptions = { readonly [name in keyof TranscriptionOptions]?: unknown } & {
  readonly [other: string]: unknown;
};

type List = readonly [string, ...string[]];
const codes = Object.values(LanguageCode) as unknown as List;
const types = Object.values(PiiEntityType) as unknown as List;
const methods = Object.values(VocabularyFilterMethod) as unknown as List;
const redactable: List = ['en-US', 'es-US', 'fr-FR', 'fr-CA', 'de-DE', 'de-CH', 'it-IT', 'pt-PT', 'pt-BR'];
const notCodes: List = ['en', 'EN-us', 'xx-XX', '', 'en_US', 'auto '];
const names: List = ['terms', 'a', '.', '..', 'A-9._', 'x'.repeat(200)];
const notNames: List = ['', 'x'.repeat(201), 'two words', 'straße', 'a/b', 'line\n'];

/** Options of this number of this seed. Each field is missing, right, at a bound, or wrong. */
export function anyOptions(seed: number, number: number): AnyOptions {
  const random = createRandom(seed, number);
  const sometimes = (chance: number, value: () => object): object => (random.chance(chance) ? value() : {});
  return {
    ...sometimes(0.85, () => ({ language: anyLanguage(random) })),
    ...sometimes(0.25, () => ({ multiLanguage: random.chance(0.7) })),
    ...sometimes(0.25, () => ({ vocabulary: anyName(random) })),
    ...sometimes(0.25, () => ({ vocabularyFilter: anyFilter(random) })),
    ...sometimes(0.3, () => ({ redact: { types: anyTypes(random) } })),
    ...sometimes(0.4, () => ({ maxSpeakers: anySpeakers(random) })),
    ...sometimes(0.2, () => ({ channels: anyChannels(random) })),
    ...sometimes(0.2, () => ({ tracks: random.chance(0.5) })),
    ...sometimes(0.02, () => ({ speed: 2 })),
  };
}

const anyCode = (random: Random): string => random.pick(random.chance(0.5) ? redactable : codes);
const manyOf = (random: Random, most: number, value: () => string): string[] =>
  Array.from({ length: random.integer(0, most) }, value);

function anyLanguage(random: Random): unknown {
  const kinds = {
    auto: () => 'auto',
    code: () => anyCode(random),
    languages: () => distinctLanguages(random, random.integer(2, 5)),
    boundary: () => distinctLanguages(random, random.pick([0, 1, 2, 5, 6, 7])),
    dialects: () => random.shuffled(codes.filter((code) => /^(en|es|pt)-/.test(code))).slice(0, random.integer(2, 6)),
    twice: () => Array(random.integer(2, 3)).fill(anyCode(random)),
    any: () => manyOf(random, 6, () => anyCode(random)),
    wrongCode: () => random.pick(notCodes),
    wrongInList: () => random.shuffled([random.pick(notCodes), ...distinctLanguages(random, random.integer(1, 4))]),
    autoInList: () => ['auto', anyCode(random)],
  };
  if (random.chance(0.5)) return kinds.code();
  return random.pick(Object.values(kinds) as [() => unknown])();
}

function distinctLanguages(random: Random, count: number): string[] {
  const byLanguage = new Map(random.shuffled(codes).map((code) => [code.split('-')[0], code]));
  return [...byLanguage.values()].slice(0, count);
}

const anyName = (random: Random): string => random.pick(random.chance(0.85) ? names : notNames);

function anyFilter(random: Random): object {
  const filter = { name: anyName(random), method: random.chance(0.9) ? random.pick(methods) : 'hide' };
  if (random.chance(0.08)) return { name: filter.name };
  return random.chance(0.08) ? { method: filter.method } : filter;
}

function anyTypes(random: Random): string[] {
  if (random.chance(0.3)) return ['ALL'];
  if (random.chance(0.1)) return [...types];
  const some = random.shuffled(types).slice(0, random.integer(0, 6));
  if (random.chance(0.1)) return random.shuffled([...some, random.pick(['SHOE_SIZE', 'name', ''])]);
  return random.chance(0.1) ? [...some, ...some] : some;
}

const anySpeakers = (random: Random): number =>
  random.chance(0.75) ? random.integer(2, 30) : random.pick([-1, 0, 1, 2, 2.5, 30, 31, 1000]);

function anyChannels(random: Random): string[] {
  if (random.chance(0.7)) return ['p-1', 'p-2'];
  return random.pick([[], ['p-1'], ['p-1', 'p-1'], ['p-1', 'p-2', 'p-3'], ['', 'p-2']]);
}
