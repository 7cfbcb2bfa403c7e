import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { attributeNames, rowsByOrganization } from '#shared/runtime/names.ts';
import { managedSecrets } from '../connections/secrets.ts';
import type { Deployment } from './deployment.ts';
import type { Removal } from './removal.ts';
import { queryIndex } from './rows.ts';

/** Counts what was removed, as pages are done. */
export type CountConnections = (found: { readonly rows: number; readonly secrets: number }) => void;

/**
 * Removes an organization's connections with their secrets, and then secrets whose row is gone. A secret goes before the row that leads to it. A
 * connection without a secret or without a row takes no webhook, so none is taken after this, except from what functions remember for a minute.
 */
export async function removeConnections(
  deployment: Deployment,
  organizationId: OrganizationId,
  removal: Removal,
  count: CountConnections,
): Promise<void> {
  const secrets = managedSecrets(deployment);
  const done = new Set<string>(); // the list can still contain a secret for a while after its removal
  const removeSecret = async (connectionId: string) => {
    if (done.has(connectionId)) return;
    done.add(connectionId);
    if (!(await secrets.exists(connectionId))) return;
    await removal.secret(connectionId);
    count({ rows: 0, secrets: 1 });
  };
  const partition = [attributeNames.organizationId, organizationId] as const;
  for await (const rows of queryIndex(deployment, 'connections', rowsByOrganization, partition)) {
    for (const row of rows) await removeSecret(String(row[attributeNames.connectionId]));
    await removal.rows('connections', rows);
    count({ rows: rows.length, secrets: 0 });
  }
  for await (const connectionId of secrets.idsOf(organizationId)) await removeSecret(connectionId);
}
