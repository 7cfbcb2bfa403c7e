import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { ErrorBody } from '#shared/contracts/errors.ts';
import { transcriptFormats } from '#shared/contracts/transcription.ts';
import { listAttributes } from '#shared/storage/transcriptions/keys.ts';
import { toRecord } from '#shared/storage/transcriptions/row.ts';
import { organization } from '../../support/machine.ts';
import { transcriptionRecord } from '../../support/records.ts';
import type { CapturedLogs } from './captured-logs.ts';
import { jobNamePrefix } from './functions.ts';
import { expectInsights } from './insight-invariants.ts';
import { transcriptCanary, type World } from './world.ts';

/** How many messages a test expects to find in the dead-letter queues. */
type Expected = { readonly deadLetters?: number };

/**
 * Asks a world at rest for every invariant: nothing lost, doubled, resurrected or orphaned, no byte with another
 * organization, nothing secret in a log, no move of a state but the allowed ones, insights that agree with their recount.
 */
export async function expectInvariants(
  world: World,
  logs: CapturedLogs,
  { deadLetters = 0 }: Expected = {},
): Promise<void> {
  await world.states.observe();
  const rows = await world.states.rows();
  const unfinished = rows.filter(
    ({ state, dueAt, dueShard }) => state === 'in_progress' || dueAt !== undefined || dueShard !== undefined,
  );
  expect(unfinished, 'nothing lost: every transcription has come to its end').toEqual([]);
  expect(await world.queues.count('queues'), 'nothing lost: no message is left over').toBe(0);
  expect(await world.queues.count('deadLetterQueues'), 'nothing lost: dead letters are as expected').toBe(deadLetters);

  expect(rows.filter(isMisplaced), 'nothing listed where it does not belong, or not listed where it does').toEqual([]);

  const startedTwice = [...world.transcribe.started].filter(([, times]) => times > 1);
  expect(startedTwice, 'nothing doubled: one job for each transcription').toEqual([]);

  const ready = rows.filter(({ state, type }) => state === 'ready' && type === 'RECORDING_TRANSCRIPTION');
  const expectedKeys = ready.flatMap(({ organizationId, transcriptionId }) => [
    ...transcriptFormats.map((format) => `generated/${organizationId}/${transcriptionId}/${transcriptionId}.${format}`),
    `generated/${organizationId}/${transcriptionId}/transcribe-output.json`,
  ]);
  expect(
    await generatedKeys(world),
    'nothing orphaned, nothing missing: files are those of ready transcriptions',
  ).toEqual(expectedKeys.sort());

  const alive = new Set(rows.filter(({ deletedAt }) => !deletedAt).map(jobNameOf));
  const ownerless = [...world.transcribe.jobs.keys()].filter((name) => !alive.has(name));
  expect(ownerless, 'nothing orphaned: no job of a deleted transcription').toEqual([]);

  await expectOneOwner(world, ready);
  await expectInsights(world, logs);
  expectPublishedShapes(world);
  expect(world.states.forbiddenMoves, 'a state moves once').toEqual([]);
  expect(logs.text(), 'no transcript in a log').not.toContain(transcriptCanary);
  expect(logs.text(), 'no signature in a log').not.toContain('X-Amz-Signature');
}

/** A transcription is in the lists of what it is; a tombstone is in none. */
function isMisplaced(row: Readonly<Record<string, unknown>>): boolean {
  const inLists = Object.keys(listAttributes(transcriptionRecord()));
  const expected = row.deletedAt ? {} : listAttributes(toRecord(row));
  return inLists.some((name) => row[name] !== expected[name]);
}

function jobNameOf({ organizationId, transcriptionId }: Readonly<Record<string, unknown>>): string {
  return `${jobNamePrefix}.${organizationId}.${transcriptionId}`;
}

async function generatedKeys(world: World): Promise<string[]> {
  const keys: string[] = [];
  const pages = paginateListObjectsV2(
    { client: world.resources.s3 },
    { Bucket: world.resources.buckets.transcripts, Prefix: 'generated/' },
  );
  for await (const { Contents = [] } of pages) keys.push(...Contents.map(({ Key }) => String(Key)));
  return keys.sort();
}

/** What is written for a transcription is its own, and no other organization can see that it is there. */
async function expectOneOwner(world: World, ready: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  for (const row of ready.slice(-2)) {
    const [organizationId, transcriptionId] = [String(row.organizationId), String(row.transcriptionId)];
    const text = await world.fileOf(organizationId, transcriptionId, 'json');
    expect(JSON.parse(text), 'no byte of another').toMatchObject({ transcriptionId, roomName: row.roomName });
    expect(await world.state(organization(), transcriptionId), 'nothing of it for a stranger').toBe(404);
  }
}

/** Clients never cause a 5xx, and every error has the published shape. */
function expectPublishedShapes({ answers }: World): void {
  const unexpected = answers.filter(({ status, isFaulted }) => status >= 500 && !isFaulted);
  expect(unexpected, 'no 5xx where nothing was wrong').toEqual([]);
  for (const { status, body } of answers) {
    if (status >= 400) expect(ErrorBody.safeParse(JSON.parse(body ?? '')).success, body).toBe(true);
  }
}
