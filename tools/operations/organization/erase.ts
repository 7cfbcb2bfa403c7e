import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { outputNames } from '../../../infra/outputs.ts';
import { OrganizationId } from '../../../shared/contracts/organization.ts';
import { transcriptionEndpoints } from '../../../shared/contracts/transcription-endpoints.ts';
import type { Endpoints } from '../../shared/endpoints.ts';
import { UserError } from '../../shared/user-error.ts';
import { eraseOrganization, type Terminal } from '../erasure/erase-organization.ts';
import { erasePerson } from '../erasure/erase-person.ts';
import { findStays, type Person, transcriptionsOf } from '../erasure/find-person.ts';
import { type Place, placeOfRunner, placeOfStage, type Stores } from '../erasure/place.ts';
import { removedTable, whatIsLeft } from '../erasure/report.ts';
import { stackOutputs } from '../stack-outputs.ts';
import { organizationClients } from './clients.ts';
import type { EraseCommand } from './command.ts';
import { findDeployment } from './deployment.ts';

/** What erasing needs of the outside world. */
export type EraseDeps = {
  readonly cloudFormation: CloudFormationClient;
  readonly cognito: CognitoIdentityProviderClient;
  readonly openStores: (endpoints?: Endpoints) => Stores;
  readonly terminal: Terminal;
};

/** Whose data are meant, how that was found out, and where they are. */
type Target = { readonly organizationId: OrganizationId; readonly note: string; readonly place: Place };

/** Erases an organization, or a person of it, and tells what it removed; without `--yes`, or where something is left, a problem says so. */
export async function erase(command: EraseCommand, deps: EraseDeps): Promise<string> {
  const target = await findTarget(command, deps);
  deps.terminal.say(target.note);
  const { person } = command;
  return person ? eraseOnePerson(command, person, target, deps) : eraseAll(command, target, deps);
}

async function eraseAll(command: EraseCommand, target: Target, { terminal }: EraseDeps): Promise<string> {
  const { organizationId, place } = target;
  const again = meant(command, target);
  if (!command.isMeant) throw new UserError(`${whatWouldGo(target)}\nIf that is meant:\n  ${again}`);
  const erasure = await eraseOrganization(place, organizationId, terminal);
  const report = `Removed of ${organizationId}:\n${removedTable(erasure.removed)}`;
  const left = whatIsLeft(erasure, again);
  if (left !== undefined) throw new UserError(`${report}\n${left}`);
  return report;
}

/** The transcriptions are named before anything is removed: afterwards nothing leads to them. */
async function eraseOnePerson(command: EraseCommand, person: Person, target: Target, { terminal }: EraseDeps) {
  const { organizationId, place } = target;
  const stays = await findStays(place, organizationId, person, terminal);
  const sessions = new Set(stays.map(({ session }) => session)).size;
  terminal.say(`In ${organizationId} the person was in ${sessions} sessions.`);
  const transcriptions = await transcriptionsOf(place, stays);
  if (transcriptions.length > 0) terminal.say(transcriptCommands(transcriptions, place.apiUrl));
  if (!command.isMeant) {
    const what =
      'To erase them removes for good their rows of participants and insightFacts. Totals stay as they were counted.';
    throw new UserError(`${what}\nIf that is meant:\n  ${meant(command, target)}`);
  }
  const removed = await erasePerson(place, organizationId, { person, stays }, terminal);
  return `Removed of the person:\n${removedTable(removed)}`;
}

async function findTarget({ name, where }: EraseCommand, deps: EraseDeps): Promise<Target> {
  if ('dataDir' in where) {
    const place = await placeOfRunner(where.dataDir, deps.openStores);
    return { organizationId: OrganizationId.parse(name), note: `On one machine ${name} is the id itself.`, place };
  }
  const { stage } = where;
  const outputs = await stackOutputs(deps.cloudFormation, stage);
  const place = placeOfStage(stage, outputs, deps.openStores());
  if (!outputs.has(outputNames.userPoolId)) {
    const note = `The stage ${stage} has an issuer of its own: ${name} is taken as the organization's id.`;
    return { organizationId: OrganizationId.parse(name), note, place };
  }
  const clients = organizationClients(deps.cognito, await findDeployment(deps.cloudFormation, stage));
  const client = await clients.search(name);
  if (!client) {
    const note = `The user pool of ${stage} has no client ${name} (any more): ${name} is taken as the organization's id.`;
    return { organizationId: OrganizationId.parse(name), note, place };
  }
  const note =
    `${client.name} is ${client.id} in ${stage}, and still gets tokens: to write nothing meanwhile, first\n` +
    `  npm run organization -- delete ${client.id} --stage ${stage} --yes`;
  return { organizationId: OrganizationId.parse(client.id), note, place };
}

function whatWouldGo({ organizationId, place: { tables, buckets, jobNamePrefix } }: Target): string {
  return (
    `To erase ${organizationId} removes for good:\n` +
    `  its rows in all ${Object.keys(tables).length} tables of ${jobNamePrefix}\n` +
    `  its transcripts in ${buckets.transcripts}\n` +
    `  its recordings in ${buckets.recordings}: those that its rows name, and all below ${organizationId}/\n` +
    '  its Transcribe jobs'
  );
}

/** The command line that does it. */
function meant({ where, person }: EraseCommand, { organizationId }: Target): string {
  const flags = {
    '--participant-id': person?.participantId,
    '--external-id': person?.externalId,
    ...('dataDir' in where ? { '--data-dir': where.dataDir } : { '--stage': where.stage }),
  };
  const given = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : `${flag} ${quoted(value)}`,
  );
  return `npm run organization -- erase ${organizationId} ${given.join(' ')} --yes`;
}

/** As a shell takes it for one word. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function transcriptCommands(transcriptionIds: readonly string[], apiUrl: string): string {
  const { method, path } = transcriptionEndpoints.deleteTranscription;
  const commands = transcriptionIds.map((id) => {
    const url = `${apiUrl}${path.replace('{transcriptionId}', id)}`;
    return `  curl -X ${method} -H "Authorization: Bearer $TOKEN" '${url}'`;
  });
  return `What was said stays in transcripts until these are deleted, with a token of the organization:\n${commands.join('\n')}`;
}
