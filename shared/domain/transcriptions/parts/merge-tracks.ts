import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import { bleedOf } from '#shared/domain/speakers/bleed.ts';
import { type SpokenItem, toTurns } from '#shared/domain/transcript/transcript.ts';

/** The words of one microphone, on the clock of the recording. A speaker can have several tracks, and a track several speakers. */
export type SpokenTrack = {
  readonly languageCode: string | null;
  readonly items: readonly SpokenItem[];
};

/** So many words are an answer. Fewer are no more than "mhm" or "I see", and do not cut the sentence of the other. */
const wordsOfAnswer = 3;

/**
 * The turns of all tracks, by their start. They may overlap. What a microphone heard of another speaker is in `echoes` instead.
 */
export function mergeTracks(tracks: readonly SpokenTrack[]): { readonly turns: Turn[]; readonly echoes: Turn[] } {
  const bleed = bleedOf(tracks.map(({ items }) => items));
  const own = tracks.map((track) => ({ ...track, items: track.items.filter((item) => !bleed.has(item)) }));
  const starts = sortedStarts(own.flatMap(({ items }) => items));
  const turns = own.flatMap(({ items, languageCode }) =>
    toTurns(items, languageCode, answersIn(starts, sortedStarts(items))),
  );
  const echoes = tracks.flatMap((track) =>
    toTurns(
      track.items.filter((item) => bleed.has(item)),
      track.languageCode,
    ),
  );
  return { turns: byStart(turns), echoes: byStart(echoes) };
}

function sortedStarts(items: readonly SpokenItem[]): Float64Array {
  return Float64Array.from(items.filter(({ kind }) => kind === 'word').map(({ startSeconds }) => startSeconds)).sort();
}

/** Whether others say enough in a pause to answer: the words of all without one's own. */
function answersIn(all: Float64Array, own: Float64Array): (from: number, to: number) => boolean {
  const wordsIn = (starts: Float64Array, from: number, to: number) =>
    firstAtOrAfter(starts, to) - firstAtOrAfter(starts, from);
  return (from, to) => wordsIn(all, from, to) - wordsIn(own, from, to) >= wordsOfAnswer;
}

/** The index of the first of sorted numbers that is at least `least`. */
function firstAtOrAfter(numbers: Float64Array, least: number): number {
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
