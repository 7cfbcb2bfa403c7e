import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { isClientEvent, isSessionEvent } from '#shared/contracts/insights/session-events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { isTalkFact } from '#shared/domain/insights/talk-facts.ts';
import { attributeNames, indexNames } from '#shared/runtime/names.ts';
import { separator } from '#shared/storage/common/keys.ts';
import { participantOfItem, participantsOfPage } from '#shared/storage/insights/participant-items.ts';
import { toBlock } from '#shared/storage/insights/session-blocks.ts';
import type { Progress } from '#tools/shared/progress-bar.ts';
import type { Deployment } from './deployment.ts';
import { countRowsOfTable, type Row, scanRows } from './rows.ts';

/** Identifies a person of an organization. With both ids, everyone who had either of them is selected. */
export type Person = { readonly participantId?: string | undefined; readonly externalId?: string | undefined };

/** A person's participation in one session, in any number of its rooms. `session` is the partition key of its rows. */
export type Participation = { readonly session: string; readonly participantId: string };

/** What a row says about a participant. Many rows contain only one of the ids. */
type Named = { readonly participantId: string; readonly externalId?: string | null | undefined };

/**
 * Finds every session in which a person participated. It scans both tables, because no key leads from a person to all their
 * sessions: the index by external id has only the latest external id of each participation. The lists say it as long as they
 * exist, and the facts say it until they expire.
 */
export async function findParticipations(
  deployment: Deployment,
  organizationId: OrganizationId,
  { participantId, externalId }: Person,
  progress: Progress,
): Promise<Participation[]> {
  const participations = new Map<string, Participation>();
  for (const { table, partitionKey, attributes, namedIn } of sources) {
    const total = await countRowsOfTable(deployment, table);
    let scanned = 0;
    for await (const page of scanRows(deployment, table, `${organizationId}#`, attributes)) {
      for (const row of page.rows) {
        for (const named of namedIn(row)) {
          const isPerson =
            named.participantId === participantId || (externalId !== undefined && named.externalId === externalId);
          if (!isPerson) continue;
          const participation = { session: String(row[partitionKey]), participantId: named.participantId };
          participations.set(JSON.stringify(participation), participation);
        }
      }
      scanned += page.scanned;
      progress.show(`Scanning ${table}`, Math.min(scanned, total), total);
    }
  }
  progress.end();
  return [...participations.values()];
}

const sources = [
  {
    table: 'participants',
    partitionKey: attributeNames.organizationSession,
    attributes: ['participants', 'listed'],
    namedIn: namedInList,
  },
  {
    table: 'insightFacts',
    partitionKey: attributeNames.factOwner,
    attributes: ['events', 'bytes'],
    namedIn: namedInFacts,
  },
] as const;

/** Reads the participant from the key of a row of participants. The key of a page names the first one, also after it was emptied. */
export function participantInKey(row: Row): string {
  return String(row[attributeNames.listKey]).split(separator).at(-2) ?? '';
}

/** Reads the participant from the key of a block of speech, where it follows the time. */
export function speakerInKey(row: Row): string {
  return String(row[attributeNames.factKey]).split(separator)[2] ?? '';
}

function namedInList(row: Row): Named[] {
  const listed = participantOfItem(row);
  const ofPage = participantsOfPage(row).map((element) => element.listed);
  return [{ participantId: participantInKey(row) }, ...ofPage, ...(listed ? [listed] : [])];
}

/** The first part of the key is the kind of row, and only some kinds name participants. */
function namedInFacts(row: Row): Named[] {
  const [kind, ...parts] = String(row[attributeNames.factKey]).split(separator);
  if (kind === 'samples') return [{ participantId: parts[0] ?? '' }];
  if (kind === 'speech') return [{ participantId: speakerInKey(row) }];
  if (kind !== 'events') return [];
  const { facts } = toBlock(row);
  const events = facts.filter(isSessionEvent).filter(isClientEvent);
  const measured = facts.filter(isTalkFact).map(({ data }) => ({ participantId: data.participantId }));
  return [...events.map(({ data }) => data), ...measured];
}

/** A transcription of a session of the person. `session` is the partition key of the session's rows. */
export type TranscriptionOfSession = {
  readonly session: string;
  readonly transcriptionId: string;
  /** True while the service makes a transcript from a recording. When it ends, it may name the person. */
  readonly isBeingMade: boolean;
};

/** Returns all transcriptions of these sessions. */
export async function transcriptionsOf(
  { documents, tables }: Deployment,
  sessions: ReadonlySet<string>,
): Promise<TranscriptionOfSession[]> {
  const found: TranscriptionOfSession[] = [];
  for (const session of sessions) {
    const pages = paginateQuery(
      { client: documents },
      {
        TableName: tables.transcriptions,
        IndexName: indexNames.bySessionAndStartDate,
        KeyConditionExpression: `${attributeNames.organizationSession} = :session`,
        ExpressionAttributeValues: { ':session': session },
      },
    );
    for await (const { Items = [] } of pages)
      for (const { transcriptionId, state, type } of Items) {
        const isBeingMade = state === 'in_progress' && type === 'RECORDING_TRANSCRIPTION';
        found.push({ session, transcriptionId: String(transcriptionId), isBeingMade });
      }
  }
  return found;
}
