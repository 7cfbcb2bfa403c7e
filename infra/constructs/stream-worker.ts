import { Duration, Validations } from 'aws-cdk-lib';
import type { ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

/** Settings of a worker that a stream invokes: its function, its table, and its batches. */
type StreamWorkerProps = ServiceFunctionProps & { readonly table: Table; readonly batchSize: number };

/** A function that the stream of a table invokes with the items that are new. */
export class StreamWorker extends Construct {
  readonly worker: ServiceFunction;

  constructor(scope: Construct, id: string, { table, batchSize, ...props }: StreamWorkerProps) {
    super(scope, id);
    this.worker = new ServiceFunction(this, 'Worker', props);
    this.worker.live.addEventSource(
      new DynamoEventSource(table as ITable, {
        batchSize,
        startingPosition: StartingPosition.TRIM_HORIZON,
        filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT') })],
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        retryAttempts: 3,
        maxRecordAge: Duration.hours(1),
        parallelizationFactor: 2,
      }),
    );
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: 'A record that fails three times is not lost: its item stays due, and a schedule sweeps what is due.',
    });
  }
}
