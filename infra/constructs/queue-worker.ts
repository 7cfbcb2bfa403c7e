import { Validations } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { envNames, type QueueName } from '../../shared/names.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

/** A function, and how much of which queue it takes at a time. */
type QueueWorkerProps = Omit<ServiceFunctionProps, 'environment' | 'mayLoop'> & {
  readonly queue: QueueName;
  readonly batchSize: number;
  readonly maxConcurrency: number;
};

/** A function fed from a queue: partial batch failures and a ceiling on how many run at once, always. */
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
        batchSize: props.batchSize,
        maxConcurrency: props.maxConcurrency,
        reportBatchItemFailures: true,
      }),
    );
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason:
        'Lambda has no such destination for SQS: what fails goes to the dead-letter queue, by the redrive policy.',
    });
  }
}
