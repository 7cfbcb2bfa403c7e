import { Duration, Validations } from 'aws-cdk-lib';
import type { ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { attributeNames } from '#shared/runtime/names.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

/** Settings of a worker that a stream invokes: its function, its table, and its batches. */
type StreamWorkerProps = ServiceFunctionProps & { readonly table: Table; readonly batchSize: number };

/** A function that the stream of a table invokes with the items that are new and due. */
export class StreamWorker extends Construct {
  readonly worker: ServiceFunction;

  constructor(scope: Construct, id: string, { table, batchSize, ...props }: StreamWorkerProps) {
    super(scope, id);
    this.worker = new ServiceFunction(this, 'Worker', props);
    this.worker.live.addEventSource(
      new DynamoEventSource(table as ITable, {
        batchSize,
        startingPosition: StartingPosition.TRIM_HORIZON, // LATEST could miss what is written while the mapping is created
        // The function updates the items. Its own changes must not invoke it, nor must items that an operator has restored.
        filters: [
          FilterCriteria.filter({
            eventName: FilterRule.isEqual('INSERT'),
            dynamodb: { NewImage: { [attributeNames.dueAt]: { S: FilterRule.exists() } } },
          }),
        ],
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        // A shard is read in order, so a record that fails for long would hold up all behind it. Three retries are four attempts.
        retryAttempts: 3,
        maxRecordAge: Duration.hours(1),
        // Lanes go by partition key: one that fails holds up the organizations of its lane only.
        parallelizationFactor: 10,
      }),
    );
    const acknowledge = (id: string, reason: string) => Validations.of(this).acknowledge({ id, reason });
    acknowledge(
      'Serverless-LambdaEventSourceMappingDestination',
      'A record that fails four times is not lost: its item stays due, and a schedule sweeps what is due.',
    );
    acknowledge(
      'AwsSolutions-IAM5[Resource::*]',
      'ListStreams, which Lambda demands of the role of a mapping, takes no resource.',
    );
  }
}
