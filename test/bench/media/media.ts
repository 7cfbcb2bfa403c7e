import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { stateFolder } from '../local-runner.ts';
import type { Finding, Report } from '../report.ts';
import { type MediaRunner, type RecordedFile, withMediaRunner } from './media-runner.ts';
import { diskFile, makeSpeech } from './media-samples.ts';
import { meetingTracks } from './media-tracks.ts';

/** Recognition at a tenth of real time, so many seconds after the start of a job, and so many jobs at once. */
const recognition = { share: 0.1, startSeconds: 20, jobsAtOnce: 100 };
/** It is simulated sixty times faster, and its real time is computed. */
const simulatedShare = recognition.share / 60;
const hour = 3600;

/** Measures how soon a recording is ready after the create, with recognition of a known speed. */
export async function measureMedia(): Promise<Report> {
  const folder = await mkdtemp(path.join(await stateFolder(), 'roomscribe-media-'));
  try {
    const findings = await withMediaRunner({ share: simulatedShare }, async (runner) => [
      await tracksFinding(runner),
      await mixedFinding(runner, folder, { hours: 1, goalSeconds: 150 }),
      await mixedFinding(runner, folder, { hours: 10, goalSeconds: 240 }),
    ]);
    return { setup, findings };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const setup =
  'A local runner runs the whole service. Its Transcribe is simulated: it downloads each file, waits for a 600th of its length, and hears 150 words ' +
  `a minute. ${recognition.startSeconds} s and a tenth of the length of the longest job replace that wait, because jobs run side by side, at most ` +
  `${recognition.jobsAtOnce}. Mixed files are AAC in MKV. The tracks are Opus of a meeting with turns of 4 to 20 seconds (seed 1).`;

async function tracksFinding({ transcribe }: MediaRunner): Promise<Finding> {
  const tracks = await meetingTracks(5, hour, 1);
  const files = tracks.map((media, index) => ({ media, participantId: `person-${index}` }));
  return readyFinding('a recorded hour of five tracks', 90, await transcribe(`bench-${randomUUID()}`, files, hour));
}

async function mixedFinding(
  { transcribe }: MediaRunner,
  folder: string,
  { hours, goalSeconds }: { readonly hours: number; readonly goalSeconds: number },
): Promise<Finding> {
  const file = await makeSpeech(folder, hours);
  const media = await diskFile(file);
  const files: readonly RecordedFile[] = [{ media }];
  const ready = await transcribe(`bench-${randomUUID()}`, files, hours * hour);
  await media.close();
  await rm(file);
  return readyFinding(`${hours} h in a mixed file`, goalSeconds, ready);
}

type Ready = Awaited<ReturnType<MediaRunner['transcribe']>>;

function readyFinding(what: string, goalSeconds: number, { seconds, jobSeconds }: Ready): Finding {
  if (jobSeconds.length > recognition.jobsAtOnce) throw new Error(`${what} has ${jobSeconds.length} jobs.`);
  const longest = Math.max(...jobSeconds);
  const others = seconds - longest * simulatedShare;
  const recognized = recognition.startSeconds + longest * recognition.share;
  return {
    number: 1,
    goal: `time from create to ready of ${what}: at most ${goalSeconds} s`,
    figure: `${(recognized + others).toFixed(0)} s`,
    spread: `${jobSeconds.length} jobs side by side ${recognized.toFixed(0)} s, everything else ${others.toFixed(1)} s`,
    isMet: recognized + others <= goalSeconds,
  };
}
