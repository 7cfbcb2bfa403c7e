import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import envPaths from 'env-paths';
import { lock } from 'proper-lockfile';
import writeFileAtomic from 'write-file-atomic';
import type { Cli } from './cli.ts';

const folders = envPaths('roomscribe', { suffix: '' });

/** The file of the profiles. */
export function profilesFile({ env }: Pick<Cli, 'env'>): string {
  return path.join(env.ROOMSCRIBE_CONFIG_DIR || folders.config, 'profiles.json');
}

/** The folder of the tokens. */
export function tokensFolder({ env }: Pick<Cli, 'env'>): string {
  return path.join(env.ROOMSCRIBE_CACHE_DIR || folders.cache, 'tokens');
}

/** Writes a file atomically, readable only by this user. Creates its folder if needed. */
export async function writePrivate(file: string, content: string): Promise<void> {
  await createFolder(path.dirname(file));
  await writeFileAtomic(file, content, { mode: 0o600 });
}

/** After this time, the lock of a command that died is free again. A living command renews its lock. */
const deadLockMs = 5_000;
/** Longer in total than a dead lock blocks. */
const attempts = { retries: 80, minTimeout: 20, maxTimeout: 150, randomize: true };

/** Runs an action while no other command holds the lock of the file. */
export async function withLock<Result>(file: string, action: () => Promise<Result>): Promise<Result> {
  await createFolder(path.dirname(file));
  const release = await lock(file, {
    realpath: false, // the file may not exist yet
    stale: deadLockMs,
    retries: attempts,
    onCompromised: () => {}, // a command that was stopped for seconds goes on: its write is still complete
  });
  try {
    return await action();
  } finally {
    await release().catch(() => {}); // another command took over the lock of one that was stopped
  }
}

/** Whether an error means that another command held the lock all the time. */
export function isLocked(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ELOCKED';
}

/** Creates a folder and its missing parents. Not with `recursive`, because that never ends below /proc. */
async function createFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  if (parent !== folder && !existsSync(parent)) await createFolder(parent);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}
