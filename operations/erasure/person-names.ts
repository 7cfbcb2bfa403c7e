import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { comparableName } from '#shared/runtime/shown-name.ts';
import type { Deployment } from './deployment.ts';
import { listedIn } from './person-lists.ts';
import { readListRows, readLog } from './person-session.ts';

type Named = { readonly participantId: string; readonly displayName: string };

/**
 * The names with which these participants joined a session, as `comparableName` writes them, without those that somebody else of the session
 * has too: nobody knows whom a correction with such a name means. `partition` is the partition key of the session's rows.
 */
export async function ownNames(
  deployment: Deployment,
  organizationId: OrganizationId,
  partition: string,
  participantIds: ReadonlySet<string>,
): Promise<Set<string>> {
  const session = { organizationId, roomSessionId: partition.slice(organizationId.length + 1) };
  const facts = (await readLog(deployment, { partition, session })).flatMap((block) => block.facts);
  const joined = facts.flatMap((fact): Named[] => (fact.type === 'room.client.joined' ? [fact.data] : []));
  const listed = listedIn(await readListRows(deployment, { partition, session }));
  const [hers, others] = [new Set<string>(), new Set<string>()];
  for (const { participantId, displayName } of [...joined, ...listed.flatMap((each) => each.listed ?? [])])
    (participantIds.has(participantId) ? hers : others).add(comparableName(displayName));
  return new Set([...hers].filter((name) => name !== '' && !others.has(name)));
}
