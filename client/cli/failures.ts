import { type Command, CommanderError } from 'commander';
import {
  ApiError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServerError,
} from '../errors.ts';
import { nextCommand } from './cli.ts';
import { spelledOut, spellingOf } from './options.ts';
import { Problem, usageProblem } from './problems.ts';

/** What the person calls the addresses of an account, such as the names of variables, and the hint for a wrong one. */
export type Addresses = { readonly apiUrl: string; readonly tokenUrl: string; readonly hint: string };

const anyAddresses: Addresses = {
  apiUrl: 'the API URL',
  tokenUrl: 'the token URL',
  hint: 'Check the API URL.',
};

/** Converts anything that a command throws to a problem for the person who ran it. */
export function problemOf(
  error: unknown,
  command: Command | undefined,
  signal: AbortSignal,
  addresses = anyAddresses,
): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof CommanderError) return usageOf(error);
  if (signal.aborted || isInterruption(error)) {
    return new Problem('interrupted', 'Interrupted.', { code: 'interrupted', cause: error });
  }
  if (error instanceof InvalidRequestError) return invalid(error, command);
  if (error instanceof ApiError) return refused(error, command, addresses);
  if (error instanceof ConnectionError) return unreachable(error, addresses);
  return new Problem('unexpected', error instanceof Error ? error.message : String(error), {
    code: 'unexpected',
    hint: 'For details, set ROOMSCRIBE_DEBUG=1 and run the command again.',
    cause: error,
  });
}

function usageOf({ message, code }: CommanderError): Problem {
  const [first = '', ...others] = message.replace(/^error: /, '').split('\n');
  const text = asSentence(first);
  return new Problem('usage', /[.?!]$/.test(text) ? text : `${text}.`, {
    code: 'usage',
    hint: others.join(' ').trim() || 'For help, add --help.',
    details: { reason: code },
  });
}

/** A prompt throws an error of its own on Ctrl-C. */
function isInterruption(error: unknown): boolean {
  return error instanceof Error && error.name === 'ExitPromptError';
}

function invalid(error: InvalidRequestError, command: Command | undefined): Problem {
  const issues = error.issues.map(({ path, message }) => {
    return command ? `${placeOf(path, command)} ${spelledOut(message, command)}.` : `${path} ${message}.`;
  });
  const message = issues.length > 0 ? issues.join('\n') : error.message;
  return new Problem('usage', message, { code: error.code, details: detailsOf(error), cause: error });
}

/** The name of an invalid value on the command line. An element of a list is the value itself. */
function placeOf(path: string, command: Command): string {
  const [, index] = /^\w+\.(\d+)$/.exec(path) ?? [];
  const given = index === undefined ? undefined : command.args[Number(index)];
  return given === undefined ? (spellingOf(path, command) ?? path) : `"${given}"`;
}

/** The problem of an address that the library refuses. `message` begins with the name of the library's option. */
export function invalidAddress(message: string, addresses: Addresses): Problem {
  const named = message.replace(/^(apiUrl|tokenUrl)\b/, (name) => addresses[name as 'apiUrl' | 'tokenUrl']);
  return usageProblem(asSentence(named), addresses.hint);
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function refused(error: ApiError, command: Command | undefined, addresses: Addresses): Problem {
  const { code, message } = error;
  const problem = (exit: Problem['exit'], hint?: string) =>
    new Problem(exit, message, { code, hint, details: detailsOf(error), cause: error });
  if (code === 'not_found') {
    const facts = { code, hint: addresses.hint, details: detailsOf(error), cause: error };
    return new Problem('unexpected', `The server at ${addresses.apiUrl} is not this API (404).`, facts);
  }
  if (error instanceof NotFoundError) return problem('notFound');
  const webhook = command?.args[0];
  if (command && code === 'replay_in_progress') {
    return problem(
      'tryAgainLater',
      `To see how far it has come, run: ${nextCommand(command, `webhooks get ${webhook}`)}`,
    );
  }
  if (error instanceof RateLimitedError || error instanceof ConflictError) {
    return problem('tryAgainLater', tryAgainIn(error.retryAfterSeconds));
  }
  if (error instanceof ServerError) {
    const request = error.requestId === undefined ? '' : ` The operator can look up request ${error.requestId}.`;
    return problem('tryAgainLater', `Try again later.${request}`);
  }
  const get = `transcriptions get ${command?.args[0]}`;
  if (command && code === 'transcription_failed') {
    return problem('unexpected', `To see why, run: ${nextCommand(command, get)}`);
  }
  if (command && code === 'transcription_not_ready') {
    return problem('unexpected', `To wait for it, run: ${nextCommand(command, `${get} --wait`)}`);
  }
  if (command && code === 'webhook_is_disabled') {
    return problem('unexpected', `To enable it, run: ${nextCommand(command, `webhooks update ${webhook} --enable`)}`);
  }
  return problem('unexpected');
}

/** The points of an organization return within a minute, other limits within an hour. */
function tryAgainIn(seconds = 0): string {
  return seconds <= 60 ? 'Try again in a minute.' : `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}

function unreachable(error: ConnectionError, addresses: Addresses): Problem {
  const { code, message } = error;
  const facts = { code, cause: error };
  if (code === 'unexpected_answer') {
    return new Problem('unexpected', message, { ...facts, hint: addresses.hint });
  }
  return new Problem('tryAgainLater', message, { ...facts, hint: 'Check the URL and your network, or try later.' });
}

/** The facts of an error answer for scripts. */
export function detailsOf(error: ApiError): Readonly<Record<string, unknown>> {
  const { status, requestId, retryAfterSeconds } = error;
  return {
    status,
    requestId,
    retryAfterSeconds,
    ...(error instanceof InvalidRequestError && { issues: error.issues }),
  };
}
