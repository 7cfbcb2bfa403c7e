import type { Stage } from '../../../infra/stages.ts';
import { loginCommand } from '../../shared/login-command.ts';
import { isConnectionCommand } from '../connections/command.ts';
import { runConnectionCommand } from '../connections/run.ts';
import { explainAwsError } from '../explain-aws-error.ts';
import { runPeopleCommand } from '../people/manage.ts';
import { isWebhookCommand } from '../webhooks/command.ts';
import { runWebhookCommand } from '../webhooks/manage.ts';
import { type Credentials, type Organization, organizationClients } from './clients.ts';
import { type Command, readCommand, usage } from './command.ts';
import { defaults } from './defaults.ts';
import { deleteOrganization } from './delete.ts';
import { type DeletedOrganization, deletedOrganizations } from './deleted.ts';
import { erase } from './erase.ts';
import { type Dependencies, findScope } from './scope.ts';
import { organizationSecrets } from './secrets.ts';
import { findTokenIssuer, type TokenIssuer } from './token-issuer.ts';

/** Runs a command line and returns the text to print. Throws a `UserError` for problems that the operator can fix. */
export async function runOrganization(args: readonly string[], dependencies: Dependencies): Promise<string> {
  const command = readCommand(args);
  if (command.action === 'help') return usage;
  try {
    if (command.action === 'erase') return await erase(command, dependencies);
    if (command.action === 'defaults') return await defaults(command, await findScope(command, dependencies));
    if (isWebhookCommand(command)) return await runWebhookCommand(command, dependencies);
    if (isConnectionCommand(command)) return await runConnectionCommand(command, dependencies);
    if (command.action === 'people') return await runPeopleCommand(command, dependencies);
    const issuer = await findTokenIssuer(dependencies.cloudFormation, command.stage);
    return await manageClients(command, issuer, dependencies);
  } catch (error) {
    throw explainAwsError(error);
  }
}

async function manageClients(
  command: Exclude<Extract<Command, { stage: Stage }>, { action: 'people' }>,
  issuer: TokenIssuer,
  dependencies: Dependencies,
): Promise<string> {
  const { cognito } = dependencies;
  const organizations = organizationClients(cognito, issuer);
  const secrets = organizationSecrets(cognito, issuer);
  const deleted = deletedOrganizations(cognito, issuer);
  const { stage } = issuer;
  switch (command.action) {
    case 'list':
      return organizationTable(await organizations.list(), await deleted.list(), stage);
    case 'create': {
      const credentials = await organizations.create(command.name);
      return `Created ${command.name} in ${stage}.\n\n${accessText(credentials, issuer)}`;
    }
    case 'rotate': {
      const credentials = await secrets.add(command.name);
      return (
        `Added a second secret to ${credentials.name} in ${stage}. The first secret is valid until you drop it:\n` +
        `  npm run organization -- rotate ${command.name} --stage ${stage} --drop old\n\n${accessText(credentials, issuer)}`
      );
    }
    case 'drop': {
      const { name } = await secrets.drop(command.name, command.age);
      return (
        `Dropped the ${command.age} secret of ${name} in ${stage}. ` +
        'Tokens that were issued with it stay valid for up to an hour.'
      );
    }
    case 'delete':
      return deleteOrganization(command, issuer, dependencies);
  }
}

function accessText({ id, secret }: Credentials, { stage, tokenUrl, apiUrl }: TokenIssuer): string {
  const form = `-s -u '${id}:${secret}' -d grant_type=client_credentials '${tokenUrl}'`;
  const token = `$(curl ${form} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  return `  organization id  ${id}   (the id of the client, and organizationId in events)
  client secret    ${secret}   (shown only once)
  token endpoint   ${tokenUrl}

To log in with the command line, which asks for the secret:

  ${loginCommand({ profile: stage, apiUrl, tokenUrl, clientId: id })}

To make a first call:

  curl -H "Authorization: Bearer ${token}" '${apiUrl}/v1/transcriptions'`;
}

/** One line for each organization. The deleted ones follow, so that an id in old data can still be named. */
function organizationTable(
  organizations: readonly Organization[],
  deleted: readonly DeletedOrganization[],
  stage: string,
): string {
  const gone = deleted.filter(({ id }) => organizations.every((organization) => organization.id !== id));
  const width = Math.max(...[...organizations, ...gone].map(({ name }) => name.length));
  const line = ({ id, name }: Organization) => `${name.padEnd(width)}  ${id}`;
  const current =
    organizations.length === 0 ? [`There are no organizations in ${stage} yet.`] : organizations.map(line);
  const former = gone.map((organization) => `${line(organization)}  deleted on ${organization.deletedOn}`);
  return [...current, ...former].join('\n');
}
