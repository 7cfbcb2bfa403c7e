import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { examples } from '../options.ts';
import { readProfiles } from '../profiles.ts';
import { forBash } from './bash-completion.ts';

/** Adds `completion`; all other commands must have been added by then. */
export function addCompletion(program: Command, cli: Cli): void {
  const completion = tab(program, { completionCommandName: 'completion' });
  const command = program.commands.find((each) => each.name() === 'completion');
  for (const argument of command?.registeredArguments ?? []) argument.description = 'The shell.';
  command
    ?.action((shell: string) => {
      const script = scriptOf(() => completion.setup(program.name(), program.name(), shell));
      cli.stdout.write(shell === 'bash' ? forBash(script) : script);
    })
    .description('Print a script that lets your shell complete commands, options, choices and profiles.')
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

/** Completion stays silent where the profiles cannot be read. */
function namesOf(cli: Cli) {
  try {
    return readProfiles(cli).profiles;
  } catch {
    return {};
  }
}

/** What is printed meanwhile: the library hands its scripts to the console alone. */
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
