import type { OrganizationId } from '../../../shared/contracts/organization.ts';
import { SessionEvent } from '../../../shared/contracts/session-events.ts';
import { participantRecord, type SessionKey, type Visitor } from '../../../shared/domain/participant-record.ts';
import { projectSession } from '../../../shared/domain/session-projection.ts';
import type { TableName } from '../../../shared/names.ts';
import { batchGet } from '../../../shared/storage/batch-get.ts';
import { clientFacts, roomVisitorKey, sampleBlocks, sessionVisitorKey } from '../../../shared/storage/insights/keys.ts';
import { toParticipantRecord } from '../../../shared/storage/insights/rows.ts';
import { type KeyRange, separator } from '../../../shared/storage/keys.ts';
import type { Progress } from '../../shared/progress-bar.ts';
import { rowsOf } from './erase-organization.ts';
import { names, type Person, type Stay } from './find-person.ts';
import type { Place } from './place.ts';
import { type Row, removeRows, rowsBetween } from './rows.ts';

/** No name of a room begins with anything else. */
const roomNames = { first: '/', beyond: '0' };
/** BatchGetItem takes 100 keys. */
const maxKeysPerRead = 100;

/**
 * Removes a person's participants, facts, samples and marks from their stays, and tells how many. Marks, which nothing
 * leads to but the facts, go first, and last of all what names the person: so it may be run again after a crash.
 */
export async function erasePerson(
  place: Place,
  organizationId: OrganizationId,
  { person, stays }: { readonly person: Person; readonly stays: readonly Stay[] },
  progress: Progress,
): Promise<Map<string, number>> {
  const removed = new Map([rowsOf('participants'), rowsOf('insightFacts')].map((name) => [name, 0]));
  const remove = async (table: TableName, rows: readonly Row[]) => {
    await removeRows(place, table, rows);
    removed.set(rowsOf(table), (removed.get(rowsOf(table)) ?? 0) + rows.length);
  };
  for (const [index, { session, participantId }] of stays.entries()) {
    const participants = await all(place, 'participants', session, [
      participantId + separator + roomNames.first,
      participantId + separator + roomNames.beyond,
    ]);
    const facts = await all(place, 'insightFacts', session, clientFacts(participantId));
    await remove('insightFacts', await marksOf(place, organizationId, session, { participants, facts }));
    for await (const blocks of rowsBetween(
      place,
      'insightFacts',
      session,
      sampleBlocks(participantId, undefined, undefined),
    )) {
      await remove('insightFacts', blocks);
    }
    for (const isNamed of [false, true]) {
      const some = (rows: readonly Row[]) => rows.filter((row) => names(person, row) === isNamed);
      await remove('participants', some(participants));
      await remove('insightFacts', some(facts));
    }
    progress.show('Removing what is of the person', index + 1, stays.length);
  }
  progress.end();
  return removed;
}

async function all(place: Place, table: TableName, partition: string, range: KeyRange): Promise<Row[]> {
  const found: Row[] = [];
  for await (const rows of rowsBetween(place, table, partition, range)) found.push(...rows);
  return found;
}

/** The marks that there are of the visitors that a stay was counted as, in its session and in its rooms. */
async function marksOf(
  { documents, tables }: Place,
  organizationId: OrganizationId,
  session: string,
  { participants, facts }: Readonly<Record<'participants' | 'facts', readonly Row[]>>,
): Promise<Row[]> {
  const roomSessionId = session.slice(organizationId.length + 1);
  const keyOf = (roomName: string): SessionKey => ({ organizationId, roomName, roomSessionId });
  const events = Map.groupBy(
    facts.map((row) => SessionEvent.parse(row)),
    ({ data }) => data.roomName,
  );
  const marks = [
    ...[...events].flatMap(([roomName, some]) => marksIn(keyOf(roomName), visitorsIn(keyOf(roomName), some))),
    ...participants.flatMap((row) => {
      const key = keyOf(String(row.participantKey).split(separator)[1] ?? '');
      return marksIn(key, toParticipantRecord(row).visitors);
    }),
  ];
  const keys = [...new Map(marks.map((mark) => [JSON.stringify(mark), mark])).values()];
  const found: Row[] = [];
  for (let from = 0; from < keys.length; from += maxKeysPerRead) {
    const some = keys.slice(from, from + maxKeysPerRead);
    found.push(...(await batchGet(documents, { tableName: tables.insightFacts, keys: some, consistent: true })));
  }
  return found;
}

function visitorsIn(key: SessionKey, events: readonly SessionEvent[]): Visitor[] {
  return projectSession(events).participants.flatMap(
    (participant) => participantRecord(key, participant, null).visitors,
  );
}

function marksIn(key: SessionKey, visitors: readonly Visitor[]) {
  return visitors.flatMap((visitor) => [sessionVisitorKey(key, visitor), roomVisitorKey(key, visitor)]);
}
