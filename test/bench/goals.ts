/** A goal of performance, and what shows whether it is met: a benchmark, or tests. */
export type Goal = { readonly number: number; readonly text: string } & (
  | {
      readonly benchmarks: readonly string[];
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

/** The goals of what exists. The numbers that are left out are of features to come. */
export const goals: readonly Goal[] = [
  {
    number: 1,
    text: 'Words soon: a recorded hour of five tracks is ready at most 90 s after the create, a mixed hour 150 s, and 10 hours 240 s, with recognition at a tenth of real time and 20 s to start each job, at most 100 at once',
    benchmarks: ['media'],
  },
  { number: 3, text: 'A recorded hour costs at most 1.01 of the price of Transcribe alone', benchmarks: ['cost'] },
  {
    number: 4,
    text: 'A stage without traffic costs at most $10 a month (dev) or $30 (prod)',
    tests: ['test/infra/observability/costs.test.ts'],
    note: '[what both cost](deploy.md#cost-of-an-idle-stage)',
    missed: 'both stages, mostly by [metrics under alarm](deploy.md#cost-of-an-idle-stage)',
  },
  {
    number: 5,
    text: 'Capacity units and calls of every operation are exactly those documented, without Scan, and with no filters but those that are documented and bounded',
    tests: ['requests', 'transcriptions', 'insights', 'notices'].map(
      (name) => `test/integration/${name}-capacity.test.ts`,
    ),
    note: '[units](access-patterns.md)',
  },
  {
    number: 6,
    text: 'Reads with 1 000 000 rooms take at most 1.2 of those with 1 000, and the same units. A page at 99 % depth takes at most 1.1 of the first',
    benchmarks: ['scale'],
  },
  {
    number: 7,
    text: 'A million calls cost at most $2.05 (get), $2.20 (a page of transcriptions), $2.80 (of rooms), and 1 000 sessions of four $0.40',
    benchmarks: ['cost'],
    reasons: ['insights-cost.md'],
  },
  {
    number: 8,
    text: 'A request that succeeds writes one log line of at most 600 bytes',
    tests: ['test/unit/http/request-log.test.ts'],
    note: '600 bytes',
  },
  {
    number: 9,
    text: 'A part has one paid job, through redeliveries, crashes and bursts of 1 000',
    tests: ['burst', 'create-and-start', 'parts'].map((name) => `test/faults/${name}.test.ts`),
    note: 'one job of a part',
  },
  {
    number: 10,
    text: 'An event is visible over HTTP within 5 s (p99) at 50 events a second. Beside a flood of another organization, it takes at most 3 times what it takes alone, or 5 s',
    benchmarks: ['lag', 'fairness'],
  },
  {
    number: 12,
    text: '`npm start` is ready within 10 s, and a test sees a changed handler within 3 s',
    benchmarks: ['start'],
  },
  {
    number: 13,
    text: 'The first view of the console is interactive within 1 s, and no task takes over 50 ms with 10 000 rooms',
    benchmarks: ['console'],
  },
  {
    number: 15,
    text: "Loading a function takes at most 0.65 of CDK's default bundle of the same entry, and 1.05 without a client of the SDK",
    benchmarks: ['init'],
    reasons: ['decisions/0023-bundles-and-memory.md'],
  },
];
