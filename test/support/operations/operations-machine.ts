import type { TestProject } from 'vitest/node';
import { startMachine } from '../shared-machine.ts';

/** Starts the local runner of the tests of commands. It tells no end of a session meanwhile, because tests compare rows before and after a command. */
export default function startOperationsMachine(project: TestProject): Promise<() => Promise<void>> {
  return startMachine(project, { sessionSettleSeconds: '3600' });
}
