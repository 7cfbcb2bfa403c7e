import { expect, test } from 'vitest';
import { type MediaFile, mediaSource, wholeBudget } from '#shared/adapters/media/media-source.ts';
import { generatedFile, memoryFile, numberedBytes } from '../../../support/media/media-files.ts';

const mebibyte = 1024 ** 2;
const { signal } = new AbortController();

const numbered = (bytes: number): MediaFile => generatedFile(bytes, numberedBytes);

test('reads a file from front to back in at most one range per 4 MiB, each byte once', async () => {
  const bytes = 40 * mebibyte;
  const source = mediaSource(numbered(bytes), wholeBudget(bytes), signal);
  const step = 43_210;
  for (let at = 0; at < bytes; at += step) {
    const window = await source.read(at, step);
    expect(window.bytes[at - window.start]).toBe(at % 251);
    const last = Math.min(at + step, bytes) - 1;
    expect(window.bytes[last - window.start]).toBe(last % 251);
  }
  const { reads, bytes: read } = source.counted();
  expect(reads).toBeLessThanOrEqual(10);
  expect(read).toBeLessThanOrEqual(bytes * 1.05);
  source.close();
});

test('reads nothing of an empty file, or beyond the end', async () => {
  const empty = memoryFile(new Uint8Array());
  const window = await mediaSource(empty, wholeBudget(0), signal).read(0, 16);
  expect([window.bytes.byteLength, empty.ranges]).toEqual([0, []]);
});

test('answers without a promise for what is in memory', async () => {
  const source = mediaSource(numbered(1000), wholeBudget(1000), signal);
  await source.read(0, 10);
  expect(source.read(500, 400)).not.toBeInstanceOf(Promise);
});

test('keeps at most three windows', async () => {
  const content = memoryFile(new Uint8Array(100 * mebibyte));
  const source = mediaSource(content, { ...wholeBudget(content.bytes), firstLook: mebibyte }, signal);
  for (const at of [0, 60, 20, 90]) await source.read(at * mebibyte, 10);
  const before = content.ranges.length;
  await source.read(0, 10);
  expect(content.ranges.length).toBe(before + 1);
});

test.each([
  ['reads', { reads: 3, bytes: 1e12, firstLook: 10 }],
  ['bytes', { reads: 1000, bytes: 30, firstLook: 10 }],
])('refuses a file beyond its budget of %s', async (_, budget) => {
  const source = mediaSource(numbered(100 * mebibyte), budget, signal);
  const readEverywhere = async () => {
    for (const at of [0, 90, 10, 80, 20]) await source.read(at * mebibyte, 1);
  };
  await expect(readEverywhere()).rejects.toMatchObject({ code: 'too_scattered' });
});

test('refuses a part that claims to be too large, without allocating it', async () => {
  const source = mediaSource(numbered(1e12), wholeBudget(1e12), signal);
  expect(() => source.read(0, 200 * mebibyte)).toThrow('too large');
});

test('refuses a file that has become shorter', async () => {
  const source = mediaSource(
    generatedFile(100, () => new Uint8Array(5)),
    wholeBudget(100),
    signal,
  );
  await expect(source.read(0, 100)).rejects.toMatchObject({ code: 'replaced' });
});
