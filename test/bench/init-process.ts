import 'node:async_hooks';
import 'node:fs';
import 'node:http';
import 'node:net';
import 'node:path';
import 'node:util';

// Loads a bundle as Lambda's runtime of Node 24 does: with import(), after the modules above. Prints the time that passed and the processor
// time. Runs as a process of its own, bundled, so that Node need not strip types.

async function main(): Promise<void> {
  const processorBefore = process.cpuUsage();
  const before = performance.now();
  await import(process.argv[2] ?? '');
  const wallMs = performance.now() - before;
  const { user, system } = process.cpuUsage(processorBefore);
  process.stdout.write(`\n${JSON.stringify({ wallMs, processorMs: (user + system) / 1000 })}`);
  process.exit();
}

void main();
