import { outputNames } from '#infra/stack/outputs.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { personTokenMinutes } from '#shared/contracts/organization/person.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import type { WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { webhookKey } from '#shared/storage/webhooks/rows.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { deploymentOfStage } from '../erasure/deployment.ts';
import { removeConnections } from '../erasure/organization-connections.ts';
import { removing } from '../erasure/removal.ts';
import { type PersonInPool, peoplePool } from '../people/pool.ts';
import { stackOutputs } from '../stack-outputs.ts';
import { shownUrl } from '../webhooks/list.ts';
import { webhooksOf } from '../webhooks/stored.ts';
import { organizationClients } from './clients.ts';
import { deletedOrganizations } from './deleted.ts';
import type { Dependencies } from './scope.ts';
import type { TokenIssuer } from './token-issuer.ts';

/**
 * Ends all access of an organization: removes its connections, which would go on to take webhooks, its webhooks, which would go on to be
 * sent, its people, who would go on to log in, and then its client. Keeps its data. Can run again after a crash. Without confirmation it throws a `UserError` that says what it would remove.
 */
export async function deleteOrganization(
  { name, isConfirmed }: { readonly name: string; readonly isConfirmed: boolean },
  issuer: TokenIssuer,
  { cloudFormation, cognito, openStores }: Pick<Dependencies, 'cloudFormation' | 'cognito' | 'openStores'>,
): Promise<string> {
  const { stage } = issuer;
  const clients = organizationClients(cognito, issuer);
  const organization = await clients.get(name);
  const organizationId = OrganizationId.parse(organization.id);
  const outputs = await stackOutputs(cloudFormation, stage);
  const deployment = deploymentOfStage(stage, outputs, openStores());
  const poolId = outputs.get(outputNames.peoplePoolId);
  const pool = poolId === undefined ? undefined : peoplePool(cognito, poolId);
  const people = (await pool?.listOf(organizationId)) ?? [];
  const connections = await connectionRepository(deployment.documents, deployment.tables.connections).listOf(
    organizationId,
  );
  const webhooks = await webhooksOf(deployment, organizationId);
  if (!isConfirmed)
    throw new UserError(
      `Deleting ${organization.name} removes its access permanently. If you create an organization with the same name again, it has ` +
        `another id and none of the data.\n${warningOf(connections)}${warningOfWebhooks(webhooks)}${warningOfPeople(people)}To confirm, add --yes.`,
    );
  await deletedOrganizations(cognito, issuer).record(organization); // before the deletion, so that no crash loses the name
  const removal = removing(deployment);
  await removeConnections(deployment, organizationId, removal, () => {});
  await removal.rows('webhooks', webhooks.map(webhookKey));
  await pool?.removeAllOf(organizationId);
  await clients.remove(organization.id);
  return (
    `Deleted ${organization.name} from ${stage}. It gets no new tokens, and its existing tokens expire within an hour.\n` +
    `${resultOf(connections)}${resultOfWebhooks(webhooks)}${resultOfPeople(people)}Its data is kept under the organization id ${organizationId}. To erase the data, wait an hour and run:\n` +
    `  npm run organization -- erase ${organizationId} --stage ${stage}`
  );
}

function warningOf(connections: readonly Connection[]): string {
  if (connections.length === 0) return '';
  return `It also disconnects these platforms, whose webhooks are refused from then on:\n${listOf(connections)}\n`;
}

function resultOf(connections: readonly Connection[]): string {
  if (connections.length === 0) return '';
  const remedy = 'Remove the webhooks at the platforms, too: they go on sending otherwise.';
  return `Disconnected these platforms. Their webhooks are refused within a minute. ${remedy}\n${listOf(connections)}\n`;
}

function warningOfWebhooks(webhooks: readonly WebhookRecord[]): string {
  if (webhooks.length === 0) return '';
  return `It also removes these webhooks, to which nothing is sent from then on:\n${listOfWebhooks(webhooks)}\n`;
}

function resultOfWebhooks(webhooks: readonly WebhookRecord[]): string {
  if (webhooks.length === 0) return '';
  return `Removed these webhooks. Calls that have begun end within a minute.\n${listOfWebhooks(webhooks)}\n`;
}

function warningOfPeople(people: readonly PersonInPool[]): string {
  if (people.length === 0) return '';
  return `It also ends the access of these people to the organization's data in the console:\n${listOfPeople(people)}\n`;
}

function resultOfPeople(people: readonly PersonInPool[]): string {
  if (people.length === 0) return '';
  const remaining = `Tokens that they have are valid for up to ${personTokenMinutes} minutes.`;
  return `Ended the access of these people in the console. ${remaining}\n${listOfPeople(people)}\n`;
}

function listOfPeople(people: readonly PersonInPool[]): string {
  return people.map(({ email }) => `  ${email}`).join('\n');
}

function listOfWebhooks(webhooks: readonly WebhookRecord[]): string {
  return webhooks.map(({ webhookId, url }) => `  ${webhookId}  ${shownUrl(url)}`).join('\n');
}

function listOf(connections: readonly Connection[]): string {
  return connections.map(({ connectionId, platform }) => `  ${connectionId}  ${platforms[platform].title}`).join('\n');
}
