import type { SpokenItem } from '../transcript/transcript.ts';

/** A voice needs at least this part of the words. Engines often give a few words of one person to another speaker. */
const leastShare = 0.1;

/** The voices of a track. Each item of `parts` names its voice as the speaker. */
export type VoicesOfTrack = {
  readonly parts: readonly (readonly SpokenItem[])[];
  /** The number of each voice, counted from 1. Undefined for the voice of a part in which only one speaks. */
  readonly voices: ReadonlyMap<string, number | undefined>;
};

/**
 * Tells apart the voices on one track, such as of a microphone in a meeting room: those that the engine heard in a part with at least a
 * tenth of its words each. The engine labels each part for itself, so nobody knows whether voices of two parts are the same: each has its
 * own number. What a screen plays is one voice.
 */
export function voicesOfTrack(
  key: string,
  parts: readonly (readonly SpokenItem[])[],
  input: 'microphone' | 'screen',
): VoicesOfTrack {
  const voices = new Map<string, number | undefined>();
  let count = 0;
  const labelled = parts.map((items) => {
    const labels = input === 'screen' ? [] : labelsOf(items);
    if (labels.length < 2) {
      voices.set(key, undefined);
      return items.map((item) => ({ ...item, speaker: key }));
    }
    const names = new Map(labels.map((label) => [label, `${key}\n${++count}`]));
    for (const name of names.values()) voices.set(name, Number(name.slice(name.lastIndexOf('\n') + 1)));
    const main = names.get(labels[0] as string) as string;
    return items.map((item) => ({ ...item, speaker: names.get(item.speaker) ?? main }));
  });
  return { parts: labelled, voices };
}

/** The labels with enough words. The one with the most words comes first. */
function labelsOf(items: readonly SpokenItem[]): string[] {
  const words = items.filter(({ kind }) => kind === 'word');
  const counts = [...Map.groupBy(words, ({ speaker }) => speaker)].map(([label, some]) => ({
    label,
    count: some.length,
  }));
  const many = counts.filter(({ count }) => count >= leastShare * words.length);
  return many.toSorted((one, other) => other.count - one.count).map(({ label }) => label);
}
