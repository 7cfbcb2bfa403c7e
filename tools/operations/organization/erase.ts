import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { outputNames } from '../../../infra/outputs.ts';
import { OrganizationId } from '../../../shared/contracts/organization.ts';
import { transcriptionEndpoints } from '../../../shared/contracts/transcription-endpoints.ts';
import type { Endpoints } from '../../shared/endpoints.ts';
import { UserError } from '../../shared/user-error.ts';
import { type Deployment, deploymentOfRunner, deploymentOfStage, type Stores } from '../erasure/deployment.ts';
import { eraseOrganization, type Terminal } from '../erasure/erase-organization.ts';
import { erasePerson } from '../erasure/erase-person.ts';
import { findParticipations, type Person, transcriptionsOf } from '../erasure/find-person.ts';
import { describeRemaining, removedTable } from '../erasure/report.ts';
import { stackOutputs } from '../stack-outputs.ts';
import { organizationClients } from './clients.ts';
import type { EraseCommand } from './command.ts';
import { findTokenIssuer } from './token-issuer.ts';

/** The AWS clients and the terminal that the commands use. */
export type Dependencies = {
  readonly cloudFormation: CloudFormationClient;
  readonly cognito: CognitoIdentityProviderClient;
  readonly openStores: (endpoints?: Endpoints) => Stores;
  readonly terminal: Terminal;
};

/** The organization to erase, how its id was determined, and the deployment with its data. */
type Scope = { readonly organizationId: OrganizationId; readonly note: string; readonly deployment: Deployment };

/**
 * Erases an organization, or one person of it, and returns a report of what it removed. Throws a `UserError` if `--yes` is
 * missing, or if something could not be removed.
 */
export async function erase(command: EraseCommand, dependencies: Dependencies): Promise<string> {
  const scope = await findScope(command, dependencies);
  dependencies.terminal.print(scope.note);
  const { person } = command;
  return person ? eraseOnePerson(command, person, scope, dependencies) : eraseAll(command, scope, dependencies);
}

async function eraseAll(command: EraseCommand, scope: Scope, { terminal }: Dependencies): Promise<string> {
  const { organizationId, deployment } = scope;
  const confirmed = confirmedCommand(command, scope);
  if (!command.isConfirmed) throw new UserError(`${preview(scope)}\nTo confirm, run:\n  ${confirmed}`);
  const erasure = await eraseOrganization(deployment, organizationId, terminal);
  const report = `Removed data of ${organizationId}:\n${removedTable(erasure.removed)}`;
  const remaining = describeRemaining(erasure, confirmed);
  if (remaining !== undefined) throw new UserError(`${report}\n${remaining}`);
  return report;
}

/** Lists the person's transcriptions before it removes anything, because afterwards no data leads to them. */
async function eraseOnePerson(command: EraseCommand, person: Person, scope: Scope, { terminal }: Dependencies) {
  const { organizationId, deployment } = scope;
  const participations = await findParticipations(deployment, organizationId, person, terminal);
  const sessions = new Set(participations.map(({ session }) => session)).size;
  terminal.print(`Sessions of ${organizationId} in which the person participated: ${sessions}`);
  const transcriptions = await transcriptionsOf(deployment, participations);
  if (transcriptions.length > 0) terminal.print(transcriptCommands(transcriptions, deployment.apiUrl));
  if (!command.isConfirmed) {
    throw new UserError(
      'Erasing the person permanently removes their rows of participants and insightFacts. Totals do not change.\n' +
        `To confirm, run:\n  ${confirmedCommand(command, scope)}`,
    );
  }
  const removed = await erasePerson(deployment, organizationId, { person, participations }, terminal);
  return `Removed data of the person:\n${removedTable(removed)}`;
}

async function findScope({ name, target }: EraseCommand, dependencies: Dependencies): Promise<Scope> {
  if ('dataDir' in target) {
    const deployment = await deploymentOfRunner(target.dataDir, dependencies.openStores);
    const note = `In the local runner, the name of an organization is its id: ${name}.`;
    return { organizationId: OrganizationId.parse(name), note, deployment };
  }
  const { stage } = target;
  const outputs = await stackOutputs(dependencies.cloudFormation, stage);
  const deployment = deploymentOfStage(stage, outputs, dependencies.openStores());
  if (!outputs.has(outputNames.userPoolId)) {
    const note = `Stage ${stage} has its own token issuer, so ${name} is used as the id of the organization.`;
    return { organizationId: OrganizationId.parse(name), note, deployment };
  }
  const issuer = await findTokenIssuer(dependencies.cloudFormation, stage);
  const client = await organizationClients(dependencies.cognito, issuer).find(name);
  if (!client) {
    const note =
      `The user pool of ${stage} has no client ${name}, or no longer has it, ` +
      `so ${name} is used as the id of the organization.`;
    return { organizationId: OrganizationId.parse(name), note, deployment };
  }
  const note =
    `${client.name} has the id ${client.id} in ${stage} and still gets tokens. To prevent new data, first run:\n` +
    `  npm run organization -- delete ${client.id} --stage ${stage} --yes`;
  return { organizationId: OrganizationId.parse(client.id), note, deployment };
}

function preview({ organizationId, deployment: { tables, buckets, jobNamePrefix } }: Scope): string {
  return (
    `Erasing ${organizationId} permanently removes:\n` +
    `  its rows in all ${Object.keys(tables).length} tables of ${jobNamePrefix}\n` +
    `  its transcripts in ${buckets.transcripts}\n` +
    `  its recordings in ${buckets.recordings}: those that its rows name, and all below ${organizationId}/\n` +
    '  its Transcribe jobs'
  );
}

/** Returns the command line that erases without a further question. */
function confirmedCommand({ target, person }: EraseCommand, { organizationId }: Scope): string {
  const flags = {
    '--participant-id': person?.participantId,
    '--external-id': person?.externalId,
    ...('dataDir' in target ? { '--data-dir': target.dataDir } : { '--stage': target.stage }),
  };
  const given = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : `${flag} ${shellQuote(value)}`,
  );
  return `npm run organization -- erase ${organizationId} ${given.join(' ')} --yes`;
}

/** Quotes a text so that a shell reads it as one word. */
function shellQuote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function transcriptCommands(transcriptionIds: readonly string[], apiUrl: string): string {
  const { method, path } = transcriptionEndpoints.deleteTranscription;
  const commands = transcriptionIds.map((id) => {
    const url = `${apiUrl}${path.replace('{transcriptionId}', id)}`;
    return `  curl -X ${method} -H "Authorization: Bearer $TOKEN" '${url}'`;
  });
  return (
    'Transcripts keep what the person said. To delete them, run these commands with a token of the organization:\n' +
    commands.join('\n')
  );
}
