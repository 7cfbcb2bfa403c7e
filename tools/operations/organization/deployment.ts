import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { outputNames } from '../../../infra/outputs.ts';
import { stackName } from '../../../infra/stages.ts';
import { UserError } from '../../shared/user-error.ts';
import { stackOutputs } from '../stack-outputs.ts';

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
  const outputs = await stackOutputs(cloudFormation, stage);
  if (!outputs.has(outputNames.userPoolId)) {
    throw new UserError(`The stage ${stage} has an issuer of its own: make and remove its clients there.`);
  }
  const output = (name: keyof typeof outputNames) => {
    const value = outputs.get(outputNames[name]);
    if (value === undefined)
      throw new UserError(`${stackName(stage)} has no output ${outputNames[name]}: deploy it again.`);
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
