import type { Command } from 'commander';
import { type Cli, type GlobalOptions, outputOf } from '../cli.ts';
import { examples } from '../options.ts';
import { findProfile, readProfiles, writeProfiles } from '../profiles.ts';
import { forgetTokens } from '../token-cache.ts';

/** Adds `logout`. */
export function addLogout(program: Command, cli: Cli): void {
  const command = program
    .command('logout')
    .description('Forget a profile, its secret and its token.')
    .addHelpText('after', examples('$ roomscribe logout', '$ roomscribe logout --profile dev'))
    .action(async () => {
      const { name } = findProfile(cli, command.optsWithGlobals<GlobalOptions>().profile);
      const known = readProfiles(cli);
      const { [name]: _, ...profiles } = known.profiles;
      await writeProfiles(cli, { current: known.current === name ? undefined : known.current, profiles });
      await forgetTokens(cli, name);
      outputOf(cli, command).note(`The profile "${name}" is forgotten.`);
    });
}
