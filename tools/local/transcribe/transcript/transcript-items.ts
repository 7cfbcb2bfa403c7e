import type { PiiEntityType } from '@aws-sdk/client-transcribe';
import type { SpokenWord } from './spoken-words.ts';
import { decimal, type Timed, timesOf } from './transcript-times.ts';

type Redaction = { confidence: string; type: PiiEntityType; category: 'PII' };
type Alternative = { confidence?: string; content: string; redactions?: Redaction[] };

/** The labels of what was said on a channel by a speaker. */
export type Labels = { channel_label?: string; speaker_label?: string };

/** The labels of an item, or of an audio segment. */
export type ItemLabels = Labels & { language_code?: string };

type Pronunciation = ItemLabels &
  Timed & { id: number; type: 'pronunciation'; alternatives: Alternative[]; vocabularyFilterMatch?: true };
type Punctuation = ItemLabels & { id: number; type: 'punctuation'; alternatives: Alternative[] };

/** One word, or one punctuation mark, of a transcript. */
export type Item = Pronunciation | Punctuation;

/** The items of an utterance: its words, the first with a capital letter, and a full stop. */
export function toItems(utterance: readonly SpokenWord[], firstId: number, labels: ItemLabels): Item[] {
  const spoken = utterance.map((word, index) => ({
    ...toPronunciation(word, firstId + index, index === 0),
    ...labels,
  }));
  const stop: Punctuation = {
    id: firstId + spoken.length,
    type: 'punctuation',
    alternatives: [{ confidence: '0.0', content: '.' }],
    ...labels,
  };
  return [...spoken, stop];
}

function toPronunciation(word: SpokenWord, id: number, isFirst: boolean): Pronunciation {
  return {
    id,
    type: 'pronunciation',
    alternatives: [toAlternative(word, isFirst)],
    ...timesOf(word),
    ...(word.isFiltered ? { vocabularyFilterMatch: true } : {}),
  };
}

function toAlternative(word: SpokenWord, isFirst: boolean): Alternative {
  const { redacted: type, shown } = word;
  if (type !== undefined) {
    return { content: shown ?? '', redactions: [{ confidence: '1.0', type, category: 'PII' }] };
  }
  const heard = isFirst || isFirstPerson(word.text) ? capitalise(word.text) : word.text;
  return { confidence: decimal(word.confidence), content: shown ?? heard };
}

const isFirstPerson = (word: string): boolean => word === 'i' || word.startsWith("i'");
const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
