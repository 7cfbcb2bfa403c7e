import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { median } from './quantiles.ts';
import type { Finding, Report } from './report.ts';
import { run } from './start/processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runs = 3;
const goals = { readySeconds: 10, seenSeconds: 3 };

/** Everything that the tests need of a checkout. */
const folders = ['client', 'console', 'docs', 'functions', 'infra', 'operations', 'shared', 'test', 'tools'];
const files = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'cdk.json'];

/** The handler that a developer changes: links are valid for a second more. And the test that sees it. */
const change = {
  handler: 'functions/api/links/follow-access-link/handler.ts',
  from: 'const maxSeconds = 60;',
  to: 'const maxSeconds = 61;',
  test: 'test/unit/http/follow-access-link.test.ts',
};
const isSeen = /Tests +\d+ failed/;
const passes = /Tests +\d+ passed/;

/** Measures how long a developer waits: for `npm start`, and for a test after a change to a handler. */
export async function measureStart(): Promise<Report> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const progress = openProgress(process.stderr);
  const starts: number[] = [];
  for (let index = 0; index < runs; index++) {
    starts.push(await secondsUntilReady());
    progress.show('Starting the service', index + 1, runs);
  }
  const seen = await secondsUntilSeen((done) => progress.show('Running the test', done, runs));
  progress.end();
  return {
    setup:
      `\`npm start -- --no-demo\` starts ${runs} times in a fresh process with an empty data folder, after \`npm ci\` and \`npm run setup\`. Then a constant of ` +
      `\`${change.handler}\` changes ${runs} times, and a fresh \`npm test -- ${change.test}\` reports the failed test. Code that Node has compiled is cached from the run before.`,
    findings: [
      within('`npm start` is ready', starts, goals.readySeconds),
      within('a change to a handler is seen by `npm test -- <file>`', seen, goals.seenSeconds),
    ],
  };
}

async function secondsUntilReady(): Promise<number> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'roomscribe-bench-start-'));
  const startedAt = performance.now();
  const service = run('npm', ['start', '--', '--no-demo', '--port', '0', '--data-dir', dataDir], root);
  try {
    return ((await service.says(/Roomscribe is ready/)) - startedAt) / 1000;
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function secondsUntilSeen(onRun: (done: number) => void): Promise<number[]> {
  const copy = await mkdtemp(path.join(tmpdir(), 'roomscribe-bench-copy-'));
  try {
    for (const each of [...folders, ...files])
      await cp(path.join(root, each), path.join(copy, each), { recursive: true });
    await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    const file = path.join(copy, change.handler);
    const original = await readFile(file, 'utf8');
    const changed = original.replace(change.from, change.to);
    if (changed === original) throw new Error(`${change.handler} does not contain "${change.from}".`);
    await resultOf(copy, passes);
    const seconds: number[] = [];
    for (let index = 0; index < runs; index++) {
      await writeFile(file, changed);
      seconds.push(await resultOf(copy, isSeen));
      await writeFile(file, original);
      onRun(index + 1);
    }
    return seconds;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function resultOf(folder: string, result: RegExp): Promise<number> {
  const startedAt = performance.now();
  const testing = run('npm', ['test', '--', change.test], folder);
  try {
    return ((await testing.says(result)) - startedAt) / 1000;
  } finally {
    await testing.stop();
  }
}

function within(what: string, seconds: readonly number[], limit: number): Finding {
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)];
  return {
    number: 12,
    goal: `${what}: within ${limit} s`,
    figure: `${median(seconds).toFixed(1)} s`,
    spread: `${least.toFixed(1)} to ${most.toFixed(1)} s of ${seconds.length}`,
    isMet: median(seconds) <= limit,
  };
}
