import { statfsSync } from 'node:fs';

/** With less free space the disk counts as full. The rest is for what runs, and for requests that read or remove. */
export const reservedMegabytes = 16;
const watchMs = 1000;

/** Tells whether the disk of a folder is full now. A disk of which that is unknown is not. */
export function diskOf(folder: string): () => boolean {
  return () => {
    try {
      const { blocks, bavail, bsize } = statfsSync(folder);
      return blocks > 0 && bavail * bsize < reservedMegabytes * 1e6; // no blocks: the file system does not tell its size
    } catch {
      return false; // the folder was removed, or its disk does not answer
    }
  };
}

/** Looks every second, and tells when the disk is full and when it has room again. Returns a function that ends it. */
export function watchDisk(isFull: () => boolean, tell: (text: string) => void): () => void {
  let wasFull = false;
  const timer = setInterval(() => {
    if (isFull() === wasFull) return;
    wasFull = !wasFull;
    tell(wasFull ? fullDisk : 'The disk has room again. Everything goes on.');
  }, watchMs).unref();
  return () => clearInterval(timer);
}

const fullDisk =
  `The disk is full: less than ${reservedMegabytes} MB are free. New data is refused, and workers wait, until there is room. ` +
  'What was accepted is kept.';
