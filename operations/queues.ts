import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Stage, stackName } from '../infra/settings/stages.ts';
import { refusedReasons } from '../shared/storage/platforms/refused-events.ts';
import { clientSettings } from '../tools/shared/client-settings.ts';
import { describeOutputs, type Endpoints, readEndpoints } from '../tools/shared/endpoints.ts';
import { UserError } from '../tools/shared/user-error.ts';
import type { DeploymentQueues } from './dead-letters.ts';
import { stackOutputs } from './stack-outputs.ts';

/** Finds the queues of a stage in the current AWS account, from the outputs of its stack. */
export async function queuesOfStage(
  stage: Stage,
  cloudFormation: CloudFormationClient = new CloudFormationClient(),
): Promise<DeploymentQueues> {
  const outputs = await stackOutputs(cloudFormation, stage);
  const { queues, tables } = describeOutputs(Object.fromEntries(outputs));
  if (Object.keys(queues).length === 0)
    throw new UserError(`Stack ${stackName(stage)} has no outputs of queues. Deploy the stage again.`);
  return { sqs: new SQSClient(), queues, refusedReasons: reasonsIn(tables, new DynamoDBClient()) };
}

/** Finds the queues of a running `npm start`, from its data directory. */
export async function queuesOfRunner(dataDir: string): Promise<DeploymentQueues> {
  const { sqsUrl, dynamodbUrl, queues, tables } = await readEndpoints(dataDir);
  const refusedReasons = reasonsIn(tables, new DynamoDBClient(clientSettings(dynamodbUrl)));
  return { sqs: new SQSClient(clientSettings(sqsUrl)), queues, refusedReasons };
}

/** Stages and runners of earlier versions have no list of refused events. */
function reasonsIn(
  tables: Endpoints['tables'] | undefined,
  client: DynamoDBClient,
): DeploymentQueues['refusedReasons'] {
  const tableName = tables?.refusedEvents;
  return tableName === undefined ? undefined : refusedReasons(DynamoDBDocumentClient.from(client), tableName);
}
