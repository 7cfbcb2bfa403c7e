import { statfsSync } from 'node:fs';

/** With less free space the disk counts as full. The rest is for what already runs, and for requests that read or remove. */
export const reservedMegabytes = 16;
const watchMs = 1000;
const quietMs = 60_000;

/** Tells whether the disk of a folder is full now. */
export function diskOf(folder: string): () => boolean {
  return () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < reservedMegabytes * 1e6;
  };
}

/**
 * Looks every second, and tells that the disk is full, at most once a minute, and then that it has room again. Returns a
 * function that stops it.
 */
export function watchDisk(isFull: () => boolean, tell: (text: string) => void): () => void {
  let wasFull = false;
  let toldAt = 0;
  const timer = setInterval(() => {
    if (isFull() === wasFull) return;
    if (!wasFull && Date.now() - toldAt < quietMs) return;
    wasFull = !wasFull;
    if (wasFull) toldAt = Date.now();
    tell(wasFull ? fullDisk : 'The disk has room again. Everything goes on.');
  }, watchMs).unref();
  return () => clearInterval(timer);
}

const fullDisk =
  `The disk is full: less than ${reservedMegabytes} MB are free. New data is refused, and workers wait, until there is room. ` +
  'What was accepted is kept.';
