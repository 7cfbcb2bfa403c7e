import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { runCommand } from '#tools/shared/run-command.ts';
import { askSecretWith } from '../connections/ask-secret.ts';
import { openStores } from '../erasure/deployment.ts';
import { runOrganization } from './run.ts';

// Entry point of `npm run organization` (docs/operations.md).

const progress = openProgress();

const print = (line: string) => {
  progress.end(); // otherwise the progress bar overwrites the line
  console.log(line);
};

await runCommand(async () => {
  const dependencies = {
    cloudFormation: new CloudFormationClient(),
    cognito: new CognitoIdentityProviderClient(),
    openStores,
    terminal: { ...progress, print },
    askSecret: askSecretWith(process),
  };
  console.log(await runOrganization(process.argv.slice(2), dependencies));
}, progress.end);
