import type { Command } from 'commander';
import { type Cli, outputOf } from '../../cli.ts';
import { examples } from '../../options.ts';
import { type Column, table } from '../../output/table.ts';
import { type Account, changeProfiles, findProfile, readProfiles } from '../../profiles.ts';

type Listed = { readonly name: string; readonly isCurrent: boolean; readonly account: Account };

const columns: readonly Column<Listed>[] = [
  { header: 'PROFILE', value: ({ name }) => name },
  { header: 'CURRENT', value: ({ isCurrent }) => (isCurrent ? 'yes' : '') },
  { header: 'CLIENT', value: ({ account }) => ('token' in account ? '(a token)' : account.clientId), mayBeCut: true },
  { header: 'API', value: ({ account }) => account.apiUrl },
];

/** Adds `profiles` and its commands. */
export function addProfiles(program: Command, cli: Cli): void {
  const profiles = program
    .command('profiles')
    .description('List your profiles, or choose the current one.')
    .addHelpText('after', examples('$ roomscribe profiles', '$ roomscribe profiles use prod'));
  const list = profiles
    .command('list', { isDefault: true })
    .description('List the profiles, without their secrets.')
    .addHelpText('after', examples('$ roomscribe profiles list'))
    .action(() => {
      const output = outputOf(cli, list);
      const known = readProfiles(cli);
      const listed = Object.entries(known.profiles).map(
        ([name, account]): Listed => ({ name, isCurrent: name === known.current, account }),
      );
      output.print(listed.map(toJson), (screen) => (listed.length > 0 ? table(columns, listed, screen) : ''));
      if (listed.length === 0) output.note('No profiles. To create one, run: roomscribe login');
    });
  const use = profiles
    .command('use')
    .description('Make a profile the current one. Commands without --profile use it.')
    .argument('<name>', 'Name of the profile.')
    .addHelpText('after', examples('$ roomscribe profiles use prod'))
    .action(async (wanted: string) => {
      const { name } = findProfile(cli, wanted);
      await changeProfiles(cli, (known) => ({ ...known, current: name }));
      const output = outputOf(cli, use);
      output.print({ profile: name }, () => '');
      output.note(`The current profile is "${name}".`);
    });
}

function toJson({ name, isCurrent, account }: Listed) {
  const { apiUrl } = account;
  const client = 'token' in account ? {} : { tokenUrl: account.tokenUrl, clientId: account.clientId };
  return { name, isCurrent, apiUrl, ...client };
}
