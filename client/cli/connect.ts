import type { Command } from 'commander';
import { AuthenticationError, ConnectionError, type RoomscribeError, TokenError } from '../errors.ts';
import { Roomscribe } from '../roomscribe.ts';
import type { TokenStore } from '../tokens.ts';
import { type Cli, type GlobalOptions, outputOf } from './cli.ts';
import { detailsOf } from './failures.ts';
import { spelledOut } from './options.ts';
import { Problem, usageProblem } from './problems.ts';
import { type Account, findProfile, requireToken } from './profiles.ts';
import { tokenCache } from './token-cache.ts';

/** Calls the API with the account of the profile or the environment. A refused token becomes a problem with a hint. */
export async function withClient<Result>(
  cli: Cli,
  command: Command,
  use: (client: Roomscribe) => Promise<Result>,
): Promise<Result> {
  const { account, owner, remedy } = accountOf(cli, command);
  const store = 'token' in account ? undefined : tokenCache(cli, owner, account);
  try {
    return await use(clientOf(cli, command, account, store));
  } catch (error) {
    throw refusalOf(error, remedy);
  }
}

/** A client of the library for an account. */
export function clientOf(cli: Cli, command: Command, account: Account, tokenStore?: TokenStore): Roomscribe {
  const retries = cli.env.ROOMSCRIBE_MAX_RETRIES || undefined;
  if (retries !== undefined && !/^\d{1,2}$/.test(retries)) {
    throw usageProblem('ROOMSCRIBE_MAX_RETRIES must be a whole number from 0 to 99.');
  }
  const { progress } = outputOf(cli, command);
  const onRetry = (error: RoomscribeError, delayMs: number) => {
    const what = error instanceof ConnectionError ? 'No answer' : 'The service is busy';
    progress.show(`${what}, trying again in ${Math.ceil(delayMs / 1000)} s`);
  };
  const maxRetries = retries === undefined ? undefined : Number(retries);
  try {
    return new Roomscribe({ ...account, tokenStore, maxRetries, onRetry });
  } catch (error) {
    if (error instanceof TypeError) throw usageProblem(spelledOut(error.message, command));
    throw error;
  }
}

/** Converts errors of tokens to problems, and returns other errors unchanged. */
export function refusalOf(error: unknown, hint: string): unknown {
  if (error instanceof TokenError) {
    return new Problem('notLoggedIn', error.message, { code: error.code, hint, cause: error });
  }
  if (error instanceof AuthenticationError) {
    const message = 'The service refused the token. It has expired, or it belongs to another service.';
    return new Problem('notLoggedIn', message, { code: error.code, hint, details: detailsOf(error), cause: error });
  }
  return error;
}

type Found = {
  readonly account: Account;
  /** The name of the profile; undefined for the environment. */
  readonly owner: string | undefined;
  /** The hint if the account is refused. */
  readonly remedy: string;
};

/** The account of `--profile`, or else of the environment, or else of ROOMSCRIBE_PROFILE or the current profile. */
function accountOf(cli: Cli, command: Command): Found {
  const { profile } = command.optsWithGlobals<GlobalOptions>();
  const isNamed = command.getOptionValueSourceWithGlobals('profile') === 'cli';
  if (!isNamed && cli.env.ROOMSCRIBE_API_URL) return fromEnvironment(cli, cli.env.ROOMSCRIBE_API_URL);
  const { name, account } = findProfile(cli, profile);
  const option = 'token' in account ? ' --token-stdin' : '';
  return { account, owner: name, remedy: `Run: roomscribe login --profile ${name}${option}` };
}

function fromEnvironment({ env }: Cli, apiUrl: string): Found {
  if (env.ROOMSCRIBE_TOKEN) {
    return {
      account: { apiUrl, token: requireToken(env.ROOMSCRIBE_TOKEN, 'ROOMSCRIBE_TOKEN') },
      owner: undefined,
      remedy: 'Set another ROOMSCRIBE_TOKEN.',
    };
  }
  const {
    ROOMSCRIBE_TOKEN_URL: tokenUrl,
    ROOMSCRIBE_CLIENT_ID: clientId,
    ROOMSCRIBE_CLIENT_SECRET: clientSecret,
    ROOMSCRIBE_SCOPE: scope,
  } = env;
  if (tokenUrl && clientId && clientSecret) {
    const remedy = 'Check ROOMSCRIBE_TOKEN_URL, ROOMSCRIBE_CLIENT_ID and ROOMSCRIBE_CLIENT_SECRET.';
    return { account: { apiUrl, tokenUrl, clientId, clientSecret, ...(scope && { scope }) }, owner: undefined, remedy };
  }
  throw new Problem('notLoggedIn', 'ROOMSCRIBE_API_URL is set, but the environment has no credentials.', {
    code: 'not_logged_in',
    hint: 'Set ROOMSCRIBE_TOKEN, or ROOMSCRIBE_TOKEN_URL, ROOMSCRIBE_CLIENT_ID and ROOMSCRIBE_CLIENT_SECRET.',
  });
}
