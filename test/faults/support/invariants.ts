import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { transcriptFormats } from '#shared/contracts/transcription.ts';
import type { CapturedLogs } from './captured-logs.ts';
import { jobNamePrefix } from './functions.ts';
import { transcriptCanary, type World } from './world.ts';

/** How many messages a test expects to find in the dead-letter queues. */
type Expected = { readonly deadLetters?: number };

/**
 * Asks a world at rest for every invariant: nothing lost, doubled, resurrected or orphaned, no byte with another
 * organization, nothing secret in a log, no move of a state but the allowed ones.
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

  expect(world.states.forbiddenMoves, 'a state moves once').toEqual([]);
  expect(logs.text(), 'no transcript in a log').not.toContain(transcriptCanary);
  expect(logs.text(), 'no signature in a log').not.toContain('X-Amz-Signature');
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
