import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  RoomscribeError,
} from '../../client/errors.ts';
import { SignInError } from '../sign-in/config.ts';
import { texts } from '../texts/en.ts';
import { ViewLoadError } from './page/view-load-error.ts';

/** What to say about an error, and what the reader can do: repeat the call, sign in again, or go on from the list of the view. */
export type Advice = { readonly text: string; readonly action: 'retry' | 'signIn' | 'list' | 'none' };

/** What failed: a view, which its address describes, or something that the reader did. And whether the reader can sign in from this page. */
export type AdviceContext = { readonly isView: boolean; readonly canSignIn: boolean };

/** Says in a sentence or two what went wrong with a call. It advises to repeat only what can succeed. */
export function adviceOn(error: unknown, { isView, canSignIn }: AdviceContext): Advice {
  const { errors, start } = texts.common;
  const signIn = canSignIn ? 'signIn' : 'none';
  if (error instanceof ViewLoadError) return { text: errors.viewUnreachable, action: 'retry' };
  if (isUnexpected(error)) return { text: `${error.message} ${errors.tryAgain}`, action: 'retry' };
  if (isTooSlow(error)) return { text: errors.slow, action: 'retry' };
  if (error instanceof ConnectionError) return { text: errors.unreachable, action: 'retry' };
  if (error instanceof SignInError) {
    const text = `${start[error.code]} ${start[`${error.code}Remedy`]}`;
    return { text, action: ['unreachable', 'not_ours'].includes(error.code) ? 'retry' : signIn };
  }
  if (error instanceof AuthenticationError)
    return canSignIn ? { text: errors.expired, action: 'signIn' } : { text: errors.expiredLocal, action: 'retry' };
  if (!(error instanceof ApiError)) return { text: errors.unexpected, action: 'retry' };
  if (error.code === 'no_organization') return { text: errors.noOrganization, action: signIn };
  if (error.code === 'not_an_editor') return { text: errors.notEditor, action: 'none' };
  if (error.status >= 500) return { text: errors.busy, action: 'retry' };
  if (error.status === 429 || error.status === 409) return { text: waitText(error), action: 'retry' };
  return { text: isView ? errors.ofAddress(whatIsWrong(error)) : whatIsWrong(error), action: isView ? 'list' : 'none' };
}

/** Whether an answer cannot be used. The message says which, and who gave it. */
function isUnexpected(error: unknown): error is RoomscribeError {
  return error instanceof RoomscribeError && error.code === 'unexpected_answer';
}

function isTooSlow(error: unknown): boolean {
  const { code, name } = Object(error);
  return code === 'timed_out' || name === 'TimeoutError';
}

/** The service says for how long a limit lasts. Its message names the limit, unless it is that of the minute. */
function waitText({ code, message, retryAfterSeconds }: ApiError): string {
  const { pointsSpent, tryAgainIn } = texts.common.errors;
  if (code === 'rate_limited') return pointsSpent(Math.ceil(retryAfterSeconds ?? 60));
  return retryAfterSeconds === undefined ? message : `${message} ${tryAgainIn(Math.ceil(retryAfterSeconds))}`;
}

function whatIsWrong(error: ApiError): string {
  if (!(error instanceof InvalidRequestError) || error.issues.length === 0) return error.message;
  return error.issues.map(({ path, message }) => texts.common.errors.issue(path, message)).join(' ');
}
