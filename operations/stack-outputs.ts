import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { stackName } from '../infra/settings/stages.ts';
import { errorMessage } from '../tools/shared/error-details.ts';
import { UserError } from '../tools/shared/user-error.ts';

/** Returns the outputs of a stage's stack by name. Throws a `UserError` if the stage is not deployed. */
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
      `There is no stack ${stackName(stage)} in ${region}. Deploy it with npx cdk deploy -c stage=${stage}, ` +
        'or set AWS_REGION to its region.',
      { cause: error },
    );
  }
}
