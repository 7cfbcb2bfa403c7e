import type { Turn } from '../contracts/transcript-document.ts';
import { bleedOf } from './bleed.ts';
import { type SpokenItem, toTurns } from './transcript.ts';

/** The words of one microphone, on the clock of the recording. All of them are the speaker's. */
export type SpokenTrack = { readonly speaker: string; readonly items: readonly SpokenItem[] };

/** So many words are an answer. Fewer are no more than "mhm" or "I see", and do not cut the sentence of the other. */
const wordsOfAnswer = 3;

/**
 * The turns of all tracks, by their start. They may overlap. What a microphone heard of another speaker is in `echoes` instead.
 */
export function mergeTracks(
  tracks: readonly SpokenTrack[],
  languageCode: string | null,
): { readonly turns: Turn[]; readonly echoes: Turn[] } {
  const heard = tracks.map(({ speaker, items }) => items.map((item) => ({ ...item, speaker })));
  const bleed = bleedOf(heard);
  const own = heard.map((items) => items.filter((item) => !bleed.has(item)));
  const turns = own.flatMap((items, index) => toTurns(items, languageCode, answersIn(own.toSpliced(index, 1))));
  const echoes = heard.flatMap((items) =>
    toTurns(
      items.filter((item) => bleed.has(item)),
      languageCode,
    ),
  );
  return { turns: byStart(turns), echoes: byStart(echoes) };
}

/** Whether these others say enough in a pause to answer. */
function answersIn(others: readonly (readonly SpokenItem[])[]): (from: number, to: number) => boolean {
  const starts = others
    .flat()
    .filter(({ kind }) => kind === 'word')
    .map(({ startSeconds }) => startSeconds)
    .toSorted((one, other) => one - other);
  return (from, to) => {
    const answer = starts[firstAtOrAfter(starts, from) + wordsOfAnswer - 1];
    return answer !== undefined && answer < to;
  };
}

/** The index of the first of sorted numbers that is at least `least`. */
function firstAtOrAfter(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function byStart(turns: readonly Turn[]): Turn[] {
  return turns.toSorted((one, other) => one.startSeconds - other.startSeconds || one.endSeconds - other.endSeconds);
}
