import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MediaFile } from '#shared/adapters/media/media-source.ts';
import { type MediaLimits, mixedFileLimits, trackLimits } from '#shared/domain/media-plan.ts';
import { sparseWebm } from '../support/sparse-media.ts';
import { stateFolder } from './local-runner.ts';
import type { MediaCost, MediaTask } from './media-process.ts';
import { copySeconds, makeSample, type SampleName, samples } from './media-samples.ts';
import { diskFile, startMediaServer } from './media-server.ts';
import { serviceFindings, serviceSetup } from './media-service.ts';
import { meetingTracks } from './media-tracks.ts';
import type { Finding, Report } from './report.ts';

const program = fileURLToPath(new URL('media-process.ts', import.meta.url));
/** The heap of a function of 1 GB. */
const heapMb = 700;
const mebibyte = 1024 ** 2;
/** The ranges that are in memory at once, with those that await collection. A file of 10 MB fills one of them. */
const rangesMb = 192;
/** Whole files are prepared, also those that Transcribe could read as they are. */
const always: MediaLimits = { ...mixedFileLimits, recordingSeconds: 25 * 3600, jobBytes: 4 * 1024 ** 3 };
const day: SampleName = 'AAC of 24 hours in MP4';
const forTime = (Object.keys(samples) as SampleName[]).filter((name) => name !== day);

/** Measures what preparing media costs: processor time, memory, reads, and the seconds that are left without silence. */
export async function measureMedia(): Promise<Report> {
  const folder = await mkdtemp(path.join(await stateFolder(), 'roomscribe-media-'));
  try {
    const findings: Finding[] = [];
    let profile: readonly string[] = [];
    for (const name of forTime) {
      const result = await withSample(name, folder, (sample) => measureSample(name, sample));
      findings.push(...sampleFindings(name, result));
      if (name === 'AAC in MP4') profile = result.cost.profile;
    }
    findings.push(await withSample(day, folder, dayFinding));
    findings.push(await sizeFinding(), ...(await silenceFindings()), ...(await serviceFindings(folder)));
    return { setup, findings, notes: [`What is left for AAC in MP4, by own time: ${profile.join(', ')}.`] };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const setup =
  'A process of its own reads each file through the S3 client from a server that answers ranges, copies the packets, and uploads the ' +
  `pieces in parts, which the server discards. Its heap has ${heapMb} MB. Speech of two minutes is coded by ffmpeg and repeated to the ` +
  'length. Processor time is that of the process. For comparison, `ffmpeg -c copy` copies the audio of the file on disk, and a process ' +
  'reads all ranges and does nothing with them. The meeting has five tracks of 20 minutes, with turns of 4 to 20 seconds (seed 1). ' +
  serviceSetup;

type Measured = { readonly cost: MediaCost; readonly bare: MediaCost; readonly copied: number };

/** A file on disk, and how it is cut. */
type Sample = { readonly file: string; readonly disk: MediaFile; readonly limits: MediaLimits };

/** Makes a sample, and removes it after the work. */
async function withSample<Result>(name: SampleName, folder: string, work: (sample: Sample) => Promise<Result>) {
  const file = await makeSample(name, folder);
  const disk = await diskFile(file);
  // A file that Transcribe takes is cut as if a job took three quarters of its length.
  const seconds = Math.min(4, samples[name].hours * 0.75) * 3600;
  try {
    return await work({ file, disk, limits: { ...always, jobSeconds: seconds, pieceSeconds: seconds } });
  } finally {
    await disk.close();
    await rm(file);
  }
}

async function measureSample(name: SampleName, { file, disk, limits }: Sample): Promise<Measured> {
  const cost = await run(disk, limits, { withProfile: name === 'AAC in MP4' });
  const bare = await run(disk, limits, { onlyRead: true });
  const copy = path.join(path.dirname(file), `copy${path.extname(file)}`);
  const copied = await copySeconds(file, copy);
  await rm(copy);
  return { cost, bare, copied };
}

function sampleFindings(name: SampleName, { cost, bare, copied }: Measured): Finding[] {
  const hours = cost.seconds / 3600;
  const each = (seconds: number) => `${(seconds / hours).toFixed(2)} s`;
  const readShare = cost.bytesRead / cost.bytes;
  const perRead = cost.bytesRead / cost.reads / mebibyte;
  return [
    {
      goal: `processor time of ${name}, a recorded hour: at most 6 s`,
      figure: each(cost.cpuSeconds),
      spread: `ffmpeg -c copy ${each(copied)}, bare ranges ${each(bare.cpuSeconds)}; ${cost.packets} packets, ${(cost.bytes / 1e6).toFixed(0)} MB to ${cost.pieces} pieces, peak ${cost.peakMb.toFixed(0)} MB`,
      isMet: cost.cpuSeconds / hours <= 6,
    },
    {
      goal: `reads of ${name}: at most 1.05 bytes a byte, and one GET per 4 MiB`,
      figure: `${readShare.toFixed(3)}, one per ${perRead.toFixed(1)} MiB`,
      spread: `${cost.reads} reads, ${cost.headReads} to inspect it`,
      isMet: readShare <= 1.05 && cost.reads <= Math.ceil(cost.bytes / (4 * mebibyte)) + 1,
    },
  ];
}

async function dayFinding({ disk, limits }: Sample): Promise<Finding> {
  const cost = await run(disk, limits);
  return {
    goal: `peak of ${day}: at most 1 GB`,
    figure: `${cost.peakMb.toFixed(0)} MB`,
    spread: `${cost.packets} packets, ${(cost.bytes / 1e6).toFixed(0)} MB, ${cost.wallSeconds.toFixed(0)} s`,
    isMet: cost.peakMb <= 1000,
  };
}

/** An hour in 10 MB, 500 MB and 5 GB: the same packets, with padding as video between them. */
async function sizeFinding(): Promise<Finding> {
  const costs: MediaCost[] = [];
  for (const bytes of [10e6, 500e6, 5e9]) {
    const file = sparseWebm(3600, Math.floor(bytes / 180), 1000);
    costs.push(await run(file, { ...always, jobBytes: 1e6, pieceSeconds: 3600 }));
  }
  const peaks = costs.map(({ peakMb }) => peakMb);
  const grown = (peaks.at(-1) ?? 0) - (peaks[0] ?? 0);
  return {
    goal: `peak of an hour of Opus in WebM of 5 GB: at most ${rangesMb} MB more than of 10 MB`,
    figure: `${grown.toFixed(0)} MB`,
    spread: costs
      .map(
        (cost) => `${(cost.bytes / 1e6).toFixed(0)} MB: ${cost.peakMb.toFixed(0)} MB, ${cost.cpuSeconds.toFixed(1)} s`,
      )
      .join('; '),
    isMet: grown <= rangesMb,
  };
}

async function silenceFindings(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const codec of ['opus', 'pcm-s16'] as const) {
    const { tracks, speechSeconds, recordedSeconds } = await meetingTracks(codec, 5, 1200, 1);
    let submitted = 0;
    for (const track of tracks)
      submitted += (await run(track, { ...trackLimits, jobBytes: always.jobBytes })).submitted;
    findings.push({
      goal: `seconds submitted of five tracks of ${codec === 'opus' ? 'Opus with DTX' : 'PCM'}: at most 1.25 times their speech`,
      figure: `${(submitted / speechSeconds).toFixed(2)} times`,
      spread: `${submitted.toFixed(0)} s of ${recordedSeconds.toFixed(0)} s, with ${speechSeconds.toFixed(0)} s of speech`,
      isMet: submitted <= 1.25 * speechSeconds,
    });
  }
  return findings;
}

/** Runs a task on a file in a process of its own. */
async function run(file: MediaFile, limits: MediaLimits, changes: Partial<MediaTask> = {}): Promise<MediaCost> {
  const server = await startMediaServer(new Map([['media/file', file]]));
  const task: MediaTask = { url: server.url, key: 'file', limits, onlyRead: false, withProfile: false, ...changes };
  const execArgv = [`--max-old-space-size=${heapMb}`];
  const child = fork(program, [JSON.stringify(task)], { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The process that prepares media ended with ${code}.`);
    });
    const [cost] = await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return cost as MediaCost;
  } finally {
    server.stop();
  }
}
