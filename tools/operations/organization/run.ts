import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { loginCommand } from '../../shared/login-command.ts';
import { awsProblem } from '../aws-problem.ts';
import { type Credentials, type Organization, organizationClients } from './clients.ts';
import { type Command, readCommand, usage } from './command.ts';
import { type Deployment, findDeployment } from './deployment.ts';
import { type EraseDeps, erase } from './erase.ts';

/** The services that the commands speak to, and where those tell that take long. */
export type Aws = EraseDeps;

/** Runs one command line and gives what it prints; what the caller can put right is thrown as a `UserError`. */
export async function runOrganization(args: readonly string[], aws: Aws): Promise<string> {
  const command = readCommand(args);
  if (command.action === 'help') return usage;
  try {
    if (command.action === 'erase') return await erase(command, aws);
    const deployment = await findDeployment(aws.cloudFormation, command.stage);
    return await carryOut(command, deployment, aws.cognito);
  } catch (error) {
    throw awsProblem(error);
  }
}

async function carryOut(
  command: Exclude<Command, { action: 'help' | 'erase' }>,
  deployment: Deployment,
  cognito: CognitoIdentityProviderClient,
): Promise<string> {
  const organizations = organizationClients(cognito, deployment);
  const { stage } = deployment;
  switch (command.action) {
    case 'list':
      return table(await organizations.list(), stage);
    case 'create':
      return `Created ${command.name} in ${stage}.\n\n${access(await organizations.create(command.name), deployment)}`;
    case 'rotate': {
      const credentials = await organizations.rotate(command.name);
      return (
        `${credentials.name} in ${stage} has a second secret; the first one is good until you take it away:\n` +
        `  npm run organization -- rotate ${command.name} --stage ${stage} --drop old\n\n${access(credentials, deployment)}`
      );
    }
    case 'drop': {
      const { name } = await organizations.drop(command.name, command.age);
      return `The ${command.age} secret of ${name} in ${stage} is good no longer. Tokens got with it are, for up to an hour.`;
    }
    case 'delete': {
      const { id, name } = await organizations.remove(command.name);
      return (
        `Deleted ${name} from ${stage}: it gets no more tokens, and those that it has end within an hour.\n` +
        `Its data stay, under the organization id ${id}. To erase them, an hour from now:\n` +
        `  npm run organization -- erase ${id} --stage ${stage}`
      );
    }
  }
}

function access({ id, secret }: Credentials, { stage, tokenUrl, apiUrl }: Deployment): string {
  const form = `-s -u '${id}:${secret}' -d grant_type=client_credentials '${tokenUrl}'`;
  const token = `$(curl ${form} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  return `  organization id  ${id}   (the client's id, and organizationId of events)
  client secret    ${secret}   (not shown again)
  token endpoint   ${tokenUrl}

The command line logs in by (it asks for the secret):

  ${loginCommand({ profile: stage, apiUrl, tokenUrl, clientId: id })}

Its first call:

  curl -H "Authorization: Bearer ${token}" '${apiUrl}/v1/transcriptions'`;
}

function table(organizations: readonly Organization[], stage: string): string {
  if (organizations.length === 0) return `There are no organizations in ${stage} yet.`;
  const width = Math.max(...organizations.map(({ name }) => name.length));
  return organizations.map(({ id, name }) => `${name.padEnd(width)}  ${id}`).join('\n');
}
