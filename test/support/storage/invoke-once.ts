import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// Loads a bundled function, invokes it once with an event, and prints the status of its answer, or how many of its messages
// failed, and the peak of the process's memory. Runs as a process of its own.

const [bundle = '', eventFile = ''] = process.argv.slice(2);
const { handler } = createRequire(import.meta.url)(bundle);
const event = JSON.parse(readFileSync(eventFile, 'utf8'));
const { statusCode, batchItemFailures } = await handler(event, { getRemainingTimeInMillis: () => 600_000 });
const peakMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ statusCode, failed: batchItemFailures?.length, peakMb }));
process.exit();
