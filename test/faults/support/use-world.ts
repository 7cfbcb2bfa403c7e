import { afterAll, afterEach, beforeEach } from 'vitest';
import { type CapturedLogs, captureLogs } from './captured-logs.ts';
import type { WorldSettings } from './functions.ts';
import { expectInvariants } from './transcriptions/invariants.ts';
import { World } from './world.ts';

/**
 * Creates one world for all tests of a file. After each test, the world comes to rest, every invariant is checked, and the world is emptied.
 * `rest` does the same within a test, and `logs` has the test's log output so far.
 */
export async function useWorld(settings: WorldSettings = {}) {
  const world = await World.create(settings);
  let captured: Pick<CapturedLogs, 'text'> = { text: () => '' };
  const rest = async (): Promise<void> => {
    await world.settle();
    await expectInvariants(world, captured);
  };
  beforeEach(() => {
    captured = captureLogs();
  });
  afterEach(async () => {
    try {
      await rest();
    } finally {
      await world.empty(); // the checks read all that is there, and a test that failed does not fail the next one
    }
  });
  afterAll(() => world.stop());
  return { world, rest, logs: { text: () => captured.text() } };
}
