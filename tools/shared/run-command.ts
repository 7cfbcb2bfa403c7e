import { HelpText } from './command-line.ts';
import { errorCode, errorMessage } from './error-details.ts';
import { UserError } from './user-error.ts';

/**
 * Runs the program of a command. If it throws, prints the message without a stack trace, and exits with 1. `atEnd` restores
 * the terminal before the message.
 */
export async function runCommand(run: () => unknown, atEnd: () => void = () => {}): Promise<void> {
  try {
    await run();
  } catch (error) {
    atEnd();
    if (error instanceof HelpText) return console.log(error.message);
    console.error(describeError(error));
    process.exitCode = 1;
  }
}

/** Returns the text to print for an error: the message of a `UserError`, or else the message of each cause. */
export function describeError(error: unknown): string {
  if (error instanceof UserError) return error.message;
  const reasons: string[] = [];
  for (let each: unknown = error; each !== undefined; each = each instanceof Error ? each.cause : undefined) {
    // Node leaves the message empty if it tried several addresses of a host.
    const message = errorMessage(each) || errorCode(each) || 'unknown reason';
    if (!reasons.includes(message)) reasons.push(message);
  }
  return `The command failed: ${reasons.join('\n  because: ')}`;
}
