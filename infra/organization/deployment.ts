import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { errorMessage, RunnerProblem } from '../local/problem.ts';
import { outputNames } from '../outputs.ts';
import { stackName } from '../stages.ts';

/** What of a deployed stage the commands need. */
export type Deployment = {
  readonly stage: string;
  readonly apiUrl: string;
  readonly userPoolId: string;
  readonly tokenUrl: string;
  readonly tokenScope: string;
};

/** Reads the outputs of a stage's stack; a stage that is not deployed, or has no user pool, is a problem that says so. */
export async function findDeployment(cloudFormation: CloudFormationClient, stage: string): Promise<Deployment> {
  const outputs = await outputsOf(cloudFormation, stage);
  if (!outputs.has(outputNames.userPoolId)) {
    throw new RunnerProblem(`The stage ${stage} has an issuer of its own: make and remove its clients there.`);
  }
  const output = (name: keyof typeof outputNames) => {
    const value = outputs.get(outputNames[name]);
    if (value === undefined)
      throw new RunnerProblem(`${stackName(stage)} has no output ${outputNames[name]}: deploy it again.`);
    return value;
  };
  return {
    stage,
    apiUrl: output('apiUrl'),
    userPoolId: output('userPoolId'),
    tokenUrl: output('tokenUrl'),
    tokenScope: output('tokenScope'),
  };
}

async function outputsOf(cloudFormation: CloudFormationClient, stage: string): Promise<ReadonlyMap<string, string>> {
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName(stage) }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (!/does not exist/.test(errorMessage(error))) throw error;
    const region = await cloudFormation.config.region();
    throw new RunnerProblem(
      `There is no stack ${stackName(stage)} in ${region}: deploy it with npx cdk deploy -c stage=${stage}, ` +
        'or say in AWS_REGION where it is.',
      { cause: error },
    );
  }
}
