import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { examples } from '../../options.ts';
import { readProfiles } from '../../profiles.ts';
import { forBash } from './bash-completion.ts';

/** Adds `completion`. Add it last, because it reads all other commands. */
export function addCompletion(program: Command, cli: Cli): void {
  const completion = tab(program, { completionCommandName: 'completion' });
  const command = program.commands.find((each) => each.name() === 'completion');
  for (const argument of command?.registeredArguments ?? []) argument.description = 'Your shell.';
  command
    ?.action((shell: string) => {
      const script = scriptOf(() => completion.setup(program.name(), program.name(), shell));
      cli.stdout.write(shell === 'bash' ? forBash(script) : script);
    })
    .description('Print a script for your shell that completes commands, options, values and profiles.')
    .addHelpText(
      'after',
      examples(
        "$ echo 'source <(roomscribe completion bash)' >> ~/.bashrc",
        "$ echo 'source <(roomscribe completion zsh)' >> ~/.zshrc",
        '$ roomscribe completion fish \\',
        '    > ~/.config/fish/completions/roomscribe.fish',
      ),
    );
  const profileNames = (complete: (value: string, description: string) => void) => {
    for (const [name, { apiUrl }] of Object.entries(namesOf(cli))) complete(name, apiUrl);
  };
  for (const command of [completion, ...completion.commands.values()]) {
    for (const { long, description } of program.options) {
      if (long === '--profile') command.option('profile', description, profileNames);
      else if (long && command !== completion) command.option(long.slice(2), description);
    }
  }
  completion.commands.get('profiles use')?.argument('name', profileNames);
}

/** The profiles, or nothing if the file cannot be read: completion must print no errors. */
function namesOf(cli: Cli) {
  try {
    return readProfiles(cli).profiles;
  } catch {
    return {};
  }
}

/** Returns what `print` prints, because the library writes its scripts only to the console. */
function scriptOf(print: () => void): string {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: string) => {
    lines.push(line);
  };
  try {
    print();
  } finally {
    console.log = log;
  }
  return `${lines.join('\n')}\n`;
}
