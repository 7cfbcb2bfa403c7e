import { Command, Option, type ParseOptionsResult } from 'commander';
import { UserError } from './user-error.ts';

/** What `--help` prints. It is thrown, so that nothing else runs. */
export class HelpText extends Error {
  override readonly name = 'HelpText';
}

/** An option that can be given several times. Its parser adds a value to those before it. */
export class RepeatableOption extends Option {}

/** Refuses what commander accepts: an option that replaces an earlier one, and a next option or nothing as a value. */
class StrictCommand extends Command {
  override createCommand(name?: string): Command {
    return new StrictCommand(name);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    const given = new Set<Option>();
    for (const [index, arg] of args.entries()) {
      const [flag = '', joined] = arg.split(/=(.*)/s);
      const option = this.options.find((known) => known.long === flag);
      if (!option) continue;
      if (given.has(option) && !(option instanceof RepeatableOption)) this.error(`${flag} is given more than once.`);
      given.add(option);
      if (!option.required) continue;
      const value = joined ?? args[index + 1];
      if (joined === undefined && value?.startsWith('--'))
        this.error(`${flag} has no value. If ${value} is meant as its value, write ${flag}=${value}.`);
      if (value === '' && !option.parseArg) this.error(`${flag} must not be empty.`);
    }
    return super.parseOptions(args);
  }
}

/** Creates a command line, which prints nothing. It throws a `HelpText` for `--help`, and a `UserError` with the help for wrong use. */
export function commandLine(name: string, description: string): Command {
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  return new StrictCommand(name)
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
