import fc from 'fast-check';
import { anyHistory, type History } from './history.ts';
import type { Played, Problem } from './play.ts';
import { smallestThatFails } from './smallest.ts';
import { Tally } from './tally.ts';

/** A history that breaks an invariant. The seed alone generates the original history again. */
export type Failure = {
  readonly seed: number;
  readonly problem: Problem;
  readonly history: History;
  readonly originalSteps: number;
};

/** The faults that were reached so far, and the number of histories. */
export type Progress = { readonly tally: Tally; readonly histories: number };

/** What a search has found. */
export type Found = Progress & { readonly failure: Failure | undefined };

/** Plays a history from the start. */
export type PlayHistory = (history: History) => Promise<Played>;

type Options = {
  /** How many faults must be reached. */
  readonly count: number;
  /** How many transitions must have happened as well. */
  readonly transitions?: number;
  /** The seed of the first history. The next history has the next seed. */
  readonly seed: number;
  readonly playHistory: PlayHistory;
  readonly onProgress?: (progress: Progress) => Promise<unknown>;
  /** How long the search for simpler data may take. */
  readonly simplifyMs?: number;
};

const minSteps = 30;
const defaultSimplifyMs = 60_000;
/** Each reaches about 30 faults, so a search that needs more histories for a fault is broken. */
const maxHistoriesWithoutFault = 50;

/** Plays random histories until enough faults were reached, or until one breaks an invariant. Then looks for the smallest one that does. */
export async function search(options: Options): Promise<Found> {
  const { count, transitions = 0, seed, playHistory, onProgress, simplifyMs = defaultSimplifyMs } = options;
  const tally = new Tally();
  for (let histories = 0; ; histories++) {
    const isStuck = histories >= maxHistoriesWithoutFault && tally.total === 0;
    const isEnough = tally.total >= count && (tally.counts.get('transitions') ?? 0) >= transitions;
    if (isEnough || isStuck) return { tally, histories, failure: undefined };
    const history = historyOf(seed + histories);
    const played = await playHistory(history);
    tally.addAll(played.tally);
    await onProgress?.({ tally, histories: histories + 1 });
    if (played.problem) {
      const smallest = await smallestThatFails({ history, problem: played.problem }, playHistory, simplifyMs);
      const failure = { seed: seed + histories, originalSteps: history.length, ...smallest };
      return { tally, histories: histories + 1, failure };
    }
  }
}

/** The history of a seed. */
export function historyOf(seed: number): History {
  return fc.sample(anyHistory(minSteps), { seed, numRuns: 1 })[0] ?? [];
}
