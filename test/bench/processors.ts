import { cpus } from 'node:os';
import type { Finding } from './report.ts';

/** Returns a function that gives the share of busy processor time since this call. */
export function processorsFromNow(): () => number {
  const times = () => {
    const all = cpus().map((cpu) => cpu.times);
    const idle = all.reduce((sum, time) => sum + time.idle, 0);
    return { idle, total: all.flatMap((time) => Object.values(time)).reduce((sum, time) => sum + time, 0) };
  };
  const before = times();
  return () => 1 - (times().idle - before.idle) / (times().total - before.total);
}

/** The row of the load, of which other programs of the machine may be a part. */
export function processorLoad(when: string, busy: number): Finding {
  return {
    goal: `processor load ${when}, with all processes of the machine`,
    figure: `${(busy * 100).toFixed(0)} % busy`,
    spread: `${cpus().length} cores`,
  };
}
