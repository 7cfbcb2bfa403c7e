import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type Stage, stackName } from '../../infra/stages.ts';
import { clientSettings } from '../shared/client-settings.ts';
import { describeOutputs, readEndpoints } from '../shared/endpoints.ts';
import { UserError } from '../shared/user-error.ts';
import type { DeploymentQueues } from './dead-letters.ts';
import { stackOutputs } from './stack-outputs.ts';

/** Finds the queues of a stage in the current AWS account, from the outputs of its stack. */
export async function queuesOfStage(
  stage: Stage,
  cloudFormation: CloudFormationClient = new CloudFormationClient(),
): Promise<DeploymentQueues> {
  const outputs = await stackOutputs(cloudFormation, stage);
  const { queues } = describeOutputs(Object.fromEntries(outputs));
  if (Object.keys(queues).length === 0)
    throw new UserError(`Stack ${stackName(stage)} has no outputs of queues. Deploy the stage again.`);
  return { sqs: new SQSClient(), queues };
}

/** Finds the queues of a running `npm start`, from its data directory. */
export async function queuesOfRunner(dataDir: string): Promise<DeploymentQueues> {
  const { sqsUrl, queues } = await readEndpoints(dataDir);
  return { sqs: new SQSClient(clientSettings(sqsUrl)), queues };
}
