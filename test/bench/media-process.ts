import { Session } from 'node:inspector/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { inspectMedia } from '#shared/adapters/media/inspect-media.ts';
import type { MediaFile } from '#shared/adapters/media/media-source.ts';
import { prepareMedia } from '#shared/adapters/media/prepare-media.ts';
import { pinObject, s3File } from '#shared/adapters/media/s3-file.ts';
import { s3Upload } from '#shared/adapters/media/s3-upload.ts';
import { type MediaLimits, planMedia } from '#shared/domain/media-plan.ts';
import { submittedSeconds } from '#shared/domain/media-time-map.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';

// Prepares one file, or only reads it, in a process of its own, and prints what that took.

/** What the process does. */
export type MediaTask = {
  readonly url: string;
  readonly key: string;
  readonly limits: MediaLimits;
  /** Reads all ranges and does nothing with them: the least that any preparation costs. */
  readonly onlyRead: boolean;
  readonly withProfile: boolean;
};

/** What it took. */
export type MediaCost = {
  readonly plan: string;
  readonly pieces: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly submitted: number;
  readonly headReads: number;
  readonly reads: number;
  readonly bytesRead: number;
  readonly packets: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMb: number;
  readonly profile: readonly string[];
};

const task: MediaTask = JSON.parse(process.argv[2] ?? '{}');
const { signal } = new AbortController();
const s3 = new S3Client({ ...clientSettings(task.url), forcePathStyle: true });
const pinned = await pinObject(s3, { bucket: 'media', key: task.key }, signal);
if (typeof pinned === 'string') throw new Error(`There is no file ${task.key}.`);
const file = s3File(s3, pinned);
process.send?.(await (task.onlyRead ? readAll(file) : prepare(file)));
process.exit();

async function readAll({ bytes, readRange }: MediaFile): Promise<MediaCost> {
  const step = 8 * 1024 ** 2;
  const clock = startClock();
  for (let start = 0; start < bytes; start += step) await readRange(start, Math.min(start + step, bytes), signal);
  const none = { plan: 'none', pieces: 0, seconds: 0, submitted: 0, headReads: 0, packets: 0, profile: [] };
  return { ...none, bytes, reads: Math.ceil(bytes / step), bytesRead: bytes, ...clock() };
}

async function prepare(source: MediaFile): Promise<MediaCost> {
  const { facts, reads: headReads } = await inspectMedia(source, signal);
  const plan = planMedia(facts, task.limits);
  if (plan.kind !== 'prepare') throw new Error(`${task.key} is not prepared: ${JSON.stringify(plan)}`);
  const profiler = task.withProfile ? await startProfiler() : async () => [];
  const clock = startClock();
  let submitted = 0;
  const outcome = await prepareMedia({
    files: [{ file: source, offset: 0 }],
    plan,
    leaveOutSilence: task.limits.leaveOutSilence,
    jobSeconds: task.limits.jobSeconds,
    done: new Set(),
    target: (index) => s3Upload(s3, { bucket: 'media', key: `work/${index}` }, signal),
    async onPiece({ map }) {
      submitted += submittedSeconds(map);
    },
    hasTimeLeft: () => true,
    signal,
  });
  const { seconds, bytes } = facts;
  const figures = { plan: plan.output, pieces: plan.pieces.length, seconds, bytes, submitted, headReads };
  return { ...figures, ...outcome, ...clock(), profile: await profiler() };
}

function startClock() {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    const wallSeconds = (performance.now() - wall) / 1000;
    return { cpuSeconds: (user + system) / 1e6, wallSeconds, peakMb: process.resourceUsage().maxRSS / 1024 };
  };
}

/** Starts the sampling profiler. The returned function names the functions that took the most time themselves. */
async function startProfiler() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
    const times = new Map<string, number>();
    for (const [index, id] of (profile.samples ?? []).entries()) {
      const name = names.get(id) ?? '';
      times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas?.[index] ?? 0));
    }
    times.delete('(idle)');
    const total = [...times.values()].reduce((sum, time) => sum + time, 0);
    const top = [...times].toSorted(([, a], [, b]) => b - a).slice(0, 12);
    return top.map(([name, time]) => `${name} ${((100 * time) / total).toFixed(0)} %`);
  };
}

function nameOf({ functionName, url }: { functionName: string; url: string }): string {
  const place = url.includes('mediabunny') ? 'mediabunny' : (url.split('/').at(-1) ?? '');
  return place === '' ? functionName || '(anonymous)' : `${functionName || '(anonymous)'} of ${place}`;
}
