import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Command } from 'commander';
import { errorMessage } from './error-details.ts';
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

/** Parses a command line. Throws a UserError with the usage for an unknown or incomplete flag. */
export function readCommandLine<const Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [problem] = errorMessage(error).split('. To specify'); // Node's advice about arguments that start with a hyphen
    throw new UserError(`${problem?.replace(/\.?$/, '.')}\n\n${usage}`, { cause: error });
  }
}

/** Parses the command line of an operators' command: a command with arguments, and the flags that choose a deployment. */
export function readOperatorCommand<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  const shared = {
    stage: { type: 'string' },
    'data-dir': { type: 'string' },
    help: { type: 'boolean', default: false },
  } as const;
  return readCommandLine({ args: [...args], allowPositionals: true, options: { ...shared, ...options } }, usage);
}
