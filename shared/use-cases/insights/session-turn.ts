import type { SessionRecord } from '#shared/domain/insights/insight-records.ts';
import { realPause } from '#shared/runtime/retry.ts';
import { readSessions, type SessionUpdate } from './session-update.ts';

/** How often, and in what intervals, a worker looks whether another one makes progress, before it counts in its place. */
const looks = 8;
const lookEveryMs = 250;

/** The sessions with one id as they are stored when a worker's turn to count has come, and whether it waited for that. */
export type Turn = { readonly stored: readonly SessionRecord[]; readonly hasWaited: boolean };

/** The version of the sessions with one id, and that of their participant lists. Undefined sessions have version 0. */
export function versionsOf(sessions: readonly SessionRecord[]) {
  const latest = (versions: readonly number[]) => Math.max(0, ...versions);
  return {
    version: latest(sessions.map(({ version }) => version)),
    listedVersion: latest(sessions.map(({ listedVersion }) => listedVersion)),
  };
}

/**
 * Waits until the block is counted, or until everything before it is and nobody counts on, or until nobody makes progress. Whoever
 * counts goes on with the blocks that others have stored. To count the same block beside it would only cost both a lost race.
 */
export async function waitForTurn(update: SessionUpdate, block: number): Promise<Turn> {
  const { assertTimeLeft, pause = realPause } = update;
  let lastVersion: number | undefined;
  for (let left = looks; ; left -= 1) {
    assertTimeLeft();
    const stored = await readSessions(update);
    const { version } = versionsOf(stored);
    const hasWaited = lastVersion !== undefined;
    const isMoving = hasWaited && version !== lastVersion;
    if (version >= block || left === 0 || (version === block - 1 && !isMoving)) return { stored, hasWaited };
    if (isMoving) left = looks;
    lastVersion = version;
    await pause(lookEveryMs * (0.5 + Math.random()));
  }
}
