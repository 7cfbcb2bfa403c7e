import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '#tools/shared/run-command.ts';
import { plantedDefects } from './defects.ts';

type Defect = (typeof plantedDefects)[number];

/** Everything that a local runner and the fuzzer of events need. */
const parts = ['client', 'console', 'docs', 'functions', 'infra', 'operations', 'shared', 'test', 'tools'];
const files = ['LICENSE', 'README.md', 'cdk.json', 'package.json', 'tsconfig.json'];

await runCommand(async () => {
  const [only] = process.argv.slice(2);
  const missed: string[] = [];
  for (const defect of plantedDefects.filter(({ name }) => only === undefined || name.includes(only))) {
    const failure = await failureWith(defect);
    process.stdout.write(`${defect.name}: ${failure ?? 'NOT FOUND'}\n`);
    if (failure === undefined) missed.push(defect.name);
  }
  if (missed.length > 0) throw new Error(`The fuzzer of events passes with: ${missed.join('; ')}`);
});

/** Runs the fuzzer of events in a copy of the product with this defect. Returns the first test that fails, and undefined if all pass. */
async function failureWith({ file, from, to }: Defect): Promise<string | undefined> {
  const copy = mkdtempSync(path.join(tmpdir(), 'roomscribe-planted-'));
  try {
    for (const each of [...parts, ...files]) cpSync(each, path.join(copy, each), { recursive: true });
    symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
    const source = readFileSync(path.join(copy, file), 'utf8');
    if (source.split(from).length !== 2) throw new Error(`${file} does not contain this text once: ${from}`);
    writeFileSync(
      path.join(copy, file),
      source.replace(from, () => to),
    );
    const { status, output } = await runFuzzer(copy);
    if (status === 0) return undefined;
    const failed = /FAIL .*/.exec(output)?.[0];
    // That too few events meet is said by another test, whatever the defect.
    if (!failed?.includes('events.test.ts > ') || failed.includes('> break each constraint'))
      throw new Error(`The fuzzer found something else:\n${output.slice(-3000)}`);
    return failed;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Runs it with few events, and until the first test fails. */
async function runFuzzer(folder: string): Promise<{ readonly status: number | null; readonly output: string }> {
  const env = { ...process.env, FUZZ_SEED: '3', FUZZ_EVENTS: '500', FUZZ_PATIENCE_SECONDS: '15', NO_COLOR: '1' };
  const run = [
    ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/fuzz/vitest.config.ts'],
    ...['--bail', '1', 'test/fuzz/events.test.ts'],
  ];
  const fuzzer = spawn(process.execPath, run, { cwd: folder, env });
  let output = '';
  for (const stream of [fuzzer.stdout, fuzzer.stderr])
    stream.on('data', (text) => {
      output += String(text);
    });
  return new Promise((resolve, reject) => {
    fuzzer.on('error', reject);
    fuzzer.on('close', (status) => resolve({ status, output }));
  });
}
