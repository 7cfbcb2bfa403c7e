import type { Fit } from './activity-fits.ts';
import { type Assignment, bestAssignment } from './best-assignment.ts';

/** The offset at which a feed fits best, and the person of each speaker there. */
export type FittedOffset = {
  readonly offset: number;
  /** The index of each speaker's person, or -1. */
  readonly personOf: Int32Array;
  /** The speakers who would get another name at another offset that fits about as well. */
  readonly doubtful: ReadonlySet<number>;
};

/** What is compared: the fits and the length of each speaker, and who may be whom. */
export type Comparison = {
  readonly fits: readonly (readonly Fit[])[];
  readonly lengths: readonly number[];
  readonly mayBe: (speaker: number, person: number) => boolean;
};

/**
 * Finds the offset whose best assignment explains the most speech. Another offset with other names fits about as well if what it can
 * explain is less by less than the share `doubt` of the speech that would get another name. There, two speakers may be one person: an
 * assignment explains only one half of a person whom the recognizer has split.
 */
export function fitOffset(comparison: Comparison, doubt: number): FittedOffset {
  const { lengths } = comparison;
  const bounds = boundsOf(comparison);
  const order = [...bounds.keys()].toSorted((one, other) => boundAt(bounds, other) - boundAt(bounds, one));
  const assigned = new Map<number, Assignment>();
  let best: Assignment & { readonly offset: number } = {
    offset: order[0] ?? 0,
    columnOf: new Int32Array(lengths.length).fill(-1),
    total: 0,
  };
  const slack = doubt * lengths.reduce((sum, length) => sum + length, 0);
  for (const offset of order) {
    if (boundAt(bounds, offset) < best.total - slack) break; // nor does any later one fit about as well
    const assignment = assignAt(comparison, offset);
    assigned.set(offset, assignment);
    if (assignment.total > best.total) best = { offset, ...assignment };
  }
  const doubtful = new Set<number>();
  for (const [offset, { columnOf }] of assigned) {
    const others = lengths.flatMap((_, speaker) => (columnOf[speaker] === best.columnOf[speaker] ? [] : [speaker]));
    const changed = others.reduce((sum, speaker) => sum + (lengths[speaker] ?? 0), 0);
    if (boundAt(bounds, offset) > best.total - doubt * changed) for (const speaker of others) doubtful.add(speaker);
  }
  return { offset: best.offset, personOf: best.columnOf, doubtful };
}

/** No assignment at an offset explains more than this: every speaker's best person, whoever else has the same one. */
function boundsOf({ fits, lengths, mayBe }: Comparison): Float64Array {
  const bounds = new Float64Array(fits[0]?.[0]?.scores.length ?? 0);
  for (const [speaker, row] of fits.entries()) {
    const highest = new Float32Array(bounds.length);
    for (const [person, { scores }] of row.entries())
      if (mayBe(speaker, person))
        for (let offset = 0; offset < highest.length; offset += 1)
          if (boundAt(scores, offset) > boundAt(highest, offset)) highest[offset] = boundAt(scores, offset);
    for (let offset = 0; offset < bounds.length; offset += 1)
      bounds[offset] = boundAt(bounds, offset) + boundAt(highest, offset) * (lengths[speaker] ?? 0);
  }
  return bounds;
}

function assignAt({ fits, lengths, mayBe }: Comparison, offset: number): Assignment {
  const worths = fits.map((row, speaker) =>
    row.map(({ scores }, person) => (mayBe(speaker, person) ? boundAt(scores, offset) * (lengths[speaker] ?? 0) : 0)),
  );
  return bestAssignment(fits.length, fits[0]?.length ?? 0, (speaker, person) => worths[speaker]?.[person] ?? 0);
}

function boundAt(numbers: Float32Array | Float64Array, offset: number): number {
  return numbers[offset] ?? 0;
}
