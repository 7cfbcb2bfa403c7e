import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundleOptions } from '#infra/bundling/bundling.ts';
import { median } from '../quantiles.ts';

const program = fileURLToPath(new URL('invoke-often.ts', import.meta.url));
const processes = 3;

/** What a warm invocation takes: processor time, the calls that it waits for one after the other, and the peak of the memory. */
export type Invoked = { readonly cpuMs: number; readonly rounds: number; readonly peakMb: number };

/** The medians of several processes, the processor time in each, and the number of all invocations, also of those that warm up. */
export type MeasuredFunction = Invoked & { readonly cpuOfProcesses: readonly number[]; readonly invocations: number };

/** A bundled function, the events with which it is invoked, and how many of them warm a process up and are measured. */
export type Invocations = {
  readonly folder: string;
  readonly nextEvent: () => object;
  readonly env: Readonly<Record<string, string>>;
  readonly warmUps: number;
  readonly measured: number;
};

/** Bundles a function as the stack does, and invokes it in fresh processes. */
export async function measureFunction({ folder, nextEvent, env, ...counts }: Invocations): Promise<MeasuredFunction> {
  const directory = await mkdtemp(path.join(tmpdir(), 'roomscribe-bench-function-'));
  try {
    const entryPoints = [`functions/${folder}/index.ts`];
    await build({ ...bundleOptions, entryPoints, outdir: directory, write: true });
    const [bundle, file] = [path.join(directory, 'index.js'), path.join(directory, 'events.json')];
    const invocations = counts.warmUps + counts.measured;
    const results: Invoked[] = [];
    for (let count = 0; count < processes; count++) {
      await writeFile(file, JSON.stringify(Array.from({ length: invocations }, nextEvent)));
      const run = promisify(execFile)(process.execPath, [program, bundle, file, String(counts.warmUps)], { env });
      results.push(JSON.parse((await run).stdout));
    }
    const middle = (name: keyof Invoked) => median(results.map((result) => result[name]));
    return {
      ...{ cpuMs: middle('cpuMs'), rounds: middle('rounds'), peakMb: middle('peakMb') },
      cpuOfProcesses: results.map(({ cpuMs }) => cpuMs),
      invocations: processes * invocations,
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}
