import { readFileSync } from 'node:fs';
import { afterEach } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time in milliseconds that a test file took in its worker and in the processes that the worker started. */
    processorMs?: number;
  }
}

const ticksPerSecond = 100; // Linux reports times in these, whatever the clock of the machine

/** Processor time in milliseconds of this process and of its ended children. */
function processorMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name of the program may hold blanks
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return (ticks * 1000) / ticksPerSecond;
}

const before = processorMs();
afterEach(({ task }) => {
  task.file.meta.processorMs = processorMs() - before;
});
