import { deadlines } from '../deadlines.ts';

/** After so many turns in a row that stored no part, the files are given up. */
export const mostIdleTurns = 3;

/** A turn of preparing a work. Only the run that has it prepares anything, so two messages never prepare the same. */
export type WorkTurn = {
  /** Changes whenever another turn begins. A message that names it goes on with the work at once. */
  readonly turnId: string;
  /** Until then only such a message begins another turn. A run that was killed has ended by then. */
  readonly until: string;
  /** How many parts were stored when it began. */
  readonly storedParts: number;
  /** How many turns have begun since a part was last stored, including this one. A turn that was killed counts, too. */
  readonly attempts: number;
};

/** What a run that asks for a turn knows: the id for its turn, and the one that its message names. */
export type TurnRequest = {
  readonly turnId: string;
  readonly asked: string | undefined;
  readonly storedParts: number;
  readonly now: Date;
};

/** The turn that may begin after the stored one. Undefined if that one still runs, or waits for its own next message. */
export function turnAfter(
  stored: WorkTurn | undefined,
  { turnId, asked, storedParts, now }: TurnRequest,
): WorkTurn | undefined {
  if (stored && stored.turnId !== asked && now.toISOString() < stored.until) return undefined;
  const attempts = stored?.storedParts === storedParts ? stored.attempts + 1 : 1;
  return { turnId, until: deadlines.leftPreparation(now), storedParts, attempts };
}

/** True if the turns before this one have shown that the work does not get any further. */
export function isLastAttempt({ attempts }: Pick<WorkTurn, 'attempts'>): boolean {
  return attempts > mostIdleTurns;
}
