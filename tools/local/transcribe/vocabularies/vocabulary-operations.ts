import type { Operation } from '#tools/local/services/aws-json.ts';
import { ServiceError } from '#tools/local/services/service-error.ts';
import { badRequest } from '../bad-request.ts';
import type { RecordStore } from '../record-store.ts';
import type { Vocabularies, Vocabulary } from './vocabulary.ts';
import {
  type NewVocabulary,
  parseCreateFilter,
  parseCreateVocabulary,
  parseFilterName,
  parseVocabularyName,
} from './vocabulary-requests.ts';

/** How one of the two kinds reads its requests and writes its answers. */
type Kind = {
  readonly noun: string;
  readonly store: RecordStore<Vocabulary>;
  readonly parseCreate: (body: unknown) => NewVocabulary;
  readonly parseName: (body: unknown) => string;
  readonly toWire: (vocabulary: Vocabulary) => object;
};

/** Amazon's text for a name that no vocabulary, or no vocabulary filter, has. */
export const notFound = (noun: string): string =>
  `The requested ${noun} couldn't be found. Check the ${noun} name and try your request again.`;

/** The operations of vocabularies and vocabulary filters by their name in X-Amz-Target. A new vocabulary is ready at once. */
export function createVocabularyOperations({ vocabularies, filters }: Vocabularies, now: () => Date) {
  const vocabulary = operationsOf(now, {
    noun: 'vocabulary',
    store: vocabularies,
    parseCreate: parseCreateVocabulary,
    parseName: parseVocabularyName,
    toWire: ({ name, ...rest }) => ({ VocabularyName: name, VocabularyState: 'READY', ...commonFacts(rest) }),
  });
  const filter = operationsOf(now, {
    noun: 'vocabulary filter',
    store: filters,
    parseCreate: parseCreateFilter,
    parseName: parseFilterName,
    toWire: ({ name, ...rest }) => ({ VocabularyFilterName: name, ...commonFacts(rest) }),
  });
  return new Map<string, Operation>([
    ['Transcribe.CreateVocabulary', vocabulary.create],
    ['Transcribe.GetVocabulary', vocabulary.get],
    ['Transcribe.DeleteVocabulary', vocabulary.remove],
    ['Transcribe.CreateVocabularyFilter', filter.create],
    ['Transcribe.GetVocabularyFilter', filter.get],
    ['Transcribe.DeleteVocabularyFilter', filter.remove],
  ]);
}

function operationsOf(
  now: () => Date,
  { noun, store, parseCreate, parseName, toWire }: Kind,
): Record<'create' | 'get' | 'remove', Operation> {
  // Amazon answers both with BadRequestException, not with NotFoundException, as other clients report.
  const find = (body: unknown): Vocabulary => {
    const vocabulary = store.get(parseName(body));
    if (vocabulary === undefined) throw badRequest(notFound(noun));
    return vocabulary;
  };
  return {
    async create(body) {
      const vocabulary = { ...parseCreate(body), createdAt: now().toISOString() };
      if (store.get(vocabulary.name) !== undefined) {
        const message = `The requested ${noun} name already exists. Use a different ${noun} name.`;
        throw new ServiceError('ConflictException', message);
      }
      await store.save(vocabulary);
      return toWire(vocabulary);
    },
    get: async (body) => toWire(find(body)),
    async remove(body) {
      await store.remove(find(body).name);
      return {};
    },
  };
}

const commonFacts = ({ languageCode, createdAt }: Omit<Vocabulary, 'name'>) => ({
  LanguageCode: languageCode,
  LastModifiedTime: Date.parse(createdAt) / 1000,
});
