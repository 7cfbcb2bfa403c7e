import type { TranscriptDocument, Turn, Word } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { MissingSpan } from '#shared/contracts/transcriptions/transcription.ts';
import type { Voice } from './speakers.ts';

/** The transcript from which every format is rendered. Only one that is merged from parts has the optional fields. */
export type Transcript = Pick<
  TranscriptDocument,
  'languageCode' | 'recordedSeconds' | 'clockStartDate' | 'approximateTimes'
> & {
  /** All languages, the one that was spoken longest first. Only if several were heard. */
  readonly languages?: readonly string[] | undefined;
  readonly turns: readonly Turn[];
  /** In the order of their first turns. */
  readonly speakers: readonly Voice[];
  readonly missing?: readonly MissingSpan[] | undefined;
  readonly echoes?: readonly Turn[] | undefined;
};

/** What an engine has heard in one file. */
export type Spoken = {
  /** BCP 47, such as `en-US`; null if the engine named no language. */
  readonly languageCode: string | null;
  /** Only if the engine tells how long each language was spoken. */
  readonly languages?: readonly SpokenLanguage[] | undefined;
  readonly items: readonly SpokenItem[];
};

/** A language, and for how long somebody spoke it. */
export type SpokenLanguage = { readonly languageCode: string; readonly seconds: number };

/** A word or a punctuation mark, in the order of speech. A punctuation mark has no times. */
export type SpokenItem = {
  readonly kind: 'word' | 'punctuation';
  readonly text: string;
  readonly speaker: string;
  /** The channel on which it was heard, counted from 0. Only if the engine told the two channels of a file apart. */
  readonly channel?: number | undefined;
  /** Its language, if the engine tells that of each word. */
  readonly languageCode?: string | undefined;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** How sure the engine is of a word, from 0 to 1. Undefined if it does not say. */
  readonly confidence?: number | undefined;
};

/** A turn that is longer than this ends with its sentence, so that a monologue is shown in parts. */
const longTurnSeconds = 20;
/** A pause of this length ends a turn. */
const pauseSeconds = 3;
const sentenceEnd = /[.?!。？！]$/;
/** Languages that are written without spaces between words. */
const unspacedLanguages = /^(ja|zh|yue|th|lo|km|my)\b/;

/** Whether somebody else says something in a pause from one time to another. */
type IsAnswered = (from: number, to: number) => boolean;

/**
 * Joins words into turns. A turn ends when the speaker changes, at a long pause or one in which somebody answers, and at the end of a
 * sentence in a long monologue. `languageCode` is the language of the words that have none of their own.
 */
export function toTurns(
  items: readonly SpokenItem[],
  languageCode: string | null,
  isAnswered: IsAnswered = () => false,
): Turn[] {
  const turns: OpenTurn[] = [];
  let isAfterUnspaced = false;
  for (const item of items) {
    const turn = turns.at(-1);
    const word = turn?.words.at(-1);
    if (item.kind === 'punctuation') {
      if (word) word.text += item.text;
      continue;
    }
    const isUnspaced = unspacedLanguages.test(item.languageCode ?? languageCode ?? '');
    if (!turn || startsTurn(turn, item) || isAnswered(turn.endSeconds, item.startSeconds)) {
      const { speaker, startSeconds, endSeconds } = item;
      turns.push({ speaker, startSeconds, endSeconds, words: [toWord(item)], spaces: [''] });
    } else {
      turn.endSeconds = Math.max(turn.endSeconds, item.endSeconds);
      turn.words.push(toWord(item));
      turn.spaces.push(isUnspaced && isAfterUnspaced ? '' : ' ');
    }
    isAfterUnspaced = isUnspaced;
  }
  return turns.map(({ words, spaces, ...turn }) => {
    const text = words.map((each, index) => `${spaces[index]}${each.text}`).join('');
    return { ...turn, text, words };
  });
}

/** A turn whose text is not joined yet. Joining it word by word would take quadratic time. */
type OpenTurn = Pick<Turn, 'speaker' | 'startSeconds'> & {
  endSeconds: number;
  readonly words: Word[];
  /** What stands before each word. */
  readonly spaces: string[];
};

function toWord({ text, startSeconds, endSeconds, confidence }: SpokenItem): Word {
  return { text, startSeconds, endSeconds, confidence: confidence ?? null };
}

function startsTurn(turn: OpenTurn, item: SpokenItem): boolean {
  const otherSpeaker = item.speaker !== turn.speaker;
  const afterPause = item.startSeconds - turn.endSeconds >= pauseSeconds;
  const afterLongSentence =
    item.startSeconds - turn.startSeconds >= longTurnSeconds && sentenceEnd.test(turn.words.at(-1)?.text ?? '');
  return otherSpeaker || afterPause || afterLongSentence;
}
