import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describeOutputs, type Endpoints } from '../local/endpoints.ts';
import { errorCode, errorMessage, RunnerProblem } from '../local/problem.ts';
import { clientSettings } from '../local/services/client-settings.ts';
import type { Stage } from '../stages.ts';
import type { DeadLetterSource } from './dead-letters.ts';

/** The queues of a stage in the AWS account of the environment's credentials, found by its stack's outputs. */
export async function queuesOfStage(stage: Stage): Promise<DeadLetterSource> {
  const StackName = `Roomscribe-${stage}`;
  try {
    const { Stacks = [] } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName }));
    const outputs = (Stacks[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
    return { sqs: new SQSClient(), queues: describeOutputs(Object.fromEntries(outputs)).queues };
  } catch (error) {
    throw new RunnerProblem(
      `The stack ${StackName} cannot be read (${errorMessage(error)}). It must be deployed, in the account and region of ` +
        'your AWS credentials (AWS_PROFILE, AWS_REGION), which must allow cloudformation:DescribeStacks.',
      { cause: error },
    );
  }
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
