import type { VocabularyFilterMethod } from '@aws-sdk/client-transcribe';
import { mapUtterances, type Speech, type SpokenWord } from './spoken-words.ts';

/**
 * Applies a vocabulary filter to the words that match it exactly, without regard to case.
 * https://docs.aws.amazon.com/transcribe/latest/dg/vocabulary-filtering.html
 */
export function filterWords(speech: Speech, words: ReadonlySet<string>, method: VocabularyFilterMethod): Speech {
  if (words.size === 0) return speech;
  return mapUtterances(speech, (utterance) =>
    utterance.flatMap((word) => (words.has(word.text.toLowerCase()) ? FILTERED[method](word) : [word])),
  );
}

const FILTERED: Record<VocabularyFilterMethod, (word: SpokenWord) => SpokenWord[]> = {
  mask: (word) => [{ ...word, shown: '***' }],
  remove: () => [],
  tag: (word) => [{ ...word, isFiltered: true }],
};
