import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { RunnerProblem } from '../../local/problem.ts';
import { runOrganization } from './run.ts';

// Run by `npm run organization`.

try {
  const aws = { cloudFormation: new CloudFormationClient(), cognito: new CognitoIdentityProviderClient() };
  console.log(await runOrganization(process.argv.slice(2), aws));
} catch (error) {
  console.error(error instanceof RunnerProblem ? error.message : error);
  process.exitCode = 1;
}
