import { createRequire } from 'node:module';
import { Bench } from 'tinybench';

// Loads a bundled function and invokes it as often as its parent asks, in a process of its own. Reports the processor time of an
// invocation, which includes that of the threads of Node, such as the one that collects garbage.

/** What the parent asks for: an event as text, the status of its answer, and how often it is sent. */
export type Invocations = {
  readonly event: string;
  readonly status: number | undefined;
  readonly warmups: number;
  readonly times: number;
};

/** The answer of a function, as Lambda gets it. */
export type FunctionAnswer = { readonly statusCode: number; readonly body?: string };

/** What the parent is told: the last answer as text, and the times of one invocation on average. */
export type Invoked = { readonly answer: string; readonly cpuMs: number; readonly wallMs: number } | { error: string };

const { handler } = createRequire(import.meta.url)(process.argv[2] ?? '');
const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 29_000 };

/** As the runtime of Lambda does: the event comes as text, and the answer leaves as text. */
async function invoke(event: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer: FunctionAnswer = await handler(JSON.parse(event), context);
  return { status: answer.statusCode, text: JSON.stringify(answer) };
}

function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function measure({ event, status, warmups, times }: Invocations): Promise<Invoked> {
  let last = await invoke(event);
  for (let time = 1; time < warmups; time++) last = await invoke(event);
  if (status === undefined) return { answer: last.text, cpuMs: 0, wallMs: 0 };
  const bench = new Bench({ now: cpuNow, iterations: times, time: 0, warmup: false, throws: true });
  bench.add('invocation', async () => {
    last = await invoke(event);
    if (last.status !== status) throw new Error(`The answer has the status ${last.status} instead of ${status}.`);
  });
  const startedAt = performance.now();
  const [task] = await bench.run();
  const wallMs = (performance.now() - startedAt) / times;
  if (task?.result.state !== 'completed') throw new Error(`The measurement has the state ${task?.result.state}.`);
  return { answer: last.text, cpuMs: task.result.latency.mean, wallMs };
}

process.on('message', (asked: Invocations) => {
  measure(asked).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: error instanceof Error ? String(error.stack) : String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('loaded');
