import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterAll, beforeEach } from 'vitest';

const { setTimeout } = timers;

/**
 * Ends every pause of `node:timers/promises` at once, for the tests of the file that calls it. Returns the lengths in
 * milliseconds of the pauses that the current test has asked for. Unlike `vi.mock`, it also reaches modules that an
 * earlier test file of the same process has loaded.
 */
export function skipPauses(): readonly number[] {
  const pausesMs: number[] = [];
  replaceSetTimeout(async (ms: number) => void pausesMs.push(ms));
  beforeEach(() => void pausesMs.splice(0));
  afterAll(() => replaceSetTimeout(setTimeout));
  return pausesMs;
}

function replaceSetTimeout(pause: (ms: number) => Promise<unknown>): void {
  Object.assign(timers, { setTimeout: pause });
  syncBuiltinESMExports();
}
