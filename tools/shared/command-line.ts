import { Command } from 'commander';
import { UserError } from './user-error.ts';

/** What `--help` prints. It is thrown, so that nothing else runs. */
export class HelpText extends Error {
  override readonly name = 'HelpText';
}

/** Creates a command line, which prints nothing. It throws a `HelpText` for `--help`, and a `UserError` with the help for wrong use. */
export function commandLine(name: string, description: string): Command {
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  return new Command(name)
    .description(description)
    .helpOption('--help', 'show this text')
    .helpCommand(false)
    .showHelpAfterError()
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}`.replace(' [options]', '') })
    .configureOutput({
      writeOut: print,
      writeErr: print,
      outputError: (problem) => print(problem.replace(/^error: ./, (start) => start.slice(-1).toUpperCase())),
    })
    .exitOverride(({ exitCode }) => {
      const text = printed.join('').trim();
      throw exitCode === 0 ? new HelpText(text) : new UserError(text);
    });
}

/** Makes a parser for the value of an option that is a whole number. It throws a UserError for other text or a number out of range. */
export function wholeNumber(option: string, minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new UserError(`${option} must be a whole number from ${minimum} to ${maximum}, not "${text}".`);
  };
}
