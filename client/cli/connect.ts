import type { Command } from 'commander';
import { AuthenticationError, ConnectionError, type RoomscribeError, TokenError } from '../errors.ts';
import { Roomscribe } from '../roomscribe.ts';
import { type TokenStore, type Tokens, tokensFrom, tokensOf } from '../tokens.ts';
import { type Cli, type GlobalOptions, isProfileNamed, outputOf } from './cli.ts';
import { type Addresses, detailsOf, invalidAddress, problemOf } from './failures.ts';
import { Problem, usageProblem } from './problems.ts';
import { type Account, findProfile, requireToken } from './profiles.ts';
import { tokenCache } from './token-cache.ts';

/** Calls the API with the account of the profile or the environment. An error becomes a problem that names what to change. */
export async function withClient<Result>(
  cli: Cli,
  command: Command,
  use: (client: Roomscribe, source: Pick<Found, 'account' | 'owner'>) => Promise<Result>,
): Promise<Result> {
  const found = accountOf(cli, command);
  const { account, owner, remedy, addresses } = found;
  const store = 'token' in account ? undefined : tokenCache(cli, owner, account);
  try {
    return await use(clientOf(cli, command, account, { addresses, store }), found);
  } catch (error) {
    throw problemOf(refusalOf(error, remedy), command, cli.signal, addresses);
  }
}

/** Lets `use` call the API itself, with the tokens of the account of the profile or the environment. Errors become problems as in `withClient`. */
export async function withTokens<Result>(
  cli: Cli,
  command: Command,
  use: (source: Found & { readonly tokens: Tokens }) => Promise<Result>,
): Promise<Result> {
  const found = accountOf(cli, command);
  const { account, owner, remedy, addresses } = found;
  clientOf(cli, command, account, { addresses }); // throws for an invalid address
  const http = { fetch, maxRetries: maxRetriesOf(cli) ?? 4, timeoutMs: 35_000 };
  const tokens =
    'token' in account
      ? tokensFrom(account.token)
      : tokensOf({ ...account, tokenStore: tokenCache(cli, owner, account) }, http);
  try {
    return await use({ ...found, tokens });
  } catch (error) {
    throw problemOf(refusalOf(error, remedy), command, cli.signal, addresses);
  }
}

type ClientParts = { readonly addresses: Addresses; readonly store?: TokenStore | undefined };

/** A client of the library for an account. */
export function clientOf(
  cli: Cli,
  command: Command,
  account: Account,
  { addresses, store: tokenStore }: ClientParts,
): Roomscribe {
  const maxRetries = maxRetriesOf(cli);
  const { progress } = outputOf(cli, command);
  const onRetry = (error: RoomscribeError, delayMs: number) => {
    const what = error instanceof ConnectionError ? 'No answer' : 'The service is busy';
    progress.show(`${what}, trying again in ${Math.ceil(delayMs / 1000)} s`);
  };
  try {
    return new Roomscribe({ ...account, tokenStore, maxRetries, onRetry });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalidAddress(error.message, addresses);
  }
}

function maxRetriesOf({ env }: Cli): number | undefined {
  const retries = env.ROOMSCRIBE_MAX_RETRIES || undefined;
  if (retries === undefined || /^\d{1,2}$/.test(retries)) return retries === undefined ? undefined : Number(retries);
  throw usageProblem('ROOMSCRIBE_MAX_RETRIES must be a whole number from 0 to 99.');
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
  readonly addresses: Addresses;
};

/** The account of `--profile`, or else of the environment, or else of ROOMSCRIBE_PROFILE or the current profile. */
function accountOf(cli: Cli, command: Command): Found {
  const { profile } = command.optsWithGlobals<GlobalOptions>();
  if (!isProfileNamed(command) && cli.env.ROOMSCRIBE_API_URL) return fromEnvironment(cli, cli.env.ROOMSCRIBE_API_URL);
  const { name, account } = findProfile(cli, profile);
  const option = 'token' in account ? ' --token-stdin' : '';
  const remedy = `Run: roomscribe login --profile ${name}${option}`;
  const addresses = {
    apiUrl: `the API URL of the profile "${name}"`,
    tokenUrl: `the token URL of the profile "${name}"`,
    hint: `To see it, run: roomscribe profiles\nTo change it, run: roomscribe login --profile ${name}${option}`,
  };
  return { account, owner: name, remedy, addresses };
}

const variables: Addresses = {
  apiUrl: 'ROOMSCRIBE_API_URL',
  tokenUrl: 'ROOMSCRIBE_TOKEN_URL',
  hint: "Set the variable to the URL of the stack's outputs.",
};

function fromEnvironment({ env }: Cli, apiUrl: string): Found {
  if (env.ROOMSCRIBE_TOKEN) {
    return {
      account: { apiUrl, token: requireToken(env.ROOMSCRIBE_TOKEN, 'ROOMSCRIBE_TOKEN') },
      owner: undefined,
      remedy: 'Set another ROOMSCRIBE_TOKEN.',
      addresses: variables,
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
    const account = { apiUrl, tokenUrl, clientId, clientSecret, ...(scope && { scope }) };
    return { account, owner: undefined, remedy, addresses: variables };
  }
  throw new Problem('notLoggedIn', 'ROOMSCRIBE_API_URL is set, but the environment has no credentials.', {
    code: 'not_logged_in',
    hint: 'Set ROOMSCRIBE_TOKEN, or ROOMSCRIBE_TOKEN_URL, ROOMSCRIBE_CLIENT_ID and ROOMSCRIBE_CLIENT_SECRET.',
  });
}
