import { cpus } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { MachineSample, WorkerLoad } from './machine-limit.ts';

/** What to measure, and who receives a sample every second. */
export type WatchOptions = {
  readonly dynamodbUrl: string;
  readonly workerLoads: () => readonly WorkerLoad[];
  readonly onSample: (sample: MachineSample) => void;
};

const sampleMs = 1000;

/** Measures the event loop of this process, DynamoDB, the processors and the workers every second. Returns a function that stops it. */
export function watchMachine({ dynamodbUrl, workerLoads, onSample }: WatchOptions): () => void {
  const dynamodb = new DynamoDBClient({ ...clientSettings(dynamodbUrl), maxAttempts: 1 });
  const eventLoop = monitorEventLoopDelay();
  eventLoop.enable();
  let processors = processorTimes();
  let answeredMs: number | undefined;
  let isAsking = false;
  const ask = async () => {
    isAsking = true;
    const askedAt = performance.now();
    await dynamodb.send(new ListTablesCommand({ Limit: 1 })).catch(() => {}); // a DynamoDB that fails is no limit
    answeredMs = performance.now() - askedAt;
    isAsking = false;
  };
  const sample = () => {
    const before = processors;
    processors = processorTimes();
    onSample({
      eventLoopMs: eventLoop.percentile(90) / 1e6,
      dynamodbMs: isAsking ? undefined : answeredMs,
      processors: (processors.busy - before.busy) / Math.max(1, processors.total - before.total),
      workers: workerLoads(),
    });
    eventLoop.reset();
    if (!isAsking) void ask();
  };
  void ask();
  const timer = setInterval(sample, sampleMs).unref();
  return () => {
    clearInterval(timer);
    eventLoop.disable();
    dynamodb.destroy();
  };
}

function processorTimes(): { readonly busy: number; readonly total: number } {
  const times = cpus().map((cpu) => cpu.times);
  const total = times.flatMap((time) => Object.values(time)).reduce((sum, time) => sum + time, 0);
  return { busy: total - times.reduce((sum, { idle }) => sum + idle, 0), total };
}
