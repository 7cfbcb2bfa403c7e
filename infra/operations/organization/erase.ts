import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { OrganizationId } from '../../../shared/contracts/organization.ts';
import type { Endpoints } from '../../local/endpoints.ts';
import { RunnerProblem } from '../../local/problem.ts';
import { outputNames } from '../../outputs.ts';
import { eraseOrganization, type Terminal } from '../erasure/erase-organization.ts';
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

/** Erases an organization, and tells what it removed; without `--yes`, or where something is left, a problem says so. */
export async function erase(command: EraseCommand, deps: EraseDeps): Promise<string> {
  const target = await findTarget(command, deps);
  const { organizationId, note, place } = target;
  const again = `npm run organization -- erase ${organizationId} ${whereOf(command)} --yes`;
  if (!command.isMeant) throw new RunnerProblem(`${note}\n${whatWouldGo(target)}\nIf that is meant:\n  ${again}`);
  deps.terminal.say(note);
  const erasure = await eraseOrganization(place, organizationId, deps.terminal);
  const report = `Removed of ${organizationId}:\n${removedTable(erasure.removed)}`;
  const left = whatIsLeft(erasure, again);
  if (left !== undefined) throw new RunnerProblem(`${report}\n${left}`);
  return report;
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
    `  its recordings in ${buckets.recordings}, as its rows name them\n` +
    '  its Transcribe jobs'
  );
}

function whereOf({ where }: EraseCommand): string {
  return 'dataDir' in where ? `--data-dir ${where.dataDir}` : `--stage ${where.stage}`;
}
