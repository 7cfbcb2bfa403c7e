import { type Command, Option } from 'commander';
import { type Cli, type GlobalOptions, outputOf } from '../../cli.ts';
import { clientOf, refusalOf } from '../../connect.ts';
import { problemOf } from '../../failures.ts';
import { profilesFile } from '../../folders.ts';
import { examples } from '../../options.ts';
import { Problem } from '../../problems.ts';
import { type Account, changeProfiles, readProfiles, requireProfileName } from '../../profiles.ts';
import { tokenCache } from '../../token-cache.ts';
import { type LoginFlags, readAccount } from './login-values.ts';

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
    .action(async (flags: LoginFlags) => {
      const name = requireProfileName(command.optsWithGlobals<GlobalOptions>().profile ?? 'default');
      readProfiles(cli); // throws for a broken file before asking questions
      const account = await readAccount(cli, flags, ({ flag, option }) => {
        const { envVar } = command.options.find(({ long }) => long === option) ?? {};
        return (command.getOptionValueSource(flag) === 'env' && envVar) || option;
      });
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

/** Checks an account: requests a new token, ignoring the cache, and lists one transcription. */
async function tryOut(cli: Cli, command: Command, name: string, account: Account): Promise<void> {
  const store = 'token' in account ? undefined : tokenCache(cli, name, account);
  const client = clientOf(cli, command, account, {
    addresses: { apiUrl: 'the API URL', tokenUrl: 'the token URL', hint: 'Nothing was saved.' },
    store: store && { ...store, read: async () => undefined },
  });
  try {
    await client.transcriptions.list({ limit: 1 }, { signal: cli.signal }).page();
  } catch (error) {
    const { exit, message, code, details } = problemOf(refusalOf(error, ''), command, cli.signal);
    const hint = cli.signal.aborted ? 'Nothing was saved.' : 'Nothing was saved. Check your values and try again.';
    throw new Problem(exit, message, { code, details, hint, cause: error });
  }
}
