import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { assertKnownPattern, matches } from '../events/pattern.ts';
import type { WorkerLoad } from '../limits/machine-limit.ts';
import { findFunction, type Resource, type Stack, type StackFunction } from '../template/stack.ts';
import { EventSourceMapping } from './event-source-mapping.ts';
import type { Functions } from './functions.ts';
import { placesOf } from './places.ts';
import { StreamMapping } from './stream-mapping.ts';
import { openPositions, type PositionFile } from './stream-positions.ts';

/** What event sources read from and invoke. */
export type EventSourcesOptions = {
  readonly stack: Stack;
  readonly functions: Functions;
  readonly sqs: SQSClient;
  readonly queueUrl: (queueArn: string) => string;
  readonly dynamodbUrl: string;
  /** Keeps how far the streams have been read. */
  readonly positionFile: string;
  readonly log: (event: unknown) => void;
};

/** The running event sources of the workers. */
export type EventSources = {
  readonly loads: () => readonly WorkerLoad[];
  /** Lets running batches go on for at most so long. */
  readonly stop: (graceMs: number) => Promise<void>;
};

type Source = Resource<'AWS::Lambda::EventSourceMapping'>;
type Worker = { readonly worker: StackFunction; readonly invoke: (event: unknown) => ReturnType<Functions['invoke']> };

// https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
const defaultBatchSize = { queue: 10, stream: 100 };

/** Starts what invokes workers with the messages of queues and the records of streams. */
export async function startEventSources(options: EventSourcesOptions): Promise<EventSources> {
  const { stack, functions, dynamodbUrl, positionFile } = options;
  const positions = await openPositions(positionFile);
  const streams = new DynamoDBStreamsClient(clientSettings(dynamodbUrl));
  const sources = stack.eventSources
    .filter(({ properties }) => properties.Enabled)
    .map((source) => {
      const worker = findFunction(stack.functions, source.properties.FunctionName);
      const target = { worker, invoke: (event: unknown) => functions.invoke(worker, event) };
      return { worker, start: sourceOf(source, target, { ...options, streams, positions }) };
    });
  // All are read before the first one starts, so that a mistake in the template starts nothing.
  const running = sources.map(({ worker, start }) => ({ worker: worker.name, mapping: start() }));
  return {
    loads: () => running.map(({ worker, mapping }) => ({ worker, ...mapping.load })),
    stop: async (graceMs) => {
      await Promise.all(running.map(({ mapping }) => mapping.stop(graceMs)));
      streams.destroy();
    },
  };
}

type Context = EventSourcesOptions & { readonly streams: DynamoDBStreamsClient; readonly positions: PositionFile };

/** Reads an event source of the template. Throws a UserError if it cannot run locally. */
function sourceOf(source: Source, worker: Worker, context: Context): () => EventSourceMapping | StreamMapping {
  const [, , service, , , name = ''] = source.properties.EventSourceArn.split(':');
  if (service === 'sqs') return queueSource(source, worker, context);
  const [, tableName] = /^table\/([^/]+)\/stream\//.exec(name) ?? [];
  if (service === 'dynamodb' && tableName !== undefined) return streamSource(source, tableName, worker, context);
  throw new UserError(
    `${source.logicalId} reads ${source.properties.EventSourceArn}, which the local runner does not.`,
  );
}

function queueSource({ logicalId, properties }: Source, { worker, invoke }: Worker, context: Context) {
  const { EventSourceArn: queueArn, FilterCriteria, ScalingConfig, BatchSize = defaultBatchSize.queue } = properties;
  if (FilterCriteria)
    throw new UserError(`${logicalId} filters messages of a queue, which the local runner does not support.`);
  const { sqs, queueUrl, log } = context;
  return () =>
    new EventSourceMapping({
      ...{ sqs, queueArn, queueUrl: queueUrl(queueArn), batchSize: BatchSize, invoke, onFailure: log },
      batchingWindowSeconds: properties.MaximumBatchingWindowInSeconds,
      maxConcurrency: placesOf(ScalingConfig.MaximumConcurrency, worker.properties.Timeout),
      reportsBatchItemFailures: properties.FunctionResponseTypes.length > 0,
    });
}

function streamSource({ properties }: Source, tableName: string, { worker, invoke }: Worker, context: Context) {
  const { streams, positions, log: onFailure } = context;
  const isWanted = recordFilter(properties.FilterCriteria?.Filters, worker.name);
  return () =>
    new StreamMapping({
      ...{ streams, tableName, positions, isWanted, invoke, onFailure },
      eventSourceArn: properties.EventSourceArn,
      functionName: worker.name,
      batchSize: properties.BatchSize ?? defaultBatchSize.stream,
      batchingWindowSeconds: properties.MaximumBatchingWindowInSeconds,
      reportsBatchItemFailures: properties.FunctionResponseTypes.length > 0,
      bisectsOnError: properties.BisectBatchOnFunctionError,
      maxRetries: properties.MaximumRetryAttempts,
      maxAgeSeconds: properties.MaximumRecordAgeInSeconds,
    });
}

/**
 * Whether a record matches one of the filters. Without filters, every record does.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function recordFilter(
  filters: readonly { readonly Pattern: string }[] = [],
  worker: string,
): (record: Readonly<Record<string, unknown>>) => boolean {
  const patterns = filters.map(({ Pattern }) => JSON.parse(Pattern) as Readonly<Record<string, unknown>>);
  for (const pattern of patterns) assertKnownPattern(pattern, `The filter of ${worker}`);
  return (record) => patterns.length === 0 || patterns.some((pattern) => matches(pattern, record));
}
