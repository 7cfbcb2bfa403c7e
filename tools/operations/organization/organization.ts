import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { openProgress } from '../../shared/progress-bar.ts';
import { UserError } from '../../shared/user-error.ts';
import { openStores } from '../erasure/deployment.ts';
import { runOrganization } from './run.ts';

// Entry point of `npm run organization` (docs/operations.md).

const progress = openProgress();

try {
  const print = (line: string) => {
    progress.end(); // otherwise the progress bar overwrites the line
    console.log(line);
  };
  const dependencies = {
    cloudFormation: new CloudFormationClient(),
    cognito: new CognitoIdentityProviderClient(),
    openStores,
    terminal: { ...progress, print },
  };
  console.log(await runOrganization(process.argv.slice(2), dependencies));
} catch (error) {
  progress.end();
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
