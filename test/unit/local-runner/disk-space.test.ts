import { existsSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { diskOf, watchDisk } from '#tools/local/limits/disk-space.ts';

test.runIf(existsSync('/proc/self'))('a file system that does not tell its size is not full', () => {
  expect(diskOf('/proc')()).toBe(false);
});

test('a folder that is gone is on no full disk', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-gone-'));
  const isFull = diskOf(folder);
  expect(isFull()).toBe(false);
  await rmdir(folder);
  expect(isFull()).toBe(false);
});

test('each change is told once, until the watch ends', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const told: string[] = [];
  let isFull = false;
  const stop = watchDisk(
    () => isFull,
    (text) => told.push(text.slice(0, text.search(/[:.]/))),
  );
  for (const next of [false, true, true, false, true]) {
    isFull = next;
    vi.advanceTimersByTime(2000);
  }
  stop();
  isFull = false;
  vi.advanceTimersByTime(2000);
  expect(told).toEqual(['The disk is full', 'The disk has room again', 'The disk is full']);
});
