import { isDeepStrictEqual } from 'node:util';
import { paginateListTranscriptionJobs } from '@aws-sdk/client-transcribe';
import * as z from 'zod/mini';
import { removeAllBelow, removeKeys } from '../../../shared/adapters/s3/remove-keys.ts';
import { parseJobName } from '../../../shared/adapters/transcribe/job-name.ts';
import { transcribeJobs } from '../../../shared/adapters/transcribe/transcribe-jobs.ts';
import { FileLocation } from '../../../shared/contracts/events.ts';
import type { OrganizationId } from '../../../shared/contracts/organization.ts';
import { generatedFolders, isGenerated } from '../../../shared/domain/transcript-location.ts';
import { type BucketName, bucketNames, type TableName, tableNames } from '../../../shared/names.ts';
import { batchGet } from '../../../shared/storage/batch-get.ts';
import { organizationSession } from '../../../shared/storage/insights/keys.ts';
import { organizationRoom } from '../../../shared/storage/keys.ts';
import { recordingKey } from '../../../shared/storage/transcriptions/keys.ts';
import type { Progress } from '../../shared/progress-bar.ts';
import type { Place } from './place.ts';
import { countIn, type Row, removeAsRead, removeRows, rowsAnywhere, rowsIn, sizeOf } from './rows.ts';

/** What was removed, by what it was; and what could not be, because somebody was still at work. */
export type Erasure = {
  readonly removed: Map<string, number>;
  readonly left: { jobs: number; rows: number };
};

/** Where the person at the terminal sees it. */
export type Terminal = Progress & { readonly say: (line: string) => void };

type Work = Erasure & { readonly place: Place; readonly organizationId: OrganizationId; readonly terminal: Terminal };

const maxKeysPerRead = 100;
const maxKeysPerDelete = 1000;
const jobs = 'Transcribe jobs';
/** How what was removed is called in the report. */
export const rowsOf = (table: TableName) => `rows of ${table}`;
const objectsOf = (bucket: BucketName) => `objects of ${bucket}`;
/** What names a file: a recording's row, or a transcription's. */
const FileRow = z.object({ location: z.optional(FileLocation) });

/**
 * Removes everything of an organization. It may die at any point and be run again: what names or leads to something goes
 * after that. First of all transcriptions, so that no job is started again; then jobs, so that none writes a file again.
 */
export async function eraseOrganization(
  place: Place,
  organizationId: OrganizationId,
  terminal: Terminal,
): Promise<Erasure> {
  const names = [...tableNames.map(rowsOf), ...bucketNames.map(objectsOf), jobs];
  const removed = new Map(names.map((name) => [name, 0]));
  const work: Work = { place, organizationId, terminal, removed, left: { jobs: 0, rows: 0 } };
  await removePartition(work, 'transcriptions', ['location', 'recordingId'], (rows) => removeOtherFilesOf(work, rows));
  await removePartition(work, 'recordings', ['location'], (rows) => removeFilesOf(work, rows));
  const unnamed = await removeAllBelow(place.s3, place.buckets.recordings, `${organizationId}/`);
  count(work, objectsOf('recordings'), unnamed);
  await removeJobs(work);
  const folders = generatedFolders(organizationId);
  count(work, objectsOf('transcripts'), await removeAllBelow(place.s3, place.buckets.transcripts, folders));
  await removeFacts(work);
  await removeRooms(work);
  for (const table of ['idempotencyKeys', 'rateLimits'] as const) await removePartition(work, table);
  terminal.end();
  return work;
}

/** Removes a partition that is the organization's, each page of rows after what they name. */
async function removePartition(
  work: Work,
  table: TableName,
  attributes: readonly string[] = [],
  before: (rows: readonly Row[]) => Promise<void> = async () => {},
): Promise<void> {
  const { place, organizationId, terminal } = work;
  const total = await countIn(place, table, organizationId);
  let done = 0;
  for await (const rows of rowsIn(place, table, organizationId, attributes)) {
    await before(rows);
    await removeRowsOf(work, table, rows);
    done += rows.length;
    if (done > 0) terminal.show(`Removing ${rowsOf(table)}`, done, Math.max(done, total));
  }
}

/** Of transcriptions: what their recordings' rows name is removed, and counted, with those. */
async function removeOtherFilesOf(work: Work, rows: readonly Row[]): Promise<void> {
  const { place, organizationId } = work;
  for (let from = 0; from < rows.length; from += maxKeysPerRead) {
    const some = rows.slice(from, from + maxKeysPerRead);
    const recordingIds = new Set(
      some.flatMap(({ recordingId }) => (recordingId === undefined ? [] : String(recordingId))),
    );
    const recordings = await batchGet(place.documents, {
      tableName: place.tables.recordings,
      keys: [...recordingIds].map((recordingId) => recordingKey(organizationId, recordingId)),
      consistent: true,
    });
    const isNamed = (row: Row) => recordings.some(({ location }) => isDeepStrictEqual(location, row.location));
    await removeFilesOf(
      work,
      some.filter((row) => !isNamed(row)),
    );
  }
}

/** Removes the files that rows name in the stack's own buckets, and says which there are in others. */
async function removeFilesOf(work: Work, rows: readonly Row[]): Promise<void> {
  const { place, terminal } = work;
  const files = rows.flatMap((row) => FileRow.parse(row).location ?? []);
  for (const bucket of bucketNames) {
    const keys = new Set(files.filter((file) => file.bucket === place.buckets[bucket]).map(({ key }) => key));
    // What the service itself wrote goes by its folder: no row may name another organization's.
    const named = [...keys].filter((key) => bucket !== 'transcripts' || !isGenerated(key));
    for (let from = 0; from < named.length; from += maxKeysPerDelete) {
      await removeKeys(place.s3, place.buckets[bucket], named.slice(from, from + maxKeysPerDelete));
    }
    count(work, objectsOf(bucket), named.length);
  }
  const own = new Set(Object.values(place.buckets));
  const elsewhere = files.filter(({ bucket }) => !own.has(bucket)).map(({ bucket, key }) => `s3://${bucket}/${key}`);
  for (const url of new Set(elsewhere)) terminal.say(`Not touched, since it is in another bucket: ${url}`);
}

/** Again and again until there is nothing more to remove: a list may miss what moves up while it is read. */
async function removeJobs(work: Work): Promise<void> {
  const { place, organizationId, left } = work;
  const { remove } = transcribeJobs(place.transcribe, place.jobNamePrefix, place.buckets.transcripts);
  const ofOrganization = `${place.jobNamePrefix}.${organizationId}.`;
  const gone = new Set<string>(); // a list may name them for a while
  for (let before = -1; before < gone.size; ) {
    before = gone.size;
    left.jobs = 0;
    const settings = { client: place.transcribe, pageSize: 100 };
    for await (const page of paginateListTranscriptionJobs(settings, { JobNameContains: ofOrganization })) {
      for (const { TranscriptionJobName = '' } of page.TranscriptionJobSummaries ?? []) {
        const owner = parseJobName(place.jobNamePrefix, TranscriptionJobName);
        if (owner?.organizationId !== organizationId) continue; // contained in the name, or the same but for the case
        if (gone.has(TranscriptionJobName)) continue;
        if ((await remove(organizationId, owner.transcriptionId)) === 'removed') gone.add(TranscriptionJobName);
        else left.jobs += 1;
      }
    }
  }
  count(work, jobs, gone.size);
}

/** By a scan: samples and events of sessions that were never written down as such are in partitions that nothing names. */
async function removeFacts(work: Work): Promise<void> {
  const { place, organizationId, terminal } = work;
  const total = await sizeOf(place, 'insightFacts');
  let done = 0;
  for await (const { rows, looked } of rowsAnywhere(place, 'insightFacts', `${organizationId}#`)) {
    await removeRowsOf(work, 'insightFacts', rows);
    done += looked;
    terminal.show('Looking through insightFacts', Math.min(done, total), total);
  }
}

/** Rooms lead to sessions, and sessions to participants. */
async function removeRooms(work: Work): Promise<void> {
  const { place, organizationId, terminal } = work;
  const total = await countIn(place, 'rooms', organizationId);
  let done = 0;
  for await (const rooms of rowsIn(place, 'rooms', organizationId, ['version'])) {
    for (const room of rooms) {
      const partition = organizationRoom(organizationId, String(room.roomName));
      let isEmpty = true;
      for await (const sessions of rowsIn(place, 'roomSessions', partition, ['version'])) {
        for (const session of sessions) isEmpty = (await removeSession(work, session)) && isEmpty;
      }
      if (isEmpty) await removeLeading(work, 'rooms', room); // or nothing would lead to the session that stayed
      done += 1;
      terminal.show('Removing rooms, with sessions and participants', done, Math.max(done, total));
    }
  }
}

/** False where it was written meanwhile, and stays. */
async function removeSession(work: Work, session: Row): Promise<boolean> {
  const { organizationId } = work;
  const partition = organizationSession({ organizationId, roomSessionId: String(session.roomSessionId) });
  for await (const participants of rowsIn(work.place, 'participants', partition)) {
    await removeRowsOf(work, 'participants', participants);
  }
  return removeLeading(work, 'roomSessions', session);
}

async function removeLeading(work: Work, table: TableName, row: Row): Promise<boolean> {
  const isRemoved = await removeAsRead(work.place, table, row);
  if (isRemoved) count(work, rowsOf(table), 1);
  else work.left.rows += 1;
  return isRemoved;
}

async function removeRowsOf(work: Work, table: TableName, rows: readonly Row[]): Promise<void> {
  await removeRows(work.place, table, rows);
  count(work, rowsOf(table), rows.length);
}

function count({ removed }: Erasure, name: string, more: number): void {
  removed.set(name, (removed.get(name) ?? 0) + more);
}
