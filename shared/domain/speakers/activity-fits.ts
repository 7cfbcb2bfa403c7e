import { lengthOf, overlapsByOffset, type Span } from '../transcript/overlaps.ts';

/** Speakers and people as joined spans on a grid, for a recording that lasts from 0 to `end`. */
export type Activity = {
  readonly speakers: readonly (readonly Span[])[];
  readonly people: readonly (readonly Span[])[];
  readonly end: number;
  /** The feed is compared at each offset from `-range` to `range`. */
  readonly range: number;
};

/** How well a person fits a speaker, by the offset of the feed. Index 0 is the offset `-range`. */
export type Fit = {
  /** From 0, no better than chance, to 1, active whenever the speaker spoke. */
  readonly scores: Float32Array;
  /** The share of the speaker's time during which the person was active. */
  readonly share: (offset: number) => number;
  /** The share of the rest of the recording during which the person was active: what chance gives. */
  readonly chance: (offset: number) => number;
};

/** So many steps of the grid are added to the rest of a recording, half of them active: a short rest tells little. */
const unknownRest = 10;

/**
 * Compares when speakers spoke with when people were active: a row of fits for each speaker. The score is the share of the speaker's
 * time during which the person was active, corrected for chance as Cohen's kappa is: who is always active fits nobody.
 */
export function activityFits({ speakers, people, end, range }: Activity): Fit[][] {
  const wholes = people.map((active) => overlapsByOffset([{ from: 0, to: end }], active, range));
  return speakers.map((spans) => {
    const length = lengthOf(spans);
    return people.map((active, person) => {
      const overlaps = overlapsByOffset(spans, active, range);
      const whole = wholes[person] as Float32Array;
      const share = (offset: number) => at(overlaps, offset) / length;
      const chance = (offset: number) =>
        (at(whole, offset) - at(overlaps, offset) + unknownRest / 2) / (end - length + unknownRest);
      const scores = overlaps.map((_, offset) => corrected(share(offset), chance(offset)));
      return { scores, share, chance };
    });
  });
}

function corrected(share: number, chance: number): number {
  return share > chance ? (share - chance) / (1 - chance) : 0;
}

function at(numbers: Float32Array, index: number): number {
  return numbers[index] as number;
}
