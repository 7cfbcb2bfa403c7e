import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { bucketNames, queueNames, tableNames } from '#shared/runtime/names.ts';
import type { ServiceResources } from '../storage/service-resources.ts';
import { outputTexts, resourceOutput } from './outputs.ts';

/** Creates an output of the stack with its text in infra/stack/outputs.ts. */
export function describedOutput(scope: Construct, name: string, value: string): void {
  const description = outputTexts[name];
  if (description === undefined) throw new Error(`The output ${name} has no text in infra/stack/outputs.ts.`);
  new CfnOutput(Stack.of(scope), name, { value, description });
}

/** Creates an output for each table, bucket and queue, and first for the three that a platform needs. */
export function resourceOutputs(scope: Construct, { tables, buckets, queues }: ServiceResources): void {
  const all = [
    ...bucketNames.map((name) => [resourceOutput.bucket(name), buckets[name].bucketName] as const),
    ...queueNames.map((name) => [resourceOutput.queue(name), queues[name].queue.queueUrl] as const),
    ...queueNames.map((name) => [resourceOutput.deadLetterQueue(name), queues[name].deadLetterQueue.queueUrl] as const),
    ...tableNames.map((name) => [resourceOutput.table(name), tables[name].tableName] as const),
  ];
  const position = (name: string) => Object.keys(outputTexts).indexOf(name);
  for (const [name, value] of all.toSorted(([one], [other]) => position(one) - position(other)))
    describedOutput(scope, name, value);
}
