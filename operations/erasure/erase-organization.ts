import * as z from 'zod/mini';
import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { recordingsFolder } from '#shared/domain/transcriptions/connection-files.ts';
import { foldersOfOrganization } from '#shared/domain/transcriptions/transcript-location.ts';
import {
  attributeNames,
  type BucketName,
  bucketNames,
  rowsByOrganization,
  sortIndexName,
  type TableName,
  tableNames,
} from '#shared/runtime/names.ts';
import { hiddenRooms, organizationSession, organizationShards } from '#shared/storage/insights/keys.ts';
import { StoredLocation } from '#shared/storage/transcriptions/stored-location.ts';
import type { Progress } from '#tools/shared/progress-bar.ts';
import type { Deployment } from './deployment.ts';
import type { KeySelection } from './objects.ts';
import { removeConnections } from './organization-connections.ts';
import { removeJobs } from './organization-jobs.ts';
import { ownedFiles, selectErasable } from './recording-files.ts';
import type { Removal } from './removal.ts';
import { countRows, countRowsOfTable, queryIndex, queryRows, type Row, scanRows } from './rows.ts';

/**
 * The result of an erasure: the number of items of each kind that it removed, or counted in a preview, and of the jobs and
 * rows that remain because they were still running or were written during the erasure.
 */
export type Erasure = {
  readonly removed: Map<string, number>;
  readonly remaining: { jobs: number; rows: number };
};

/** Shows progress and prints lines to the operator. */
export type Terminal = Progress & { readonly print: (line: string) => void };

type Context = Erasure & {
  readonly deployment: Deployment;
  readonly removal: Removal;
  readonly organizationId: OrganizationId;
  readonly terminal: Terminal;
  /** What was printed about files that the service does not own. */
  readonly printed: Set<string>;
};

const jobsLabel = 'Transcribe jobs';
const secretsLabel = 'secrets of connections';
/** Returns the name of a table's rows in the report. */
export const rowsLabel = (table: TableName) => `rows of ${table}`;
/** Returns the name of a bucket's objects in the report. */
export const objectsLabel = (bucket: BucketName) => `objects of ${bucket}`;
/** Tables of which the organization's partition is removed, and nothing else follows from it. Usage comes after the sessions that change it. */
const plainTables = [
  'idempotencyKeys',
  'rateLimits',
  'refusedEvents',
  'platformSessions',
  'notices',
  'usageDays',
] as const satisfies readonly TableName[];
/** The part of a recording's, track's or transcription's row that names its file. */
const FileRow = z.object({ location: z.optional(StoredLocation) });

/**
 * Finds all data of an organization, and removes them with the given `Removal`. After a crash at any point, it can run again, because it removes objects before the
 * rows that name them, and rows before the rows that lead to them. It removes connections and webhooks first, so that no webhook is taken or sent any more, transcriptions before their jobs, so that no
 * job is started again, and jobs before the files that they write.
 */
export async function eraseOrganization(
  deployment: Deployment,
  organizationId: OrganizationId,
  removal: Removal,
  terminal: Terminal,
): Promise<Erasure> {
  const labels = [...tableNames.map(rowsLabel), ...bucketNames.map(objectsLabel), jobsLabel, secretsLabel];
  const removed = new Map(labels.map((label) => [label, 0]));
  const remaining = { jobs: 0, rows: 0 };
  const context: Context = { deployment, organizationId, removal, terminal, removed, remaining, printed: new Set() };
  await removeConnections(deployment, organizationId, removal, ({ rows, secrets }) => {
    count(context, rowsLabel('connections'), rows);
    count(context, secretsLabel, secrets);
  });
  await removePartition(context, 'webhooks'); // before the deliveries: none is planned for a webhook that is gone
  await removePartition(context, 'transcriptSpeakers');
  for (const table of ['transcriptions', 'recordingTracks', 'recordings'] as const)
    await removePartition(context, table, ['location'], (rows) => printRemainingFiles(context, locationsOf(rows)));
  await removeRecordingFiles(context);
  const jobs = await removeJobs(deployment, organizationId, removal);
  count(context, jobsLabel, jobs.removed);
  remaining.jobs = jobs.running;
  await removeByScan(context, 'insightFacts');
  await removeRooms(context);
  await removeLinks(context);
  for (const table of plainTables) await removePartition(context, table);
  await removeByScan(context, 'webhookDeliveries');
  // Last, because a worker may still have been preparing media. What it writes later, it removes itself.
  for (const folder of foldersOfOrganization(organizationId)) await removeFolder(context, 'transcripts', folder);
  await removePartition(context, 'transcriptionParts');
  terminal.end();
  return context;
}

async function removeFolder(
  context: Context,
  bucket: BucketName,
  prefix: string,
  select: KeySelection = async (keys) => keys,
): Promise<void> {
  count(context, objectsLabel(bucket), await context.removal.objectsBelow(bucket, prefix, select));
}

/** Removes the organization's partition of a table. Calls `beforeRemoval` with each page of rows before it removes them. */
async function removePartition(
  context: Context,
  table: TableName,
  attributes: readonly string[] = [],
  beforeRemoval: (rows: readonly Row[]) => Promise<void> = async () => {},
): Promise<void> {
  const { deployment, organizationId, removal, terminal } = context;
  const total = await countRows(deployment, table, organizationId);
  let done = 0;
  for await (const rows of queryRows(deployment, table, organizationId, attributes)) {
    await beforeRemoval(rows);
    await removeAndCount(context, table, rows);
    done += rows.length;
    if (done > 0) terminal.show(`${removal.verb} ${rowsLabel(table)}`, done, Math.max(done, total));
  }
}

async function removeLinks(context: Context): Promise<void> {
  const partition = [attributeNames.organizationId, context.organizationId] as const;
  for await (const links of queryIndex(context.deployment, 'accessLinks', rowsByOrganization, partition))
    await removeAndCount(context, 'accessLinks', links);
}

/** Removes the organization's folder of the recordings bucket, and then its other files with the rows that make it their owner. */
async function removeRecordingFiles(context: Context): Promise<void> {
  const { deployment, organizationId, removal } = context;
  const bucket = deployment.buckets.recordings;
  const folder = recordingsFolder(organizationId);
  await removeFolder(context, 'recordings', folder, async (keys) => {
    const files = keys.map((key) => ({ bucket, key }));
    await printRemainingFiles(context, files);
    return (await selectErasable(deployment, organizationId, files)).map(({ key }) => key);
  });
  for await (const owned of ownedFiles(deployment, organizationId)) {
    const files = owned.map(({ file }) => file);
    await printRemainingFiles(context, files);
    const keys = files.filter((file) => file.bucket === bucket).map(({ key }) => key);
    const others = keys.filter((key) => !key.startsWith(folder)); // the others were removed with the folder
    await removal.objects('recordings', others);
    count(context, objectsLabel('recordings'), others.length);
    await removeAndCount(
      context,
      'recordingFiles',
      owned.map(({ row }) => row),
    );
  }
}

/** Says that a file stays. */
export function remainingFile({ bucket, key }: FileLocation): string {
  return `Not removed, because the service does not own it: s3://${bucket}/${key}`;
}

function locationsOf(rows: readonly Row[]): FileLocation[] {
  return rows.flatMap((row) => FileRow.parse(row).location ?? []);
}

/** Prints the URL of each file that stays, once. Files in the transcripts bucket are removed with the organization's folders. */
async function printRemainingFiles(context: Context, files: readonly FileLocation[]): Promise<void> {
  const { deployment, organizationId, terminal, printed } = context;
  const erasable = new Set(await selectErasable(deployment, organizationId, files));
  const remaining = files.filter((file) => file.bucket !== deployment.buckets.transcripts && !erasable.has(file));
  for (const file of remaining.map(remainingFile)) {
    if (!printed.has(file)) terminal.print(file);
    printed.add(file);
  }
}

/**
 * Scans the table, because no row names some of its partitions: those of samples and events of sessions that were never stored, and of
 * deliveries to webhooks that were deleted.
 */
async function removeByScan(context: Context, table: 'insightFacts' | 'webhookDeliveries'): Promise<void> {
  const { deployment, organizationId, terminal } = context;
  const total = await countRowsOfTable(deployment, table);
  let done = 0;
  for await (const { rows, scanned } of scanRows(deployment, table, `${organizationId}#`)) {
    await removeAndCount(context, table, rows);
    done += scanned;
    terminal.show(`Scanning ${table}`, Math.min(done, total), total);
  }
}

/** Finds sessions through rooms, and participants through sessions. Keeps a room if one of its sessions remains. */
async function removeRooms(context: Context): Promise<void> {
  const { deployment, organizationId, removal, terminal } = context;
  const partitions = await roomsOf(deployment, organizationId);
  for (const [index, partition] of partitions.entries()) {
    for await (const [room] of queryRows(deployment, 'rooms', partition, ['version'])) {
      let isEmpty = true;
      for await (const sessions of queryRows(deployment, 'roomSessions', partition, ['version'])) {
        for (const session of sessions) isEmpty = (await removeSession(context, session)) && isEmpty;
      }
      if (room && isEmpty) await removeParent(context, 'rooms', room);
    }
    terminal.show(`${removal.verb} rooms with their sessions and participants`, index + 1, partitions.length);
  }
}

/** Finds the partition keys of the organization's rooms, which are also those of their sessions. Rooms that no list shows may have sessions, too. */
async function roomsOf(deployment: Deployment, organizationId: OrganizationId): Promise<string[]> {
  const found: string[] = [];
  for (const shard of [...organizationShards(organizationId), hiddenRooms(organizationId)]) {
    const partition = [attributeNames.organizationShard, shard] as const;
    for await (const keys of queryIndex(deployment, 'rooms', sortIndexName('roomName'), partition))
      found.push(...keys.map((key) => String(key[attributeNames.organizationRoom])));
  }
  return found;
}

/** Removes the participants of a session and then the session. Returns false if the session was written in between and remains. */
async function removeSession(context: Context, session: Row): Promise<boolean> {
  const { organizationId } = context;
  const partition = organizationSession({ organizationId, roomSessionId: String(session.roomSessionId) });
  for await (const participants of queryRows(context.deployment, 'participants', partition)) {
    await removeAndCount(context, 'participants', participants);
  }
  return removeParent(context, 'roomSessions', session);
}

/** Removes a row that leads to other rows, or counts it as remaining if it was written since it was read. */
async function removeParent(context: Context, table: TableName, row: Row): Promise<boolean> {
  const isRemoved = await context.removal.parent(table, row);
  if (isRemoved) count(context, rowsLabel(table), 1);
  else context.remaining.rows += 1;
  return isRemoved;
}

async function removeAndCount(context: Context, table: TableName, rows: readonly Row[]): Promise<void> {
  await context.removal.rows(table, rows);
  count(context, rowsLabel(table), rows.length);
}

function count({ removed }: Erasure, label: string, more: number): void {
  removed.set(label, (removed.get(label) ?? 0) + more);
}
