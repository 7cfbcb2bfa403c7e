import type { OrganizationId } from '../../../shared/contracts/organization.ts';
import { SessionEvent } from '../../../shared/contracts/session-events.ts';
import { distinct, type Visitor, visitorsOf } from '../../../shared/domain/participant-record.ts';
import { projectSession } from '../../../shared/domain/session-projection.ts';
import type { TableName } from '../../../shared/names.ts';
import { batchGet } from '../../../shared/storage/batch-get.ts';
import {
  allClientFacts,
  clientFacts,
  roomVisitorKey,
  sampleBlocks,
  sessionRetractions,
  sessionVisitorKey,
  sessionVisitors,
} from '../../../shared/storage/insights/keys.ts';
import { type KeyRange, separator } from '../../../shared/storage/keys.ts';
import type { Progress } from '../../shared/progress-bar.ts';
import type { Deployment } from './deployment.ts';
import { rowsLabel } from './erase-organization.ts';
import { namesPerson, type Participation, type Person } from './find-person.ts';
import type { Removal } from './removal.ts';
import { queryRowsBetween, type Row } from './rows.ts';

/** Every room name starts with `/`, and `0` is the next character, so these two limits include all room names. */
const roomNames = { first: '/', beyond: '0' };
/** The limit of BatchGetItem. */
const maxKeysPerRead = 100;

/**
 * Finds the participants, facts, samples and visitor marks of a person's participations, removes them with the given
 * `Removal`, and returns the counts. It removes
 * marks first, because only the other rows lead to them, and rows that contain the person's id last. So it can run again
 * after a crash.
 */
export async function erasePerson(
  deployment: Deployment,
  organizationId: OrganizationId,
  { person, participations }: { readonly person: Person; readonly participations: readonly Participation[] },
  removal: Removal,
  progress: Progress,
): Promise<Map<string, number>> {
  const removed = new Map([rowsLabel('participants'), rowsLabel('insightFacts')].map((name) => [name, 0]));
  const remove = async (table: TableName, rows: readonly Row[]) => {
    await removal.rows(table, rows);
    removed.set(rowsLabel(table), (removed.get(rowsLabel(table)) ?? 0) + rows.length);
  };
  const nameOf = ({ factOwner, factKey }: Row) => `${factOwner} ${factKey}`;
  const counted = new Set<string>(); // two participations can share a mark, which a preview finds twice
  for (const [index, { session, participantId }] of participations.entries()) {
    const participants = await collectRows(deployment, 'participants', session, [
      participantId + separator + roomNames.first,
      participantId + separator + roomNames.beyond,
    ]);
    const facts = await collectRows(deployment, 'insightFacts', session, clientFacts(participantId));
    const marked = await findVisitors(deployment, { session, participantId }, facts);
    // A mark of the session leads to the mark of the room, so it is removed later.
    for (const keyOf of [roomVisitorKey, sessionVisitorKey]) {
      const keys = marked.map(({ roomName, visitor }) =>
        keyOf({ organizationId, roomName, roomSessionId: session.slice(organizationId.length + 1) }, visitor),
      );
      const marks = (await existing(deployment, keys)).filter((mark) => !counted.has(nameOf(mark)));
      for (const mark of marks) counted.add(nameOf(mark));
      await remove('insightFacts', marks);
    }
    for await (const blocks of queryRowsBetween(
      deployment,
      'insightFacts',
      session,
      sampleBlocks(participantId, undefined, undefined),
    )) {
      await remove('insightFacts', blocks);
    }
    await remove('insightFacts', await findRetractions(deployment, session, facts));
    for (const hasId of [false, true]) {
      const select = (rows: readonly Row[]) => rows.filter((row) => namesPerson(person, row) === hasId);
      await remove('participants', select(participants));
      await remove('insightFacts', select(facts));
    }
    progress.show(`${removal.verb} data of the person`, index + 1, participations.length);
  }
  progress.end();
  return removed;
}

async function collectRows(
  deployment: Deployment,
  table: TableName,
  partition: string,
  range: KeyRange,
): Promise<Row[]> {
  const found: Row[] = [];
  for await (const rows of queryRowsBetween(deployment, table, partition, range)) found.push(...rows);
  return found;
}

/** Finds the retractions of these facts that concern no other fact of the session. */
async function findRetractions(deployment: Deployment, session: string, facts: readonly Row[]): Promise<Row[]> {
  const idOf = ({ data }: Row) => (data as { readonly eventId?: unknown }).eventId;
  const retractions = await collectRows(deployment, 'insightFacts', session, sessionRetractions);
  const own = retractions.filter((retraction) => facts.some(({ id }) => id === idOf(retraction)));
  if (own.length === 0) return [];
  const keys = new Set(facts.map((row) => row.factKey));
  const all = await collectRows(deployment, 'insightFacts', session, allClientFacts);
  const others = new Set(all.filter((row) => !keys.has(row.factKey)).map(({ id }) => id));
  return own.filter((retraction) => !others.has(idOf(retraction)));
}

/** Finds the visitors that a participation was counted as, and their rooms: in its facts, and in the marks of its session. */
async function findVisitors(
  deployment: Deployment,
  { session, participantId }: Participation,
  facts: readonly Row[],
): Promise<{ readonly roomName: string; readonly visitor: Visitor }[]> {
  const events = Map.groupBy(
    facts.map((row) => SessionEvent.parse(row)),
    ({ data }) => data.roomName,
  );
  const inFacts = [...events].flatMap(([roomName, roomEvents]) =>
    distinct(projectSession(roomEvents).participants.flatMap(visitorsOf)).map((visitor) => ({ roomName, visitor })),
  );
  const marks = await collectRows(deployment, 'insightFacts', session, sessionVisitors);
  const inMarks = marks
    .filter((mark) => mark.participantId === participantId)
    .map(({ factKey }) => {
      const [, kind, visitorId, roomName = ''] = String(factKey).split(separator);
      return { roomName, visitor: { kind, visitorId } as Visitor }; // the parts of a mark's key
    });
  return [...inFacts, ...inMarks];
}

/** Reads which of the marks exist. */
async function existing(
  { documents, tables: { insightFacts: tableName } }: Deployment,
  marks: readonly Record<string, string>[],
): Promise<Row[]> {
  const keys = [...new Map(marks.map((mark) => [JSON.stringify(mark), mark])).values()];
  const found: Row[] = [];
  for (let from = 0; from < keys.length; from += maxKeysPerRead) {
    const batch = keys.slice(from, from + maxKeysPerRead);
    found.push(...(await batchGet(documents, { tableName, keys: batch, consistent: true })));
  }
  return found;
}
