import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { TokenStore } from '../tokens.ts';
import type { Cli } from './cli.ts';
import { tokensFolder, writePrivate } from './folders.ts';
import { Problem } from './problems.ts';
import type { Account } from './profiles.ts';

type Client = Extract<Account, { readonly clientId: string }>;

/**
 * Stores a client's token for later commands. The owner is a profile, or undefined for a client of the environment. Errors
 * of reading and writing are ignored, because the command can request another token. Only a folder that the person chose
 * must be writable.
 */
export function tokenCache(cli: Pick<Cli, 'env'>, owner: string | undefined, client: Client): TokenStore {
  const hash = createHash('sha256')
    .update(JSON.stringify([client.tokenUrl, client.clientId, client.clientSecret, client.scope]))
    .digest('hex');
  const file = path.join(tokensFolder(cli), `${prefixOf(owner)}${hash.slice(0, 16)}.json`);
  return {
    async read() {
      try {
        const { accessToken, renewAt } = JSON.parse(await readFile(file, 'utf8'));
        return typeof accessToken === 'string' && typeof renewAt === 'number' ? { accessToken, renewAt } : undefined;
      } catch {
        return undefined;
      }
    },
    async write({ accessToken, renewAt }) {
      try {
        await writePrivate(file, JSON.stringify({ accessToken, renewAt }));
      } catch (cause) {
        if (cli.env.ROOMSCRIBE_CACHE_DIR) throw notStored(cli.env.ROOMSCRIBE_CACHE_DIR, cause);
      }
    },
  };
}

function notStored(folder: string, cause: unknown): Problem {
  const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
  return new Problem('unexpected', `The token cannot be stored in ROOMSCRIBE_CACHE_DIR, ${folder} (${reason}).`, {
    code: 'token_not_stored',
    hint: 'Make the folder writable, or set ROOMSCRIBE_CACHE_DIR to another folder.',
    cause,
  });
}

/** Deletes the tokens of a profile. */
export async function forgetTokens(cli: Pick<Cli, 'env'>, profile: string): Promise<void> {
  const folder = tokensFolder(cli);
  const files = await readdir(folder).catch(() => []);
  const own = files.filter((file) => file.slice(0, -'0123456789abcdef.json'.length) === prefixOf(profile));
  await Promise.all(own.map((file) => rm(path.join(folder, file), { force: true })));
}

/** The beginning of a token's file name. It is unambiguous, because names of profiles have no dots. */
function prefixOf(owner: string | undefined): string {
  return owner === undefined ? 'environment.' : `profile.${owner}.`;
}
