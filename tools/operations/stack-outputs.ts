import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { stackName } from '../../infra/stages.ts';
import { errorMessage } from '../shared/error-details.ts';
import { UserError } from '../shared/user-error.ts';

/** The outputs of a stage's stack by name; a stage that is not deployed is a problem that says what to do. */
export async function stackOutputs(
  cloudFormation: CloudFormationClient,
  stage: string,
): Promise<ReadonlyMap<string, string>> {
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName(stage) }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (!/does not exist/.test(errorMessage(error))) throw error;
    const region = await cloudFormation.config.region();
    throw new UserError(
      `There is no stack ${stackName(stage)} in ${region}: deploy it with npx cdk deploy -c stage=${stage}, ` +
        'or say in AWS_REGION where it is.',
      { cause: error },
    );
  }
}
