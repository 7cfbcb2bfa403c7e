import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '../../../shared/contracts/organization.ts';
import { attributeNames, indexNames, type TableName } from '../../../shared/names.ts';
import { separator } from '../../../shared/storage/keys.ts';
import type { Progress } from '../../shared/progress-bar.ts';
import type { Place } from './place.ts';
import { type Row, rowsAnywhere, sizeOf } from './rows.ts';

/** Who is meant: whoever had either id in the organization. */
export type Person = { readonly participantId?: string | undefined; readonly externalId?: string | undefined };

/** A person in one session, in whatever room: where their rows are. */
export type Stay = { readonly session: string; readonly participantId: string };

/** Whether a participant's row, a fact or a block of samples names the person; many of theirs name them by one id only. */
export function names({ participantId, externalId }: Person, row: Row): boolean {
  const { listed, data } = row as Readonly<Record<string, { readonly externalId?: unknown } | null | undefined>>;
  if (participantId !== undefined && participantIdOf(row) === participantId) return true;
  return externalId !== undefined && (listed?.externalId === externalId || data?.externalId === externalId);
}

/**
 * Every stay of a person. Both tables are read as a whole: keys lead from sessions to people, and none from a person to
 * all of their sessions; the index by external id has the last one of each stay alone.
 */
export async function findStays(
  place: Place,
  organizationId: OrganizationId,
  person: Person,
  progress: Progress,
): Promise<Stay[]> {
  const stays = new Map<string, Stay>();
  for (const [table, attribute] of [
    ['participants', 'listed'],
    ['insightFacts', 'data'],
  ] as const) {
    const total = await sizeOf(place, table);
    let done = 0;
    for await (const { rows, looked } of rowsAnywhere(place, table, `${organizationId}#`, [attribute])) {
      for (const row of rows.filter((each) => names(person, each))) {
        const stay = { session: sessionOf(table, row), participantId: participantIdOf(row) ?? '' };
        stays.set(JSON.stringify(stay), stay);
      }
      done += looked;
      progress.show(`Looking through ${table}`, Math.min(done, total), total);
    }
  }
  progress.end();
  return [...stays.values()];
}

/** The ids of the transcriptions that there are of the sessions of some stays. */
export async function transcriptionsOf({ documents, tables }: Place, stays: readonly Stay[]): Promise<string[]> {
  const ids: string[] = [];
  for (const session of new Set(stays.map((stay) => stay.session))) {
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

/** The participant in a row's key; facts and samples have the kind of row before it, and those of nobody none. */
function participantIdOf({ participantKey, factKey }: Row): string | undefined {
  if (participantKey !== undefined) return String(participantKey).split(separator)[0];
  const [kind, participantId] = String(factKey).split(separator);
  return kind === 'client' || kind === 'samples' ? participantId : undefined;
}

function sessionOf(table: TableName, row: Row): string {
  return String(table === 'participants' ? row.organizationSession : row.factOwner);
}
