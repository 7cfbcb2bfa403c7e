import { afterAll, expect, test } from 'vitest';
import { settings } from '#infra/settings/stage-settings.ts';
import { captureLogs } from '../support/captured-logs.ts';
import { Burst, startsInABatch } from '../support/insights/burst.ts';
import { mostInASecond } from '../support/transcriptions/limited-transcribe.ts';
import { World } from '../support/world.ts';

const transcriptions = 1_000;
/** The default quotas of an account: https://docs.aws.amazon.com/general/latest/gr/transcribe.html */
const quota = { jobsAtOnce: 250, startsPerSecond: 25 };
const { default: startsPerSecond } = settings.transcribeStartsPerSecond;

const world = await World.create();
afterAll(() => world.stop());

test('1 000 transcriptions at once are all ready in the end, through one start each, within the quotas of Transcribe', {
  timeout: 180_000,
}, async () => {
  captureLogs();
  const burst = new Burst(world, { quota, startsPerSecond, jobSeconds: 120 });
  await burst.create(transcriptions, 10);
  await burst.run();
  const { transcribe, failures, mostJobsAtOnce } = burst;

  const rows = await world.states.rows();
  expect(rows.filter(({ state }) => state === 'ready')).toHaveLength(transcriptions);
  expect(rows).toHaveLength(transcriptions);
  expect(failures, 'so there are no dead letters').toBe(0);
  expect(transcribe.started.size).toBe(transcriptions);
  expect(new Set(transcribe.started.values()), 'how often a job was started').toEqual(new Set([1]));

  const refusals = transcribe.starts((error) => error !== undefined);
  expect(mostJobsAtOnce, 'the burst is larger than the quota').toBe(quota.jobsAtOnce);
  expect(refusals.length, 'so Transcribe refuses some').toBeGreaterThan(0);
  expect(transcribe.starts((error) => error === 'ThrottlingException')).toEqual([]);
  expect(mostInASecond(transcribe.starts()), 'with the refused ones').toBeLessThanOrEqual(quota.startsPerSecond);
  const paced = transcribe.starts((error) => error === undefined);
  expect(mostInASecond(paced)).toBeLessThanOrEqual(startsPerSecond + startsInABatch);
  expect(new Set(transcribe.calls.map(({ command }) => command))).toEqual(new Set(['StartTranscriptionJobCommand']));
});
