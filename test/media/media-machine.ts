import type { TestProject } from 'vitest/node';
import { startMachine } from '../support/shared-machine.ts';

/** Starts a local runner that accepts recordings of any length. */
export default function startMediaMachine(project: TestProject): Promise<() => Promise<void>> {
  return startMachine(project, { transcriptionMinutesPerDay: '100000' });
}
