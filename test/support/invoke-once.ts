import { createRequire } from 'node:module';

// Loads a bundled function, invokes it once with an event, and prints the status of its answer and the peak of the process's
// memory. Runs as a process of its own.

const [file = '', event = '{}'] = process.argv.slice(2);
const { handler } = createRequire(import.meta.url)(file);
const { statusCode } = await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 600_000 });
process.stdout.write(JSON.stringify({ statusCode, peakMb: process.resourceUsage().maxRSS / 1024 }));
process.exit();
