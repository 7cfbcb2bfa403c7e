import fc from 'fast-check';
import { anyHistory, type History } from './history.ts';
import type { Played, Problem } from './play.ts';

type Failing = { readonly history: History; readonly problem: Problem };
type PlayHistory = (history: History) => Promise<Played>;

/**
 * Looks for the smallest history that breaks the same invariant: without needless steps and faults, and with simple data. The
 * search for simpler data ends when its time is up.
 */
export async function smallestThatFails(failing: Failing, play: PlayHistory, simplifyMs: number): Promise<Failing> {
  let smallest = failing;
  /** A smaller history must break the same invariant. Otherwise the search could move to another defect. */
  const stillFails = async (history: History): Promise<boolean> => {
    const { problem } = await play(history);
    if (problem?.invariant !== failing.problem.invariant) return false;
    smallest = { history, problem };
    return true;
  };
  await withoutNeedlessParts(failing.history, stillFails);
  await withSimpleData(smallest.history, stillFails, simplifyMs);
  await withoutNeedlessParts(smallest.history, stillFails);
  return smallest;
}

type StillFails = (history: History) => Promise<boolean>;

/** Removes half of the steps, then quarters, and so on, then single faults. */
async function withoutNeedlessParts(history: History, stillFails: StillFails): Promise<void> {
  let left = history;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < left.length; ) {
      const without = left.toSpliced(from, size);
      if (without.length > 0 && (await stillFails(without))) left = without;
      else from += size;
    }
  }
  for (const [index, { faults }] of left.entries()) {
    for (let place = faults.length - 1; place >= 0; place--) {
      const step = left[index];
      const without = step && left.with(index, { ...step, faults: step.faults.toSpliced(place, 1) });
      if (without && (await stillFails(without))) left = without;
    }
  }
}

/** Lets fast-check replace the data of each step by simpler data. It rarely removes a step: it never removes the last one. */
async function withSimpleData(history: History, stillFails: StillFails, limitMs: number): Promise<void> {
  const endsAt = performance.now() + limitMs;
  const fails = async (smaller: History) =>
    smaller === history || (performance.now() < endsAt && (await stillFails(smaller)));
  const property = fc.asyncProperty(anyHistory(1), async (smaller) => {
    if (await fails(smaller)) throw new Error('It still fails.');
  });
  await fc.check(property, { examples: [[history]], numRuns: 1 });
}
