import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import envPaths from 'env-paths';
import writeFileAtomic from 'write-file-atomic';
import type { Cli } from './cli.ts';

const folders = envPaths('roomscribe', { suffix: '' });

/** The file that profiles are kept in. */
export function profilesFile({ env }: Pick<Cli, 'env'>): string {
  return path.join(env.ROOMSCRIBE_CONFIG_DIR || folders.config, 'profiles.json');
}

/** The folder that tokens are kept in. */
export function tokensFolder({ env }: Pick<Cli, 'env'>): string {
  return path.join(env.ROOMSCRIBE_CACHE_DIR || folders.cache, 'tokens');
}

/** Writes a file whole or not at all, for this user's eyes only; its folder is made where there is none. */
export async function writePrivate(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, content, { mode: 0o600 });
}
