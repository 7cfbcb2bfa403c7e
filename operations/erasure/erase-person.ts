import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { RoomKey } from '#shared/domain/insights/insight-records.ts';
import { fingerprintOf, shardsOf, type VisitorSegment } from '#shared/domain/insights/room-visitors.ts';
import type { TableName } from '#shared/runtime/names.ts';
import { organizationRoom } from '#shared/storage/common/keys.ts';
import { sampleBlocks, speechBlocks, visitorSegments } from '#shared/storage/insights/keys.ts';
import { putOfItem } from '#shared/storage/insights/participant-writes.ts';
import { toBlockItem } from '#shared/storage/insights/session-blocks.ts';
import { writeOfSegment } from '#shared/storage/insights/session-writes.ts';
import { toVisitorSegment } from '#shared/storage/insights/visitor-segments.ts';
import { anonymousBlocks, type Visit, visitsOf } from './anonymous-facts.ts';
import type { Deployment } from './deployment.ts';
import { rowsLabel, type Terminal } from './erase-organization.ts';
import { type Participation, type Person, speakerInKey, type TranscriptionOfSession } from './find-person.ts';
import { removeHooks } from './person-hooks.ts';
import { visitsListed, withoutPerson } from './person-lists.ts';
import { type PersonSession, readListRows, readLists, readLog } from './person-session.ts';
import { removeTracks, type TrackOfPerson } from './person-tracks.ts';
import { removeFromTranscripts } from './person-transcripts.ts';
import type { Removal } from './removal.ts';
import { queryRowsBetween, type Row } from './rows.ts';
import { untilReplaced } from './writes.ts';

type Context = {
  readonly deployment: Deployment;
  readonly organizationId: OrganizationId;
  readonly removal: Removal;
  readonly counts: Map<string, number>;
};

/** What leads to a person's data. */
export type Traces = {
  readonly person: Person;
  readonly participations: readonly Participation[];
  readonly tracks: readonly TrackOfPerson[];
  /** The transcriptions of the sessions. */
  readonly transcriptions: readonly TranscriptionOfSession[];
};

/** Returns the name in the report of a table's rows that stay, because they also have data of others. */
export const changedLabel = (table: TableName) => `changed ${rowsLabel(table)}`;

/**
 * Erases a person's tracks, turns and participations with the given `Removal`, and returns how many rows it removes and changes. Facts are not removed but
 * made anonymous, so that whoever counts the session again gets the same totals. Facts and lists lead to everything else, so they change last:
 * after a crash, it can run again.
 */
export async function erasePerson(
  deployment: Deployment,
  organizationId: OrganizationId,
  { person, participations, tracks, transcriptions }: Traces,
  removal: Removal,
  terminal: Terminal,
): Promise<Map<string, number>> {
  const tables = ['participants', 'insightFacts'] as const;
  const counts = new Map(tables.flatMap((table) => [rowsLabel(table), changedLabel(table)]).map((name) => [name, 0]));
  for (const [label, count] of await removeTracks(deployment, organizationId, tracks, removal, terminal))
    counts.set(label, count);
  const found = { person, participations: [...participations, ...tracks], transcriptions };
  for (const [label, count] of await removeFromTranscripts(deployment, organizationId, found, removal, terminal))
    counts.set(label, count);
  const context = { deployment, organizationId, removal, counts };
  const sessions = [...Map.groupBy(participations, ({ session }) => session)].map(([partition, found]) => ({
    partition,
    session: { organizationId, roomSessionId: partition.slice(organizationId.length + 1) },
    participantIds: new Set(found.map(({ participantId }) => participantId)),
  }));
  const ids = await idsOf(context, person, sessions);
  for (const [label, count] of await removeHooks(deployment, organizationId, ids, removal, terminal))
    counts.set(label, count);
  await forgetVisits(context, sessions);
  for (const [index, each] of sessions.entries()) {
    await removeSamples(context, each);
    await removeSpeech(context, each);
    await removeFromLists(context, each);
    await replaceFacts(context, each);
    await removeFromLists({ ...context, counts: new Map() }, each); // a worker that still had the facts can have written them again
    terminal.show(`${removal.verb} data of the person`, index + 1, sessions.length);
  }
  terminal.end();
  return counts;
}

/** Every id by which a webhook can name the person: those given, those found, and those of the person's joins. */
async function idsOf(context: Context, person: Person, sessions: readonly PersonSession[]): Promise<Set<string>> {
  const ids = new Set([person.participantId, person.externalId].filter((id) => id !== undefined));
  for (const each of sessions) {
    for (const id of each.participantIds) ids.add(id);
    const facts = (await readLog(context.deployment, each)).flatMap((block) => block.facts);
    for (const fact of facts) {
      if (fact.type !== 'room.client.joined' || !each.participantIds.has(fact.data.participantId)) continue;
      const { userId, deviceId, externalId } = fact.data;
      for (const id of [userId, deviceId, externalId]) if (id) ids.add(id);
    }
  }
  return ids;
}

/** Takes the person out of the visitors that the rooms have counted. Nothing else leads to these, so they change first. */
async function forgetVisits(context: Context, sessions: readonly PersonSession[]): Promise<void> {
  const { deployment, organizationId } = context;
  const visits: Visit[] = [];
  for (const each of sessions) {
    visits.push(...visitsOf(await readLog(deployment, each), each.participantIds));
    visits.push(...visitsListed(await readListRows(deployment, each), each.participantIds));
  }
  for (const [roomName, ofRoom] of Map.groupBy(visits, (visit) => visit.roomName)) {
    await untilReplaced(() => forgetVisitsOfRoom(context, { organizationId, roomName }, ofRoom));
  }
}

async function forgetVisitsOfRoom(context: Context, room: RoomKey, visits: readonly Visit[]): Promise<boolean> {
  const { deployment, organizationId, removal } = context;
  const visitors = visits.map(({ visitor }) => visitor);
  const gone = new Set(visitors.map(fingerprintOf));
  const changed: VisitorSegment[] = [];
  for (const shard of shardsOf(visitors)) {
    const owner = organizationRoom(organizationId, room.roomName);
    for await (const rows of queryRowsBetween(deployment, 'insightFacts', owner, visitorSegments(shard))) {
      for (const segment of rows.map(toVisitorSegment)) {
        const sessions = new Map([...segment.sessions].filter(([fingerprint]) => !gone.has(fingerprint)));
        if (sessions.size < segment.sessions.size) changed.push({ ...segment, sessions });
      }
    }
  }
  const isReplaced = await removal.replace(changed.map((segment) => writeOfSegment(room, segment, deployment.tables)));
  if (isReplaced) count(context, changedLabel('insightFacts'), changed.length);
  return isReplaced;
}

async function removeSamples(context: Context, { partition, participantIds }: PersonSession): Promise<void> {
  for (const participantId of participantIds) {
    const range = sampleBlocks(participantId, undefined, undefined);
    for await (const rows of queryRowsBetween(context.deployment, 'insightFacts', partition, range))
      await remove(context, 'insightFacts', rows);
  }
}

/** Reads the speech of everybody in the session, because its keys begin with the time. */
async function removeSpeech(context: Context, { partition, participantIds }: PersonSession): Promise<void> {
  for await (const rows of queryRowsBetween(context.deployment, 'insightFacts', partition, speechBlocks()))
    await remove(
      context,
      'insightFacts',
      rows.filter((row) => participantIds.has(speakerInKey(row))),
    );
}

/** Writes the pages without the person before it removes the rows whose keys name the person, so that all others stay listed. */
async function removeFromLists(context: Context, { participantIds, ...session }: PersonSession): Promise<void> {
  const { deployment, removal } = context;
  await untilReplaced(async () => {
    const { written, removed } = withoutPerson(await readLists(deployment, session), participantIds);
    const writes = written.map((row) => ({ Put: putOfItem(deployment.tables.participants, row) }));
    if (!(await removal.replace(writes))) return false;
    count(context, changedLabel('participants'), written.length);
    await remove(context, 'participants', removed);
    return true;
  });
}

async function replaceFacts(context: Context, { participantIds, ...session }: PersonSession): Promise<void> {
  const { deployment, removal } = context;
  await untilReplaced(async () => {
    const blocks = await readLog(deployment, session);
    const rows = new Map(blocks.map(({ number, row }) => [number, row]));
    const changed = anonymousBlocks(blocks, participantIds);
    const writes = changed.map((block) => {
      const row = rows.get(block.number) ?? {};
      return {
        Put: {
          TableName: deployment.tables.insightFacts,
          Item: { ...row, ...toBlockItem(block) },
          // Another erasure can have changed the block. To replace what it wrote would restore its person.
          ConditionExpression: 'events = :read',
          ExpressionAttributeValues: { ':read': row.events },
        },
      };
    });
    const isReplaced = await removal.replace(writes);
    if (isReplaced) count(context, changedLabel('insightFacts'), changed.length);
    return isReplaced;
  });
}

async function remove(context: Context, table: TableName, rows: readonly Row[]): Promise<void> {
  await context.removal.rows(table, rows);
  count(context, rowsLabel(table), rows.length);
}

function count({ counts }: Context, label: string, more: number): void {
  counts.set(label, (counts.get(label) ?? 0) + more);
}
