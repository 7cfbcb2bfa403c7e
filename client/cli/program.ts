import { Command, Option } from 'commander';
import type { Cli } from './cli.ts';
import { addCompletion } from './commands/common/completion.ts';
import { addConsole } from './commands/common/console/console.ts';
import { addExport } from './commands/insights/export/export.ts';
import { addInsights } from './commands/insights/insights.ts';
import { addNotices } from './commands/notices/notices.ts';
import { addLogin } from './commands/organization/login.ts';
import { addLogout } from './commands/organization/logout.ts';
import { addProfiles } from './commands/organization/profiles.ts';
import { addWhoami } from './commands/organization/whoami.ts';
import { addEvents } from './commands/platforms/events.ts';
import { addTranscriptions } from './commands/transcriptions/transcriptions.ts';
import { addListen } from './commands/webhooks/listen/listen.ts';
import { addWebhooks } from './commands/webhooks/webhooks.ts';
import { variables } from './environment.ts';
import { describeOption, examples } from './options.ts';
import { version } from './parameters.ts';
import { exitCodes, exitCodeTexts } from './problems.ts';

/** Creates the command line with all commands. It throws every error, including invalid use, and prints none. */
export function createProgram(cli: Cli): Command {
  const program = new Command('roomscribe')
    .description('Transcripts and usage insights of video rooms, from your Roomscribe deployment.')
    .version(version, '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print help.')
    .helpCommand('help [command]', 'Print the help of a command.')
    .addOption(
      new Option('-p, --profile <name>', 'Profile to use instead of the current one.').env('ROOMSCRIBE_PROFILE'),
    )
    .option('--json', 'Print the JSON of the API. Errors are JSON, too.')
    .configureHelp({
      showGlobalOptions: true,
      optionDescription: describeOption,
      subcommandTerm: (command) => command.name(),
    })
    .configureOutput({
      writeOut: (text) => cli.stdout.write(text),
      writeErr: (text) => cli.stdout.write(text), // commander writes the help of a command with subcommands here
      outputError: () => {},
    })
    .exitOverride()
    .addHelpText('after', helpText());
  addLogin(program, cli);
  addLogout(program, cli);
  addProfiles(program, cli);
  addWhoami(program, cli);
  addTranscriptions(program, cli);
  addInsights(program, cli);
  addExport(program, cli);
  addEvents(program, cli);
  addNotices(program, cli);
  addWebhooks(program, cli);
  addListen(program, cli);
  addConsole(program, cli);
  addCompletion(program, cli);
  return program;
}

function helpText(): string {
  const first = examples('$ roomscribe login', '$ roomscribe transcriptions list');
  return [first, section('Environment', variables), section('Exit codes', codes())].join('\n');
}

function codes(): [string, string][] {
  return Object.entries(exitCodeTexts).map(([exit, text]) => [String(exitCodes[exit as keyof typeof exitCodes]), text]);
}

function section(title: string, lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length));
  return [`\n${title}:`, ...lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)].join('\n');
}
