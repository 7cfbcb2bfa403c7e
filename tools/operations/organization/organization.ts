import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { openProgress } from '../../shared/progress-bar.ts';
import { UserError } from '../../shared/user-error.ts';
import { openStores } from '../erasure/place.ts';
import { runOrganization } from './run.ts';

// Run by `npm run organization`.

const progress = openProgress();

try {
  const say = (line: string) => {
    progress.end(); // the bar would overwrite it
    console.log(line);
  };
  const aws = {
    cloudFormation: new CloudFormationClient(),
    cognito: new CognitoIdentityProviderClient(),
    openStores,
    terminal: { ...progress, say },
  };
  console.log(await runOrganization(process.argv.slice(2), aws));
} catch (error) {
  progress.end();
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
