import { rmSync } from 'node:fs';
import { startRunner } from '#tools/local/runner.ts';
import type { BenchOptions } from './local-runner.ts';

// Runs the local runner in its own process, so that the benchmark does not share its event loop. Ends with its parent
// or on a signal, and deletes its data directory.

const [dataDir = '', options = '{}'] = process.argv.slice(2);
const { context, ...others }: BenchOptions = JSON.parse(options);
const stopping = new AbortController();
const { signal } = stopping;
const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
for (const event of ['disconnect', 'SIGINT', 'SIGTERM', 'SIGHUP']) process.on(event, () => stopping.abort());
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));

try {
  const onProgress = (text: string) => process.stderr.write(`${text} ...\n`);
  const runner = await startRunner({
    port: 0,
    dataDir,
    context: { bulkDeleteIdsPerHour: '1000000', transcriptionMinutesPerDay: '100000000', ...context },
    ...others,
    onProgress,
    signal,
  });
  process.on('message', () => process.send?.(process.memoryUsage.rss())); // whenever it is asked
  process.send?.(runner.endpoints);
  await stopped;
  await runner.stop();
} catch (error) {
  if (!signal.aborted) throw error;
}
process.exit();
