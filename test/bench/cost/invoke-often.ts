import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// Loads a bundled function and invokes it with one event after the other. Prints, without the invocations that warm it up, the processor
// time of an invocation in milliseconds, how many calls it waits for one after the other, and the peak of the memory.

const [bundle = '', eventsFile = '', warmUps = '0'] = process.argv.slice(2);
const { handler } = createRequire(import.meta.url)(bundle);
const events: readonly unknown[] = JSON.parse(readFileSync(eventsFile, 'utf8'));
const context = { getRemainingTimeInMillis: () => 60_000 };

/** Each call is in the round after the last one that had ended when it began. */
const roundOfCall = new WeakMap<object, number>();
let endedRounds = 0;
type Message = { readonly request: object };
subscribe('http.client.request.start', (message) => {
  roundOfCall.set((message as Message).request, endedRounds + 1);
});
subscribe('http.client.response.finish', (message) => {
  endedRounds = Math.max(endedRounds, roundOfCall.get((message as Message).request) ?? 0);
});

async function invoke(event: unknown): Promise<number> {
  endedRounds = 0;
  const { statusCode, batchItemFailures = [] } = await handler(event, context);
  if (batchItemFailures.length > 0 || statusCode >= 300)
    throw new Error(`It answers with ${statusCode}, or fails for ${batchItemFailures.length} messages.`);
  return endedRounds;
}

for (const event of events.slice(0, Number(warmUps))) await invoke(event);
const measured = events.slice(Number(warmUps));
const before = process.cpuUsage();
let rounds = 0;
for (const event of measured) rounds += await invoke(event);
const { user, system } = process.cpuUsage(before);
const result = {
  cpuMs: (user + system) / 1000 / measured.length,
  rounds: rounds / measured.length,
  peakMb: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(JSON.stringify(result));
process.exit();
