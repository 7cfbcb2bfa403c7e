import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Stage } from '../../infra/stages.ts';
import { clientSettings } from '../shared/client-settings.ts';
import { describeOutputs, readEndpoints } from '../shared/endpoints.ts';
import type { DeploymentQueues } from './dead-letters.ts';
import { stackOutputs } from './stack-outputs.ts';

/** Finds the queues of a stage in the current AWS account, from the outputs of its stack. */
export async function queuesOfStage(stage: Stage): Promise<DeploymentQueues> {
  const outputs = await stackOutputs(new CloudFormationClient(), stage);
  return { sqs: new SQSClient(), queues: describeOutputs(Object.fromEntries(outputs)).queues };
}

/** Finds the queues of a running `npm start`, from its data directory. */
export async function queuesOfRunner(dataDir: string): Promise<DeploymentQueues> {
  const { sqsUrl, queues } = await readEndpoints(dataDir);
  return { sqs: new SQSClient(clientSettings(sqsUrl)), queues };
}
