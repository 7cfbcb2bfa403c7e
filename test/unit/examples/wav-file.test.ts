import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { sampleRate, WavFile } from '../../../examples/livekit-recorder/wav-file.ts';

const start = Date.parse('2026-11-23T09:00:00Z');
const frameMs = 50;
const headerBytes = 44;

async function createFile(): Promise<WavFile> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wav-file-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return WavFile.create(path.join(folder, 'track.wav'));
}

/** A frame of LiveKit, whose samples all have one value. */
function frame(value: number, length = (sampleRate * frameMs) / 1000): Int16Array {
  return new Int16Array(length).fill(value);
}

/** Adds frames of 50 ms, as they are received one after the other. Returns when the last one was received. */
async function speak(file: WavFile, value: number, frames: number, from: number): Promise<number> {
  for (let index = 1; index <= frames; index++) await file.add(frame(value), from + index * frameMs);
  return from + frames * frameMs;
}

/** What is in a closed file, as runs of one value: `[7, 100]` is 100 ms of samples that are 7. */
async function runsOf(file: WavFile): Promise<(readonly [value: number, ms: number])[]> {
  const bytes = await readFile(file.path);
  const runs: [number, number][] = [];
  for (let at = headerBytes; at < bytes.length; at += 2) {
    const value = bytes.readInt16LE(at);
    const last = runs.at(-1);
    if (last?.[0] === value) last[1] += 1;
    else runs.push([value, 1]);
  }
  return runs.map(([value, samples]) => [value, (samples * 1000) / sampleRate] as const);
}

/** What ffprobe reads, which knows nothing of this writer. */
async function probe(file: string): Promise<Record<string, unknown>> {
  const entries = 'stream=codec_name,sample_rate,channels,duration';
  const args = ['-v', 'error', '-show_entries', entries, '-of', 'json', file];
  const { stdout } = await promisify(execFile)('ffprobe', args);
  return JSON.parse(stdout).streams[0];
}

test('a closed file has its samples, its length, and the times of its first and last sample', async () => {
  const file = await createFile();
  await speak(file, 7, 20, start);

  expect(await file.close()).toBe((await readFile(file.path)).length);
  expect(await probe(file.path)).toEqual({
    ...{ codec_name: 'pcm_s16le', sample_rate: String(sampleRate), channels: 1 },
    duration: '1.000000',
  });
  expect(await runsOf(file)).toEqual([[7, 1000]]);
  expect([file.startedAt, file.endedAt]).toEqual([start, start + 1000]);
});

test('a stretch without samples becomes silence of its length', async () => {
  const file = await createFile();
  const muted = await speak(file, 7, 4, start);
  await speak(file, 8, 40, muted + 3456);
  await file.close();

  expect(await runsOf(file)).toEqual([
    [7, 200],
    [0, 3456],
    [8, 2000],
  ]);
  expect(file.endedAt).toBe(muted + 3456 + 2000);
});

test('a stretch without samples becomes silence also if the file ends soon after it', async () => {
  const file = await createFile();
  const muted = await speak(file, 7, 4, start);
  await speak(file, 8, 2, muted + 60_000);
  await file.close();

  expect(await runsOf(file)).toEqual([
    [7, 200],
    [0, 60_000],
    [8, 100],
  ]);
  expect(file.endedAt).toBe(muted + 60_000 + 100);
});

test('samples that were only handed over late are followed by no silence', async () => {
  const file = await createFile();
  const stalled = await speak(file, 7, 4, start);
  for (let index = 0; index < 8; index++) await file.add(frame(8), stalled + 400 + index); // eight frames at once
  await speak(file, 9, 20, stalled + 400);
  await file.close();

  expect(await runsOf(file)).toEqual([
    [7, 200],
    [8, 400],
    [9, 1000],
  ]);
});

test('samples that are a little late, each by another time, are followed by no silence', async () => {
  const file = await createFile();
  for (let index = 1; index <= 100; index++) await file.add(frame(7), start + index * frameMs + ((index * 37) % 190));
  await file.close();

  expect(await runsOf(file)).toEqual([[7, 5000]]);
});

test('each of several stretches becomes silence', async () => {
  const file = await createFile();
  let at = start;
  for (const value of [1, 2, 3]) at = (await speak(file, value, 20, at)) + 1000;
  await file.close();

  expect(await runsOf(file)).toEqual([
    [1, 1000],
    [0, 1000],
    [2, 1000],
    [0, 1000],
    [3, 1000],
  ]);
});

test('a frame can be a part of a larger buffer', async () => {
  const file = await createFile();
  const buffer = new Int16Array([1, 1, 7, 7, 7, 1]);
  await file.add(buffer.subarray(2, 5), start);
  await file.close();

  expect((await readFile(file.path)).subarray(headerBytes)).toEqual(Buffer.from([7, 0, 7, 0, 7, 0]));
});

test('a file that a killed recorder left can be read', async () => {
  const file = await createFile();
  await speak(file, 7, 20, start);
  onTestFinished(async () => void (await file.close()));

  const { duration, ...format } = await probe(file.path);
  expect(format).toEqual({ codec_name: 'pcm_s16le', sample_rate: String(sampleRate), channels: 1 });
  const decoded = await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', file.path, '-f', 's16le', '-'], {
    encoding: 'buffer',
    maxBuffer: 10_000_000,
  });
  expect(decoded.stdout.length).toBe(sampleRate * 2);
});

test('a file without samples has a header and no start', async () => {
  const file = await createFile();

  expect(await file.close()).toBe(headerBytes);
  expect(file.startedAt).toBeUndefined();
  expect((await readFile(file.path)).readUInt32LE(40)).toBe(0);
});

test('a file that exists is not overwritten', async () => {
  const file = await createFile();
  await file.close();
  await writeFile(file.path, 'a recording');

  await expect(WavFile.create(file.path)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(file.path, 'utf8')).toBe('a recording');
});
