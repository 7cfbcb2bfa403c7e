import { readFileSync } from 'node:fs';
import type { Cli } from './cli.ts';
import { isLocked, profilesFile, withLock, writePrivate } from './folders.ts';
import { Problem, usageProblem } from './problems.ts';

/** The address of the API, and the credentials: those of a client, or a token. */
export type Account = { readonly apiUrl: string } & (
  | { readonly tokenUrl: string; readonly clientId: string; readonly clientSecret: string; readonly scope?: string }
  | { readonly token: string }
);

/** All profiles, and the name of the current one. */
export type Profiles = { readonly current?: string | undefined; readonly profiles: Readonly<Record<string, Account>> };

/** What a token must be, if a header cannot contain it. Does not quote the token, because it is a secret. */
export function tokenProblem(token: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(token) ? undefined : 'must be visible ASCII characters without spaces.';
}

/** Returns a token that a header can contain. The error for another text does not quote it, because it is a secret. */
export function requireToken(token: string, source: string): string {
  if (tokenProblem(token) === undefined) return token;
  const message = `The value of ${source} is not a token: a token consists of visible ASCII characters.`;
  throw new Problem('notLoggedIn', message, { code: 'token_refused' });
}

/** The valid names of profiles, which are parts of file names. */
const profileName = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the name if it is valid for a profile. */
export function requireProfileName(name: string): string {
  if (profileName.test(name)) return name;
  throw usageProblem(`"${name}" is not a valid profile name: use 1-64 of A-Z, a-z, 0-9, _ and -.`);
}

/** The profiles of this user. Without a file, there are none. */
export function readProfiles(cli: Pick<Cli, 'env'>): Profiles {
  const file = profilesFile(cli);
  const text = readIfThere(file);
  if (text === undefined) return { profiles: {} };
  try {
    const { current, profiles } = JSON.parse(text);
    if (!Object.values(profiles).every(isAccount)) throw new Error('A profile lacks a value.');
    return { current: typeof current === 'string' ? current : undefined, profiles: { ...profiles } };
  } catch (cause) {
    throw broken(file, cause);
  }
}

/** Changes the profiles, and returns them. Commands that change them at the same time wait for each other. */
export async function changeProfiles(cli: Pick<Cli, 'env'>, change: (before: Profiles) => Profiles): Promise<Profiles> {
  const file = profilesFile(cli);
  try {
    return await withLock(file, async () => {
      const profiles = change(readProfiles(cli)); // reads them again, because another command can have changed them
      await writePrivate(file, `${JSON.stringify(profiles, undefined, 2)}\n`);
      return profiles;
    });
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('unexpected', `${file} cannot be written (${cause instanceof Error ? cause.message : cause}).`, {
      code: 'profiles_not_written',
      hint: isLocked(cause)
        ? 'Another command is changing the file. Try again.'
        : 'Make its folder writable, or set ROOMSCRIBE_CONFIG_DIR to another folder.',
      cause,
    });
  }
}

/** The profile with this name, or the current one. */
export function findProfile(cli: Pick<Cli, 'env'>, name: string | undefined): { name: string; account: Account } {
  const { current, profiles } = readProfiles(cli);
  const wanted = name ?? current;
  const account = wanted !== undefined && Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined;
  if (wanted !== undefined && account) return { name: wanted, account };
  const known = Object.keys(profiles);
  if (wanted !== undefined) {
    throw new Problem('notLoggedIn', `There is no profile "${wanted}".`, {
      code: 'unknown_profile',
      hint: `${known.length > 0 ? `Known profiles: ${known.join(', ')}. ` : ''}Run: roomscribe login --profile ${wanted}`,
    });
  }
  throw new Problem('notLoggedIn', known.length > 0 ? 'There is no current profile.' : 'You are not logged in.', {
    code: 'not_logged_in',
    hint: known.length > 0 ? `Run: roomscribe profiles use ${known[0]}` : 'Run: roomscribe login',
  });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw broken(file, cause);
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function broken(file: string, cause: unknown): Problem {
  return new Problem('unexpected', `${file} cannot be read as profiles (${reasonOf(cause)}).`, {
    code: 'profiles_unreadable',
    hint: 'Repair the file, or delete it and log in again.', // no cause: the message of JSON.parse quotes secrets
  });
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'invalid content';
}

function isAccount(value: unknown): value is Account {
  const { apiUrl, token, tokenUrl, clientId, clientSecret, scope = '' } = value as Readonly<Record<string, unknown>>;
  const areTexts = (...values: unknown[]) => values.every((each) => typeof each === 'string');
  return areTexts(apiUrl, token) || areTexts(apiUrl, tokenUrl, clientId, clientSecret, scope);
}
