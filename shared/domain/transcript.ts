import type { Turn } from '../contracts/transcript-document.ts';

/** The record that every format is rendered from. */
export type Transcript = {
  /** BCP 47, such as `en-US`; null where the engine named none. */
  readonly languageCode: string | null;
  readonly turns: readonly Turn[];
};

/** A word or a punctuation mark, in the order of speech. A mark has no times of its own. */
export type SpokenItem = {
  readonly kind: 'word' | 'punctuation';
  readonly text: string;
  readonly speaker: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
};

/** A speaker's turn is cut at the end of a sentence once it is longer than this: a screen's worth of a monologue. */
const longTurnSeconds = 20;
/** A silence as long as this ends a turn. */
const pauseSeconds = 3;
const sentenceEnd = /[.?!。？！]$/;
/** Written without spaces between words. */
const unspacedLanguages = /^(ja|zh|yue|th|lo|km|my)\b/;

/** Gathers words into turns: one for each change of speaker, long pause, or long monologue's sentence. */
export function toTurns(items: readonly SpokenItem[], languageCode: string | null): Turn[] {
  const space = unspacedLanguages.test(languageCode ?? '') ? '' : ' ';
  const turns: OpenTurn[] = [];
  for (const item of items) {
    const turn = turns.at(-1);
    if (item.kind === 'punctuation') {
      turn?.pieces.push(item.text);
    } else if (!turn || startsTurn(turn, item)) {
      const { speaker, startSeconds, endSeconds } = item;
      turns.push({ speaker, startSeconds, endSeconds, pieces: [item.text] });
    } else {
      turn.endSeconds = Math.max(turn.endSeconds, item.endSeconds);
      turn.pieces.push(space, item.text);
    }
  }
  return turns.map(({ pieces, ...turn }) => ({ ...turn, text: pieces.join('') }));
}

/** A turn whose text is still in pieces: joining it word by word would take a time that grows with its square. */
type OpenTurn = Pick<Turn, 'speaker' | 'startSeconds'> & { endSeconds: number; readonly pieces: string[] };

function startsTurn(turn: OpenTurn, item: SpokenItem): boolean {
  const otherSpeaker = item.speaker !== turn.speaker;
  const afterPause = item.startSeconds - turn.endSeconds >= pauseSeconds;
  const afterLongSentence =
    item.startSeconds - turn.startSeconds >= longTurnSeconds && sentenceEnd.test(turn.pieces.at(-1) ?? '');
  return otherSpeaker || afterPause || afterLongSentence;
}
