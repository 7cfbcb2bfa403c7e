import { Option } from 'commander';
import type { Stage } from '#infra/settings/stages.ts';
import { commandLine } from '#tools/shared/command-line.ts';
import { loginCommand } from '#tools/shared/login-command.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { addConnectionCommands, connectionIdOf } from '../connections/command.ts';
import { dropSecret, rotate } from '../connections/manage.ts';
import type { Given } from '../connections/new-secret.ts';
import { explainAwsError } from '../explain-aws-error.ts';
import { addPeopleCommands } from '../people/command.ts';
import { readTarget, stageOption, type TargetOptions } from '../target.ts';
import { addWebhookCommands } from '../webhooks/command.ts';
import { type Credentials, type Organization, organizationClients } from './clients.ts';
import { type Commands, onDeployment, onStage, type StageOptions } from './command.ts';
import { addDefaults } from './defaults.ts';
import { deleteOrganization } from './delete.ts';
import { type DeletedOrganization, deletedOrganizations } from './deleted.ts';
import { addErase } from './erase.ts';
import { type Dependencies, findScope } from './scope.ts';
import { organizationSecrets, type SecretAge } from './secrets.ts';
import { findTokenIssuer, type TokenIssuer } from './token-issuer.ts';

/** Runs a command line and returns the text to print. Throws a `UserError` for problems that the operator can fix. */
export async function runOrganization(args: readonly string[], dependencies: Dependencies): Promise<string> {
  let printed = '';
  const program = commandLine(
    'npm run organization --',
    'Manages the organizations of a stage: clients of its user pool, which get tokens from it. Uses the credentials ' +
      'and the region of the AWS CLI.',
  ).addHelpText('after', '\nTo see the options of a command, add --help to it.');
  const printing: Commands['printing'] =
    (work) =>
    async (...given) => {
      printed = await work(...given).catch((error) => {
        throw explainAwsError(error);
      });
    };
  const commands = { program, dependencies, printing };
  addClientCommands(commands);
  addErase(commands);
  addDefaults(commands);
  addConnectionCommands(commands);
  addWebhookCommands(commands);
  addPeopleCommands(commands);
  await program.parseAsync(args, { from: 'user' });
  return printed;
}

function addClientCommands(commands: Commands): void {
  const { program, dependencies, printing } = commands;
  const { cloudFormation, cognito } = dependencies;
  onStage(program, 'create', 'Creates an organization. Prints its id, its secret, a login and a first call.').action(
    printing(async (name: string, { stage }: StageOptions) => {
      const issuer = await findTokenIssuer(cloudFormation, stage);
      const credentials = await organizationClients(cognito, issuer).create(name);
      return `Created ${name} in ${stage}.\n\n${accessText(credentials, issuer)}`;
    }),
  );
  program
    .command('list')
    .description('Lists all organizations, and those that were deleted.')
    .addOption(stageOption().makeOptionMandatory())
    .action(
      printing(async ({ stage }: StageOptions) => {
        const issuer = await findTokenIssuer(cloudFormation, stage);
        const organizations = await organizationClients(cognito, issuer).list();
        return organizationTable(organizations, await deletedOrganizations(cognito, issuer).list(), stage);
      }),
    );
  addRotate(commands);
  onStage(program, 'delete', 'Removes the access, people, connections and webhooks permanently. Keeps the data.')
    .option('--yes', 'confirm it')
    .action(
      printing(async (name: string, { stage, yes = false }: StageOptions & { yes?: boolean }) => {
        const issuer = await findTokenIssuer(cloudFormation, stage);
        return deleteOrganization({ name, isConfirmed: yes }, issuer, dependencies);
      }),
    );
}

function addRotate({ program, dependencies, printing }: Commands): void {
  type Options = TargetOptions & Given & { connection?: string; drop?: SecretAge };
  onDeployment(program, 'rotate', 'Adds a second secret, or drops one of two. Until then, both are valid.')
    .option('--connection <id>', 'a connection whose secrets rotate, instead of those of the client', connectionIdOf)
    .addOption(
      new Option('--drop <age>', 'end a rotation: delete one of the two secrets')
        .choices(['old', 'new'])
        .conflicts(['keyId', 'secretStdin']),
    )
    .option('--key-id <id>', 'with --connection: the id of the API key that the platform signs with')
    .option('--secret-stdin', 'with --connection: read the secret from standard input instead of asking for it')
    .action(
      printing(async (name: string, { connection: connectionId, drop, ...options }: Options) => {
        const target = readTarget(options);
        if (connectionId !== undefined) {
          const command = { ...options, name, target, connectionId };
          const scope = await findScope(command, dependencies);
          return drop ? dropSecret(command, drop, scope) : rotate(command, scope, dependencies);
        }
        if ('dataDir' in target || options.keyId !== undefined || options.secretStdin)
          throw new UserError('Use --data-dir, --key-id and --secret-stdin only with --connection.');
        return rotateClient(name, drop, target.stage, dependencies);
      }),
    );
}

async function rotateClient(
  name: string,
  drop: SecretAge | undefined,
  stage: Stage,
  { cloudFormation, cognito }: Dependencies,
): Promise<string> {
  const issuer = await findTokenIssuer(cloudFormation, stage);
  const secrets = organizationSecrets(cognito, issuer);
  if (drop) {
    const dropped = await secrets.drop(name, drop);
    return (
      `Dropped the ${drop} secret of ${dropped.name} in ${stage}. ` +
      'Tokens that were issued with it stay valid for up to an hour.'
    );
  }
  const credentials = await secrets.add(name);
  return (
    `Added a second secret to ${credentials.name} in ${stage}. The first secret is valid until you drop it:\n` +
    `  npm run organization -- rotate ${name} --stage ${stage} --drop old\n\n${accessText(credentials, issuer)}`
  );
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
