import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorMessage } from './error-details.ts';
import { UserError } from './user-error.ts';

/** Reads a command line; what is unknown or incomplete is a problem that shows how the command is used. */
export function readCommandLine<const Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UserError(`${errorMessage(error)}\n\n${usage}`, { cause: error });
  }
}

/** The value of a flag as a whole number; any other text, or one out of the range, is a problem. */
export function wholeNumber(flag: string, text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
  throw new UserError(`--${flag} must be a whole number from ${minimum} to ${maximum}, not "${text}".`);
}
