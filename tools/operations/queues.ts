import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Stage } from '../../infra/stages.ts';
import { clientSettings } from '../shared/client-settings.ts';
import { describeOutputs, readEndpoints } from '../shared/endpoints.ts';
import type { DeadLetterSource } from './dead-letters.ts';
import { stackOutputs } from './stack-outputs.ts';

/** The queues of a stage in the AWS account of the environment's credentials, found by its stack's outputs. */
export async function queuesOfStage(stage: Stage): Promise<DeadLetterSource> {
  const outputs = await stackOutputs(new CloudFormationClient(), stage);
  return { sqs: new SQSClient(), queues: describeOutputs(Object.fromEntries(outputs)).queues };
}

/** The queues of a running `npm start`, by its data directory. */
export async function queuesOfRunner(dataDir: string): Promise<DeadLetterSource> {
  const { sqsUrl, queues } = await readEndpoints(dataDir);
  return { sqs: new SQSClient(clientSettings(sqsUrl)), queues };
}
