import type { Speaker } from '#shared/contracts/transcript/speaker.ts';
import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';

/** Who a speaker is, without what follows from the turns. */
export type Voice = Pick<Speaker, 'speaker' | 'participantId' | 'displayName' | 'source' | 'confidence' | 'input'>;

/** A voice that nothing names: what the engine heard as one speaker. */
export function unnamed(speaker: string): Voice {
  return { speaker, participantId: null, displayName: speaker, source: 'recognizer', confidence: null };
}

/** The speakers of these turns that nothing names, in the order of their first turns. */
export function unnamedSpeakers(turns: readonly Turn[]): Voice[] {
  return [...new Set(turns.map(({ speaker }) => speaker))].map(unnamed);
}

/** The voices with how long and how often each one speaks. Turns of one speaker at the same time count once in `overlapSeconds`. */
export function speakersOf(voices: readonly Voice[], turns: readonly Turn[]): Speaker[] {
  const own = Map.groupBy(turns, ({ speaker }) => speaker);
  const overlaps = overlapsOf(turns);
  const spoken = new Map([...own].map(([speaker, some]) => [speaker, sum(some.map(lengthOf))]));
  const all = sum([...spoken.values()]);
  return voices.map((voice) => {
    const some = own.get(voice.speaker) ?? [];
    const spokenSeconds = spoken.get(voice.speaker) ?? 0;
    return {
      ...voice,
      spokenSeconds: rounded(spokenSeconds),
      turns: some.length,
      share: all > 0 ? rounded(spokenSeconds / all) : 0,
      longestTurnSeconds: rounded(some.map(lengthOf).reduce((one, other) => Math.max(one, other), 0)),
      overlapSeconds: rounded(overlaps.get(voice.speaker) ?? 0),
    };
  });
}

/** For each speaker, for how long somebody else speaks at the same time: a sweep over the starts and ends of all turns. */
function overlapsOf(turns: readonly Turn[]): Map<string, number> {
  const edges = turns.flatMap(({ speaker, startSeconds, endSeconds }) => [
    { at: startSeconds, speaker, change: 1 },
    { at: endSeconds, speaker, change: -1 },
  ]);
  const speaking = new Map<string, number>();
  const overlaps = new Map<string, number>();
  let previous = 0;
  for (const { at, speaker, change } of edges.toSorted((one, other) => one.at - other.at)) {
    if (speaking.size > 1 && at > previous)
      for (const one of speaking.keys()) overlaps.set(one, (overlaps.get(one) ?? 0) + at - previous);
    previous = at;
    const open = (speaking.get(speaker) ?? 0) + change;
    if (open === 0) speaking.delete(speaker);
    else speaking.set(speaker, open);
  }
  return overlaps;
}

function lengthOf({ startSeconds, endSeconds }: Turn): number {
  return endSeconds - startSeconds;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** To a thousandth, so that sums of times have no digits that mean nothing. */
function rounded(number: number): number {
  return Math.round(number * 1000) / 1000;
}
