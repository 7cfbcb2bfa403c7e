import 'node:async_hooks';
import 'node:fs';
import 'node:http';
import 'node:net';
import 'node:path';
import 'node:util';

// Loads a bundle as Lambda's runtime of Node 24 does: with import(), after the modules above. Prints the processor time. Runs as a process of its own, bundled, so that Node need not strip types.

async function main(): Promise<void> {
  const processorBefore = process.cpuUsage();
  await import(process.argv[2] ?? '');
  const { user, system } = process.cpuUsage(processorBefore);
  process.stdout.write(`\n${JSON.stringify({ processorMs: (user + system) / 1000 })}`);
  process.exit();
}

void main();
