import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describeOutputs, type Endpoints } from '../local/endpoints.ts';
import { errorCode, RunnerProblem } from '../local/problem.ts';
import { clientSettings } from '../local/services/client-settings.ts';
import type { Stage } from '../stages.ts';
import type { DeadLetterSource } from './dead-letters.ts';
import { stackOutputs } from './stack-outputs.ts';

/** The queues of a stage in the AWS account of the environment's credentials, found by its stack's outputs. */
export async function queuesOfStage(stage: Stage): Promise<DeadLetterSource> {
  const outputs = await stackOutputs(new CloudFormationClient(), stage);
  return { sqs: new SQSClient(), queues: describeOutputs(Object.fromEntries(outputs)).queues };
}

/** The queues of a running `npm start`, by its data directory. */
export async function queuesOfRunner(dataDir: string): Promise<DeadLetterSource> {
  const file = path.resolve(dataDir, 'endpoints.json');
  try {
    const { sqsUrl, queues } = JSON.parse(await readFile(file, 'utf8')) as Endpoints;
    return { sqs: new SQSClient(clientSettings(sqsUrl)), queues };
  } catch (error) {
    throw new RunnerProblem(`No npm start runs here, as far as ${file} tells (${errorCode(error)}).`, { cause: error });
  }
}
