import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import envPaths from 'env-paths';
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
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, content, { mode: 0o600 });
}
