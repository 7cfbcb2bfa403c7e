import type { HeardWord } from './pocketsphinx-output.ts';

/** The times of an item or a segment, as text. */
export type Timed = { start_time: string; end_time: string };

/** The times of a word. */
export const timesOf = (word: Pick<HeardWord, 'startSeconds' | 'endSeconds'>): Timed => ({
  start_time: decimal(word.startSeconds),
  end_time: decimal(word.endSeconds),
});

/** The times from the first word to the last one. */
export function span(utterance: readonly HeardWord[]): Timed {
  return timesOf({
    startSeconds: utterance[0]?.startSeconds ?? 0,
    endSeconds: utterance.at(-1)?.endSeconds ?? 0,
  });
}

/** At most three decimals and at least one, as in Amazon's documents: 4.0, 0.998, 12.34. */
export function decimal(value: number): string {
  const rounded = Math.round(value * 1000) / 1000;
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded);
}
