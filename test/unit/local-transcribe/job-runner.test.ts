import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Job } from '#tools/local/transcribe/job.ts';
import { createJobRunner } from '#tools/local/transcribe/job-runner.ts';
import { openJobStore } from '#tools/local/transcribe/job-store.ts';
import { StartRequest } from '#tools/local/transcribe/start-request.ts';

const noRoom = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

test('a job for which the disk has no room runs again, and does not fail', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-jobs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let attempts = 0;
  const ended = Promise.withResolvers<Job>();
  const jobs = createJobRunner({
    store: await openJobStore(folder, () => {}),
    transcribe: async () => {
      attempts += 1;
      if (attempts === 1) throw noRoom;
      return { languageCode: 'en-US', mediaFormat: 'wav' };
    },
    announce: async (job) => ended.resolve(job),
    jobsAtOnce: 1,
    log: () => {},
    fullDiskPauseMs: 0,
  });
  const request = { TranscriptionJobName: 'a', LanguageCode: 'en-US', Media: { MediaFileUri: 's3://media/a.wav' } };
  jobs.add({ request: StartRequest.parse(request), status: 'QUEUED', createdAt: '2026-03-02T09:00:00.000Z' });
  expect(await ended.promise).toMatchObject({ status: 'COMPLETED' });
  await jobs.stop();
});
