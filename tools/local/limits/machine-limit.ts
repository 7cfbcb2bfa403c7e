/** The work of a worker at one moment. */
export type WorkerLoad = {
  readonly worker: string;
  readonly running: number;
  readonly maxConcurrency: number;
  /** How long the message that the worker received last, or waits to handle, has waited since it was sent. */
  readonly waitedMs: number;
};

/** What the runner has measured in one second. */
export type MachineSample = {
  /** Nine of ten turns of the runner's event loop began at most this late. */
  readonly eventLoopMs: number;
  /** How long a call to DynamoDB took. Undefined: it has not answered yet. */
  readonly dynamodbMs: number | undefined;
  /** The share of busy processor time, of all programs of the machine. */
  readonly processors: number;
  readonly workers: readonly WorkerLoad[];
};

/** Something is the limit if it was at its limit in so many samples in a row. */
export const samplesInRow = 5;
const pauseMs = 60_000;
const late = { eventLoopMs: 100, dynamodbMs: 100, waitedMs: 5000 };
const busyProcessors = 0.95;

/**
 * Names the parts that were at their limit in all of these samples: workers whose queue grows while all their invocations run, the
 * event loop, DynamoDB. A late event loop makes every call look slow, so DynamoDB is named only beside an event loop that is in time.
 */
export function partsAtLimit(samples: readonly MachineSample[]): string[] {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || samples.length < samplesInRow) return [];
  const grows = ({ worker }: WorkerLoad) => {
    const loads = samples.map(({ workers }) => workers.find((each) => each.worker === worker));
    const isFull = loads.every((load) => load && load.running >= load.maxConcurrency && load.waitedMs >= late.waitedMs);
    return isFull && (loads.at(-1)?.waitedMs ?? 0) > (loads[0]?.waitedMs ?? 0);
  };
  const parts = last.workers
    .filter(grows)
    .map(
      ({ worker, running, waitedMs }) =>
        `the queue of ${worker} grows, although ${running} invocations run (a message waits ${seconds(waitedMs)})`,
    );
  if (samples.every(({ eventLoopMs }) => eventLoopMs >= late.eventLoopMs))
    parts.push(`the runner's own thread is busy (${seconds(last.eventLoopMs)} late)`);
  else if (samples.every(({ dynamodbMs = Number.POSITIVE_INFINITY }) => dynamodbMs >= late.dynamodbMs))
    parts.push(
      `the local DynamoDB is busy (${last.dynamodbMs === undefined ? 'no answer' : `${seconds(last.dynamodbMs)} for one call`})`,
    );
  if (parts.length > 0 && samples.every(({ processors }) => processors >= busyProcessors))
    parts.push('all processors of this machine are busy');
  return parts;
}

/** Returns a function that takes a sample every second and tells, at most once a minute, which parts are the limit. */
export function limitReporter(tell: (text: string) => void, now: () => number = Date.now) {
  let samples: readonly MachineSample[] = [];
  let toldAt = Number.NEGATIVE_INFINITY;
  return (sample: MachineSample): void => {
    samples = [...samples, sample].slice(-samplesInRow);
    const parts = partsAtLimit(samples);
    if (parts.length === 0 || now() - toldAt < pauseMs) return;
    toldAt = now();
    tell(`This machine is the limit: ${parts.join('; ')}. Nothing is lost. A deployment on AWS has other limits.`);
  };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
