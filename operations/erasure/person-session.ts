import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { type SessionBlock, sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { sessionTimeline } from '#shared/domain/insights/session/session-view.ts';
import { batchGet } from '#shared/storage/common/batch-get.ts';
import { blocksAfter, sessionKey } from '#shared/storage/insights/keys.ts';
import { toBlock } from '#shared/storage/insights/session-blocks.ts';
import type { Deployment } from './deployment.ts';
import { listedIn, type StoredLists } from './person-lists.ts';
import { queryRows, queryRowsBetween, type Row } from './rows.ts';

/** The sessions with one id, and the participants who are the person. `partition` is the partition key of their rows. */
export type PersonSession = {
  readonly partition: string;
  readonly session: SessionId;
  readonly participantIds: ReadonlySet<string>;
};

type Named = Omit<PersonSession, 'participantIds'>;

/** Reads the blocks of a session's log with their rows. Those that have expired are missing. */
export async function readLog(
  deployment: Deployment,
  { partition }: Named,
): Promise<(SessionBlock & { readonly row: Row })[]> {
  const found: Row[] = [];
  for await (const rows of queryRowsBetween(deployment, 'insightFacts', partition, blocksAfter(0))) found.push(...rows);
  return found.map((row) => ({ ...toBlock(row), row }));
}

/** Reads the rows that list the participants of a session. */
export async function readListRows(deployment: Deployment, { partition }: Named): Promise<Row[]> {
  const attributes = ['participants', 'listed', 'version'];
  const found: Row[] = [];
  for await (const rows of queryRows(deployment, 'participants', partition, attributes)) found.push(...rows);
  return found;
}

/**
 * Reads the lists of a session, and from the log whom they should list. If some facts have expired, the lists themselves say it: no
 * worker changes them any more.
 */
export async function readLists(deployment: Deployment, named: Named): Promise<StoredLists> {
  const { session } = named;
  const rows = await readListRows(deployment, named);
  let blocks = await readLog(deployment, named);
  const version = await readVersion(deployment, session, rows, blocks);
  if (blocks.length < version) blocks = await readLog(deployment, named); // a worker has stored more
  const isComplete = blocks.length >= version && blocks.every(({ number }, index) => number === index + 1);
  if (!isComplete || blocks.length === 0) return { session, rows, version, participants: listedIn(rows) };
  const log = sessionLog();
  for (const block of blocks) log.append(block);
  return { session, rows, version, participants: sessionTimeline(session, log).at(version).participants };
}

/** The version up to which the sessions of all rooms are counted. */
async function readVersion(
  { documents, tables }: Deployment,
  session: SessionId,
  rows: readonly Row[],
  blocks: readonly SessionBlock[],
): Promise<number> {
  const names = blocks.flatMap(({ facts }) =>
    facts.map(({ data }) => ('roomName' in data ? data.roomName : undefined)),
  );
  const roomNames = new Set([...names, ...listedIn(rows).map(({ roomName }) => roomName)]);
  const keys = [...roomNames].flatMap((name) =>
    name === undefined ? [] : [sessionKey({ ...session, roomName: name })],
  );
  const sessions = await batchGet(documents, { tableName: tables.roomSessions, keys, consistent: true });
  return Math.max(0, ...[...sessions, ...rows].map((row) => Number(row.version ?? 0)));
}
