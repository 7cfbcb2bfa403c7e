import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorMessage } from './error-details.ts';
import { UserError } from './user-error.ts';

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

/** Parses a flag's value as a whole number. Throws a UserError for other text or a number out of range. */
export function wholeNumber(flag: string, text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
  throw new UserError(`--${flag} must be a whole number from ${minimum} to ${maximum}, not "${text}".`);
}
