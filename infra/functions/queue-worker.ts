import { Duration, Validations } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { envNames, type QueueName } from '#shared/runtime/names.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { Batch } from './workers.ts';

/** Settings of a worker: its function, its queue, its batches and the concurrency. */
type QueueWorkerProps = Omit<ServiceFunctionProps, 'environment' | 'mayLoop'> & {
  readonly queue: QueueName;
  readonly batch: Batch;
  readonly maxConcurrency: number;
};

/** A function that a queue invokes, always with partial batch responses and a maximum concurrency. */
export class QueueWorker extends Construct {
  readonly worker: ServiceFunction;

  constructor(scope: Construct, id: string, props: QueueWorkerProps) {
    super(scope, id);
    const { queue } = props.resources.queues[props.queue];
    this.worker = new ServiceFunction(this, 'Worker', {
      ...props,
      mayLoop: props.access.sendsTo?.includes(props.queue) ?? false,
      environment: { [envNames[`${props.queue}Queue`]]: queue.queueUrl },
    });
    this.worker.live.addEventSource(
      new SqsEventSource(queue, {
        batchSize: props.batch.size,
        maxBatchingWindow: Duration.seconds(props.batch.windowSeconds),
        maxConcurrency: props.maxConcurrency,
        reportBatchItemFailures: true,
      }),
    );
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason:
        'Lambda has no such destination for SQS: the redrive policy moves failed messages to the dead-letter queue.',
    });
  }
}
