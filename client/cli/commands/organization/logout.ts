import type { Command } from 'commander';
import { type Cli, type GlobalOptions, outputOf } from '../../cli.ts';
import { examples } from '../../options.ts';
import { changeProfiles, findProfile } from '../../profiles.ts';
import { forgetTokens } from '../../token-cache.ts';

/** Adds `logout`. */
export function addLogout(program: Command, cli: Cli): void {
  const command = program
    .command('logout')
    .description('Delete a profile with its secret and its token from this machine.')
    .addHelpText('after', examples('$ roomscribe logout', '$ roomscribe logout --profile dev'))
    .action(async () => {
      const { name } = findProfile(cli, command.optsWithGlobals<GlobalOptions>().profile);
      const { current, profiles } = await changeProfiles(cli, (known) => {
        const { [name]: _, ...others } = known.profiles;
        return { current: known.current === name ? undefined : known.current, profiles: others };
      });
      await forgetTokens(cli, name);
      const output = outputOf(cli, command);
      output.print({ profile: name }, () => '');
      output.note(`The profile "${name}" was deleted.`);
      const [other] = Object.keys(profiles);
      if (current === undefined && other) output.note(`To use another profile, run: roomscribe profiles use ${other}`);
    });
}
