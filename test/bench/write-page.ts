import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { pageWith, pageWithTotal, type Stamp } from './page.ts';
import type { Report } from './report.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = `${root}docs/performance.md`;

/** Replaces a benchmark's section in docs/performance.md, and with it the table of the goals. Leaves the other sections unchanged. */
export async function writeSection(name: string, report: Report, tookMs: number): Promise<void> {
  const page = await readFile(file, 'utf8').catch(() => undefined); // it does not exist yet
  await writeFile(file, pageWith(page, name, report, stampOf(tookMs)));
}

/** Says in docs/performance.md that one run has measured all of it, and how long the run took. */
export async function writeTotal(tookMs: number): Promise<void> {
  await writeFile(file, pageWithTotal(await readFile(file, 'utf8'), stampOf(tookMs)));
}

/** A duration in seconds, or in minutes and tenths if it is longer. */
export function durationOf(milliseconds: number): string {
  return milliseconds < 100_000 ? `${Math.round(milliseconds / 1000)} s` : `${(milliseconds / 60_000).toFixed(1)} min`;
}

function stampOf(tookMs: number): Stamp {
  const { length, 0: cpu } = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(),
    machine: `${length} cores (${cpu?.model.trim()}), Node ${process.version}`, // the commit says the versions of packages
    took: durationOf(tookMs),
  };
}

/** The commit of the checkout, and whether it has changes. This page itself changes while benchmarks run. */
function commitOf(): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', '.', ':!docs/performance.md') !== '';
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? ' with changes' : ''}`;
}
