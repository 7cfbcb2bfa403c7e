import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { ErrorBody } from '#shared/contracts/common/errors.ts';
import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import type { TableName } from '#shared/runtime/names.ts';
import { listAttributes } from '#shared/storage/transcriptions/keys.ts';
import { toRecord } from '#shared/storage/transcriptions/row.ts';
import { dynamodb, organization } from '../../../support/machine.ts';
import { transcriptionRecord } from '../../../support/operations/records.ts';
import type { CapturedLogs } from '../captured-logs.ts';
import { jobNameOf } from '../functions.ts';
import { expectInsights } from '../insights/insight-invariants.ts';
import { expectUsage } from '../insights/usage-invariants.ts';
import { expectNotices } from '../notices/notice-invariants.ts';
import { transcriptCanary, type World } from '../world.ts';

type Expected = {
  /** The number of messages in the dead-letter queues. */
  readonly deadLetters?: number;
};

/**
 * Checks every invariant of a world at rest: nothing is lost, doubled, resurrected or orphaned, no data is visible to
 * another organization, no log contains secrets, states make only allowed moves, insights agree with the recount, each transition has its
 * notice, and usage is the sum over what was told.
 */
export async function expectInvariants(
  world: World,
  logs: Pick<CapturedLogs, 'text'>,
  { deadLetters = 0 }: Expected = {},
): Promise<void> {
  const rows = await world.states.observe();
  const unfinished = rows.filter(
    ({ state, dueAt, dueShard }) => state === 'in_progress' || dueAt !== undefined || dueShard !== undefined,
  );
  expect(unfinished, 'nothing is lost: every transcription has ended').toEqual([]);
  expect(world.queues.count('queues'), 'nothing is lost: the queues are empty').toBe(0);
  expect(world.queues.count('deadLetterQueues'), 'nothing is lost: the number of dead letters is as expected').toBe(
    deadLetters,
  );

  expect(rows.filter(isMisplaced), 'every transcription is in exactly the lists where it belongs').toEqual([]);

  const { takenOverJobs } = world.states;
  const startedTwice = [...world.transcribe.started].filter(([name, times]) => times > 1 && !takenOverJobs.has(name));
  expect(startedTwice, 'nothing is doubled: every transcription, and every part of one, has at most one job').toEqual(
    [],
  );

  const ready = rows.filter(({ state, type }) => state === 'ready' && type === 'RECORDING_TRANSCRIPTION');
  const expectedKeys = ready.flatMap(({ organizationId, transcriptionId, workId, partCount }) => [
    ...transcriptFormats.map((format) => `generated/${organizationId}/${transcriptionId}/${transcriptionId}.${format}`),
    `generated/${organizationId}/${transcriptionId}/words.json`,
    ...(workId || partCount ? [] : [`generated/${organizationId}/${transcriptionId}/transcribe-output.json`]),
  ]);
  expect(
    await keysBelow(world, 'generated/'),
    'nothing is orphaned or missing: the files are those of ready transcriptions',
  ).toEqual(expectedKeys.sort());

  const whoSpeaks = (await world.states.speakers()).map(({ transcriptionId }) => String(transcriptionId));
  expect(
    whoSpeaks.sort(),
    'nothing is orphaned or missing: the rows of speakers are those of ready transcriptions',
  ).toEqual(ready.map(({ transcriptionId }) => `${transcriptionId}#speakers`).sort());

  const alive = new Set(rows.filter(({ deletedAt }) => !deletedAt).map(jobNameOf));
  const ownerless = [...world.transcribe.jobs.keys()].filter((name) => !alive.has(withoutPart(name)));
  expect(ownerless, 'nothing is orphaned: no deleted transcription has a job').toEqual([]);
  expect(
    await tableKeys(world, 'transcriptionParts', 'partKey'),
    'nothing is orphaned: no work has rows, because every one has ended',
  ).toEqual([]);
  expect(await keysBelow(world, 'work/'), 'nothing is orphaned: no work has intermediate files').toEqual([]);

  await expectOneOwner(world, ready);
  await expectInsights(world, logs);
  await expectNotices(world);
  await expectUsage(world);
  expectPublishedShapes(world);
  expect(world.states.forbiddenMoves, 'states make only allowed moves').toEqual([]);
  expect(logs.text(), 'no log contains a transcript').not.toContain(transcriptCanary);
  expect(logs.text(), 'no log contains a signature').not.toContain('X-Amz-Signature');
}

/** True if a transcription is not in exactly the lists for its values, or a tombstone is in any list. */
function isMisplaced(row: Readonly<Record<string, unknown>>): boolean {
  const inLists = Object.keys(listAttributes(transcriptionRecord()));
  const expected = row.deletedAt ? {} : listAttributes(toRecord(row));
  return inLists.some((name) => row[name] !== expected[name]);
}

/** The name of the job of a work, from that of one of its parts. */
function withoutPart(jobName: string): string {
  return jobName.split('.').slice(0, 3).join('.');
}

/** The values of an attribute of all rows of a table, sorted. */
async function tableKeys(world: World, table: TableName, attribute: string): Promise<string[]> {
  const client = DynamoDBDocumentClient.from(dynamodb);
  const keys: string[] = [];
  const pages = paginateScan({ client }, { TableName: world.resources.tables[table] });
  for await (const { Items = [] } of pages) keys.push(...Items.map((item) => String(item[attribute])));
  return keys.sort();
}

async function keysBelow(world: World, Prefix: string): Promise<string[]> {
  const keys: string[] = [];
  const pages = paginateListObjectsV2(
    { client: world.resources.s3 },
    { Bucket: world.resources.buckets.transcripts, Prefix },
  );
  for await (const { Contents = [] } of pages) keys.push(...Contents.map(({ Key }) => String(Key)));
  return keys.sort();
}

/** Checks that a transcription's file has its own data, and that other organizations get a 404. */
async function expectOneOwner(world: World, ready: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  for (const row of ready.slice(-2)) {
    const [organizationId, transcriptionId] = [String(row.organizationId), String(row.transcriptionId)];
    const text = await world.fileOf(organizationId, transcriptionId, 'json');
    expect(JSON.parse(text), 'the file has the data of its own transcription').toMatchObject({
      transcriptionId,
      roomName: row.roomName,
    });
    expect(await world.state(organization(), transcriptionId), 'another organization gets a 404').toBe(404);
  }
}

/** Checks that no request without a fault got a 5xx, and that every error has the published shape. */
function expectPublishedShapes({ answers }: World): void {
  const unexpected = answers.filter(({ status, isFaulted }) => status >= 500 && !isFaulted);
  expect(unexpected, 'no 5xx without a fault').toEqual([]);
  for (const { status, body } of answers) {
    if (status >= 400) expect(ErrorBody.safeParse(JSON.parse(body ?? '')).success, body).toBe(true);
  }
}
