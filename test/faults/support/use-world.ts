import { afterAll, afterEach, beforeEach } from 'vitest';
import { type CapturedLogs, captureLogs } from './captured-logs.ts';
import { expectInvariants } from './invariants.ts';
import { World } from './world.ts';

/**
 * One world for all tests of a file. After each of them it is let come to rest, and asked for every invariant; `rest`
 * does the same in the middle of one, and `logs` is what the test has logged so far.
 */
export async function useWorld() {
  const world = await World.create();
  let captured: CapturedLogs = { text: () => '' };
  const rest = async (): Promise<void> => {
    await world.settle();
    await expectInvariants(world, captured);
  };
  beforeEach(() => {
    captured = captureLogs();
  });
  afterEach(rest);
  afterAll(() => world.stop());
  return { world, rest, logs: { text: () => captured.text() } };
}
