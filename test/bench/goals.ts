/** A goal of performance, and what shows whether it is met: a benchmark, or tests. */
export type Goal = { readonly number: number; readonly text: string } & (
  | {
      readonly benchmark: string;
      /** Pages of docs/ that say why it is missed, and what it would take. */
      readonly reasons?: readonly string[];
    }
  | {
      readonly tests: readonly string[];
      /** The figure that the tests hold. */
      readonly note: string;
      /** What of the goal that figure misses, with links to why. */
      readonly missed?: string;
    }
);

/** The twelve goals. R is a bare handler that reads one item of DynamoDB with a plain client, bundled by the same options. */
export const goals: readonly Goal[] = [
  {
    number: 1,
    text: 'The bundle of a function takes at most 1.30 R of processor time to load (1.45 R with a second client, 1.9 R with that of S3), and 0.60 of the default bundle of CDK',
    benchmark: 'init',
    reasons: ['decisions/0086-module-load.md', 'decisions/0095-lean-contracts.md', 'decisions/0096-chunks.md'],
  },
  {
    number: 2,
    text: 'Loading a function and its first call over TLS take at most 1.25 R',
    benchmark: 'init',
    reasons: ['decisions/0086-module-load.md', 'decisions/0093-opened-connections.md'],
  },
  {
    number: 3,
    text: 'Bundles of API functions have at most 260 KB with DynamoDB alone (90 KB compressed), 340 with a second client, 430 with that of S3, and nothing that no function needs',
    tests: ['test/infra/bundles.test.ts'],
    note: 'budgets of [0004](decisions/0004-bundling.md)',
  },
  {
    number: 4,
    text: 'A warm call takes at most 1.20 of the processor time of a bare handler with the same calls',
    benchmark: 'warm',
    reasons: ['decisions/0094-warm-calls.md'],
  },
  {
    number: 5,
    text: 'Capacity units and calls of every operation are exactly those documented: one round trip for a transcription, two for a page of insights, without Scan and without filters',
    tests: ['requests', 'transcriptions', 'insights', 'webhooks', 'notices'].map(
      (name) => `test/integration/${name}-capacity.test.ts`,
    ),
    note: '[units](access-patterns.md)',
  },
  {
    number: 6,
    text: 'Reads with 1 000 000 rooms take at most 1.2 of those with 1 000, and the same units. A page at 99 % depth takes at most 1.1 of the first',
    benchmark: 'scale',
  },
  {
    number: 7,
    text: 'A million calls cost at most $2.05 (get), $2.20 (a page of transcriptions), $2.80 (of rooms); 1 000 sessions of four $0.40; a recorded hour 1.01 of the price of Transcribe alone',
    benchmark: 'cost',
    reasons: ['insights-cost.md'],
  },
  {
    number: 8,
    text: 'A request that succeeds writes one log line of at most 600 bytes',
    tests: ['test/unit/http/request-log.test.ts'],
    note: '600 bytes',
  },
  { number: 9, text: 'Signing a link takes no network call, and at most 0.15 R of processor time', benchmark: 'warm' },
  {
    number: 10,
    text: 'A recording is transcribed once, through redeliveries and crashes. In a burst of 1 000, at most 25 starts a second and 225 jobs at once, and no job is polled',
    tests: ['burst', 'create-and-start', 'parts'].map((name) => `test/faults/${name}.test.ts`),
    note: 'at most 12 accepted starts a second, 25 calls with those that are refused; 250 jobs at once; none is polled',
    missed: '250 jobs at once. Why, and what it would take: [0065](decisions/0065-parts-of-a-transcription.md)',
  },
  {
    number: 11,
    text: 'An event is visible over HTTP within 5 s (p99), at 50 events a second, also beside a flood of another organization',
    benchmark: 'lag',
  },
  {
    number: 12,
    text: '`npm start` is ready within 10 s, and a test sees a changed handler within 3 s',
    benchmark: 'start',
  },
];
