import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const memoryFolder = '/dev/shm'; // https://docs.kernel.org/filesystems/tmpfs.html
const neededBytes = 500_000_000;

/**
 * Creates a folder for the data of a local runner, in memory if the system has a folder for that: the databases of the
 * runner wait for the disk after every write.
 */
export function makeDataFolder(prefix: string): Promise<string> {
  return mkdtemp(path.join(hasSpace(memoryFolder) ? memoryFolder : tmpdir(), prefix));
}

function hasSpace(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > neededBytes;
}
