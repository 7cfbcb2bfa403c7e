import type { SpokenItem } from '../transcript/transcript.ts';

/** A loudspeaker is heard by another microphone within this time. Two people who say the same word on purpose are rarely as close. */
export const closeSeconds = 0.5;
/** Words that two microphones heard belong to one run if they follow each other within this time. */
const runSeconds = 2;

type Pair = { readonly one: SpokenItem; readonly other: SpokenItem };

/**
 * The items of tracks that a microphone heard of another speaker, such as from a loudspeaker: the same words within half a second on two
 * tracks. Of each run of such words, those of the track go whose words are less certain.
 */
export function bleedOf(tracks: readonly (readonly SpokenItem[])[]): Set<SpokenItem> {
  const bleed = new Set<SpokenItem>();
  for (const [index, track] of tracks.entries())
    for (const other of tracks.slice(index + 1))
      for (const run of runsOf(pairsOf(track, other)))
        for (const pair of run) bleed.add(isWeaker(run) ? pair.one : pair.other);
  for (const track of tracks) addPunctuation(track, bleed);
  return bleed;
}

/** The words that two tracks have at about the same time, each at most once. */
function pairsOf(track: readonly SpokenItem[], other: readonly SpokenItem[]): Pair[] {
  const [words, candidates] = [track.filter(isWord), other.filter(isWord)];
  const pairs: Pair[] = [];
  let first = 0;
  for (const one of words) {
    while ((candidates[first]?.startSeconds ?? Number.POSITIVE_INFINITY) < one.startSeconds - closeSeconds) first += 1;
    for (let index = first; index < candidates.length; index += 1) {
      const candidate = candidates[index] as SpokenItem;
      if (candidate.startSeconds > one.startSeconds + closeSeconds) break;
      if (plain(candidate.text) !== plain(one.text)) continue;
      pairs.push({ one, other: candidate });
      first = index + 1;
      break;
    }
  }
  return pairs;
}

function runsOf(pairs: readonly Pair[]): Pair[][] {
  const runs: Pair[][] = [];
  for (const pair of pairs) {
    const last = runs.at(-1)?.at(-1);
    if (last && pair.one.startSeconds - last.one.startSeconds < runSeconds) runs.at(-1)?.push(pair);
    else runs.push([pair]);
  }
  return runs;
}

/** Whether the first track of a run is less certain of its words, or equally certain and later: sound takes time to a second microphone. */
function isWeaker(run: readonly Pair[]): boolean {
  const certainty = run.reduce((sum, { one, other }) => sum + (one.confidence ?? 0) - (other.confidence ?? 0), 0);
  const lead = run.reduce((sum, { one, other }) => sum + other.startSeconds - one.startSeconds, 0);
  return certainty < 0 || (certainty === 0 && lead < 0);
}

/** Punctuation goes with the word before it. */
function addPunctuation(track: readonly SpokenItem[], bleed: Set<SpokenItem>): void {
  for (const [index, item] of track.entries()) {
    const previous = track[index - 1];
    if (!isWord(item) && previous && bleed.has(previous)) bleed.add(item);
  }
}

function isWord({ kind }: SpokenItem): boolean {
  return kind === 'word';
}

function plain(text: string): string {
  return text.toLowerCase();
}
