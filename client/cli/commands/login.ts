import { text } from 'node:stream/consumers';
import input from '@inquirer/input';
import password from '@inquirer/password';
import { type Command, Option } from 'commander';
import { unlessAborted } from '../../signals.ts';
import { type Cli, canAsk, type GlobalOptions, outputOf } from '../cli.ts';
import { clientOf, refusalOf } from '../connect.ts';
import { problemOf } from '../failures.ts';
import { profilesFile } from '../folders.ts';
import { examples } from '../options.ts';
import { Problem, usageProblem } from '../problems.ts';
import { type Account, changeProfiles, readProfiles, requireProfileName, requireToken } from '../profiles.ts';
import { tokenCache } from '../token-cache.ts';

type Flags = {
  readonly apiUrl?: string;
  readonly tokenUrl?: string;
  readonly clientId?: string;
  readonly scope?: string;
  readonly clientSecretStdin?: boolean;
  readonly tokenStdin?: boolean;
};

/** Adds `login`. */
export function addLogin(program: Command, cli: Cli): void {
  const command = program
    .command('login')
    .description('Check your credentials with a call, and save them as a profile. Asks for missing values.')
    .addOption(
      new Option('--api-url <url>', "URL of the API: ApiUrl of the stack's outputs.").env('ROOMSCRIBE_API_URL'),
    )
    .addOption(
      new Option('--token-url <url>', "URL for tokens: TokenUrl of the stack's outputs.").env('ROOMSCRIBE_TOKEN_URL'),
    )
    .addOption(new Option('--client-id <id>', 'Your client id.').env('ROOMSCRIBE_CLIENT_ID'))
    .addOption(new Option('--scope <scope>', 'Scope, if your issuer requires one.').env('ROOMSCRIBE_SCOPE'))
    .option('--client-secret-stdin', 'Read the client secret from stdin, not from ROOMSCRIBE_CLIENT_SECRET.')
    .addOption(
      new Option('--token-stdin', 'Read a token from stdin, and save it instead of a client.').conflicts(
        'clientSecretStdin',
      ),
    );
  command
    .addHelpText(
      'after',
      examples(
        '$ roomscribe login',
        '$ roomscribe login --profile dev --client-secret-stdin \\',
        '    --api-url https://abc.execute-api.eu-west-1.amazonaws.com \\',
        '    --token-url https://acme.auth.eu-west-1.amazoncognito.com/oauth2/token \\',
        '    --client-id 3n4b5urk1ft4fl3mg5e62d9ado < secret.txt',
      ),
    )
    .action(async (flags: Flags) => {
      const name = requireProfileName(command.optsWithGlobals<GlobalOptions>().profile ?? 'default');
      readProfiles(cli); // throws for a broken file before asking questions
      const account = await askFor(cli, flags);
      await tryOut(cli, command, name, account);
      const { current } = await changeProfiles(cli, (before) => ({
        current: before.current ?? name,
        profiles: { ...before.profiles, [name]: account },
      }));
      const output = outputOf(cli, command);
      output.print({ profile: name, apiUrl: account.apiUrl }, () => '');
      output.note(`Logged in. The profile "${name}" is saved in ${profilesFile(cli)}.`);
      if (current !== name) output.note(`To make it the current one, run: roomscribe profiles use ${name}`);
    });
}

/** Asks for missing values. Without a terminal, a missing value is a problem. */
async function askFor(cli: Cli, flags: Flags): Promise<Account> {
  const ask = async (message: string, option: string, given: string | undefined): Promise<string> => {
    if (given) return given;
    requireTerminal(cli, option);
    const context = { input: cli.stdin, output: cli.stderr, signal: cli.signal };
    return (await input({ message, required: true }, context)).trim();
  };
  const apiUrl = await ask('API URL', '--api-url', flags.apiUrl);
  if (flags.tokenStdin) {
    const token = await readSecret(cli, '--token-stdin');
    return { apiUrl, token: requireToken(token, 'stdin') };
  }
  const tokenUrl = await ask('Token URL', '--token-url', flags.tokenUrl);
  const clientId = await ask('Client id', '--client-id', flags.clientId);
  const { scope } = flags;
  return { apiUrl, tokenUrl, clientId, clientSecret: await askForSecret(cli, flags), ...(scope && { scope }) };
}

async function askForSecret(cli: Cli, { clientSecretStdin }: Flags): Promise<string> {
  if (clientSecretStdin) return readSecret(cli, '--client-secret-stdin');
  if (cli.env.ROOMSCRIBE_CLIENT_SECRET) return cli.env.ROOMSCRIBE_CLIENT_SECRET;
  requireTerminal(cli, '--client-secret-stdin');
  return askHidden(cli, 'Client secret');
}

async function askHidden(cli: Cli, message: string): Promise<string> {
  const validate = (value: string) => value.trim() !== '' || 'A value is required.';
  const context = { input: cli.stdin, output: cli.stderr, signal: cli.signal };
  return (await password({ message, validate }, context)).trim();
}

function requireTerminal(cli: Cli, option: string): void {
  if (!canAsk(cli)) throw usageProblem(`${option} is missing.`, 'Without a terminal, the command cannot ask for it.');
}

/** Reads a secret from stdin, or asks for it with hidden input on a terminal. */
async function readSecret(cli: Cli, option: string): Promise<string> {
  const { stdin, signal } = cli;
  if (canAsk(cli)) return askHidden(cli, option === '--token-stdin' ? 'Token' : 'Client secret');
  const secret = (await unlessAborted(text(stdin), signal)).trim();
  if (secret === '') throw usageProblem(`${option} needs a value on stdin, but stdin is empty.`);
  return secret;
}

/** Checks an account: requests a new token, ignoring the cache, and lists one transcription. */
async function tryOut(cli: Cli, command: Command, name: string, account: Account): Promise<void> {
  const store = 'token' in account ? undefined : tokenCache(cli, name, account);
  const client = clientOf(cli, command, account, store && { ...store, read: async () => undefined });
  try {
    await client.transcriptions.list({ limit: 1 }, { signal: cli.signal }).page();
  } catch (error) {
    const { exit, message, code, details } = problemOf(refusalOf(error, ''), command, cli.signal);
    const hint = cli.signal.aborted ? 'Nothing was saved.' : 'Nothing was saved. Check your values and try again.';
    throw new Problem(exit, message, { code, details, hint, cause: error });
  }
}
