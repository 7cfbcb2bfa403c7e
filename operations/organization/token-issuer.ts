import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { stackName } from '#infra/settings/stages.ts';
import { outputNames } from '#infra/stack/outputs.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { stackOutputs } from '../stack-outputs.ts';

/** The user pool of a deployed stage, and how its clients get tokens and call the API. */
export type TokenIssuer = {
  readonly stage: string;
  readonly apiUrl: string;
  readonly userPoolId: string;
  readonly tokenUrl: string;
  readonly tokenScope: string;
};

/** Reads the outputs of a stage's stack. Throws a `UserError` if the stage is not deployed or has no user pool. */
export async function findTokenIssuer(cloudFormation: CloudFormationClient, stage: string): Promise<TokenIssuer> {
  const outputs = await stackOutputs(cloudFormation, stage);
  if (!outputs.has(outputNames.userPoolId)) {
    throw new UserError(`Stage ${stage} has its own token issuer. Create and delete its clients there.`);
  }
  const output = (name: keyof typeof outputNames) => {
    const value = outputs.get(outputNames[name]);
    if (value === undefined)
      throw new UserError(`Stack ${stackName(stage)} has no output ${outputNames[name]}. Deploy the stage again.`);
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
