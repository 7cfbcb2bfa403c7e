import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '../../../shared/contracts/organization.ts';
import { attributeNames, indexNames, type TableName } from '../../../shared/names.ts';
import { separator } from '../../../shared/storage/keys.ts';
import type { Progress } from '../../shared/progress-bar.ts';
import type { Deployment } from './deployment.ts';
import { countRowsOfTable, type Row, scanRows } from './rows.ts';

/** Identifies a person of an organization. With both ids, everyone who had either of them is selected. */
export type Person = { readonly participantId?: string | undefined; readonly externalId?: string | undefined };

/** A person's participation in one session, in any number of its rooms. `session` is the partition key of its rows. */
export type Participation = { readonly session: string; readonly participantId: string };

/** Returns whether a row of participants or insightFacts contains one of the person's ids. Many rows contain only one. */
export function namesPerson({ participantId, externalId }: Person, row: Row): boolean {
  const { listed, data } = row as Readonly<Record<string, { readonly externalId?: unknown } | null | undefined>>;
  if (participantId !== undefined && participantIdOf(row) === participantId) return true;
  return externalId !== undefined && (listed?.externalId === externalId || data?.externalId === externalId);
}

/**
 * Finds every session in which a person participated. It scans both tables, because no key leads from a person to all their
 * sessions: the index by external id has only the latest external id of each participation.
 */
export async function findParticipations(
  deployment: Deployment,
  organizationId: OrganizationId,
  person: Person,
  progress: Progress,
): Promise<Participation[]> {
  const participations = new Map<string, Participation>();
  for (const [table, attribute] of [
    ['participants', 'listed'],
    ['insightFacts', 'data'],
  ] as const) {
    const total = await countRowsOfTable(deployment, table);
    let scanned = 0;
    for await (const page of scanRows(deployment, table, `${organizationId}#`, [attribute])) {
      for (const row of page.rows.filter((each) => namesPerson(person, each))) {
        const participation = { session: sessionOf(table, row), participantId: participantIdOf(row) ?? '' };
        participations.set(JSON.stringify(participation), participation);
      }
      scanned += page.scanned;
      progress.show(`Scanning ${table}`, Math.min(scanned, total), total);
    }
  }
  progress.end();
  return [...participations.values()];
}

/** Returns the ids of all transcriptions of the sessions in which a person participated. */
export async function transcriptionsOf(
  { documents, tables }: Deployment,
  participations: readonly Participation[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const session of new Set(participations.map((participation) => participation.session))) {
    const pages = paginateQuery(
      { client: documents },
      {
        TableName: tables.transcriptions,
        IndexName: indexNames.bySessionAndStartDate,
        KeyConditionExpression: `${attributeNames.organizationSession} = :session`,
        ExpressionAttributeValues: { ':session': session },
      },
    );
    for await (const { Items = [] } of pages) ids.push(...Items.map((item) => String(item.transcriptionId)));
  }
  return ids;
}

/** Reads the participant from a row's key. In insightFacts the kind of row precedes it, and only some kinds have one. */
function participantIdOf({ participantKey, factKey }: Row): string | undefined {
  if (participantKey !== undefined) return String(participantKey).split(separator)[0];
  const [kind, participantId] = String(factKey).split(separator);
  return kind === 'client' || kind === 'samples' ? participantId : undefined;
}

function sessionOf(table: TableName, row: Row): string {
  return String(table === 'participants' ? row.organizationSession : row.factOwner);
}
