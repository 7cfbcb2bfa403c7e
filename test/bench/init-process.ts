import 'node:async_hooks';
import 'node:fs';
import 'node:http';
import 'node:net';
import 'node:path';
import 'node:util';

// Loads a bundle as Lambda's runtime of Node 24 does: with import(), after the modules above. With an event, it also calls the
// handler once. Prints the time of both. Runs as a process of its own, bundled, so that Node need not strip types.

const [bundle = '', event] = process.argv.slice(2);

async function main(): Promise<void> {
  const processorBefore = process.cpuUsage();
  const before = performance.now();
  const { handler } = await import(bundle);
  const answer = event && (await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 3_000 }));
  const wallMs = performance.now() - before;
  const { user, system } = process.cpuUsage(processorBefore);
  const sample = { wallMs, processorMs: (user + system) / 1000, statusCode: answer ? answer.statusCode : undefined };
  process.stdout.write(`\n${JSON.stringify(sample)}`);
  process.exit();
}

void main();
