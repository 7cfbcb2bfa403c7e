import 'node:async_hooks';
import 'node:fs';
import 'node:http';
import 'node:net';
import 'node:path';
import 'node:util';

// Loads a bundle as Lambda's runtime of Node 24 does: with import(), after the modules above. With an event, it also calls the
// handler once. Prints the time of both, and the processor time of the call. Runs as a process of its own, bundled, so that Node need
// not strip types.

const [bundle = '', event] = process.argv.slice(2);

async function main(): Promise<void> {
  const processorBefore = process.cpuUsage();
  const before = performance.now();
  const { handler } = await import(bundle);
  const ofLoad = process.cpuUsage(processorBefore);
  const answer = event && (await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 3_000 }));
  const wallMs = performance.now() - before;
  const { user, system } = process.cpuUsage(processorBefore);
  const processorMs = (user + system) / 1000;
  const callMs = processorMs - (ofLoad.user + ofLoad.system) / 1000;
  const sample = { wallMs, processorMs, callMs, statusCode: answer ? answer.statusCode : undefined };
  process.stdout.write(`\n${JSON.stringify(sample)}`);
  process.exit();
}

void main();
