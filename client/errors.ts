import { statuses } from './contract.ts';
import type { ErrorCode, ErrorIssue, Transcription } from './types.ts';

/** What can go wrong besides the API's own errors. */
export type ClientErrorCode =
  /** No such path: `apiUrl` is not the API's. */
  | 'not_found'
  /** The server could not be reached, or the connection broke. */
  | 'connection_failed'
  /** No answer, or no end of a transcription, within the time allowed. */
  | 'timed_out'
  /** The answer is none of this API's: something else is at that address. */
  | 'unexpected_answer'
  /** The issuer gave no token. */
  | 'token_refused';

/** The root of everything that this library throws, but for the reason of a signal of yours; branch on `code`. */
export abstract class RoomscribeError extends Error {
  abstract readonly code: ErrorCode | ClientErrorCode;
}

/** What the API says of itself with an error. */
export type ErrorAnswer = {
  readonly status: number;
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  readonly issues?: readonly ErrorIssue[];
  /** The request's id in the operator's logs (`apigw-requestid`). */
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
};

/** An answer of the API that is an error. Its subclasses say of which kind. */
export class ApiError extends RoomscribeError {
  override readonly name: string = 'ApiError';
  /** That of the answer, or of its status where it had none. */
  readonly code: ErrorCode | ClientErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** The request's id, for the operator of the service. */
  readonly requestId: string | undefined;
  /** When to try again, where the answer said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ message, code, status, requestId, retryAfterSeconds }: ErrorAnswer) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 400, 413, 415, 422, 431: the request does not fit the contract; `issues` names every place. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
  /** What is wrong where; empty for anything but `invalid_request`. */
  readonly issues: readonly ErrorIssue[];

  constructor(answer: ErrorAnswer) {
    super(answer);
    this.issues = answer.issues ?? [];
  }
}

/** 401, and 403 of a gateway that refuses the token: it is missing, expired, or not of this service. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: the transcription is not ready, has failed, or has its file elsewhere. */
export class NotAllowedError extends ApiError {
  override readonly name = 'NotAllowedError';
}

/** 404: the organization has nothing of this id. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: a request with the same idempotency key still runs. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 429: the points of this minute are spent, or the deployment throttles. */
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError';
}

/** 5xx: the service has a defect, or something that it depends on has. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** No answer: the server was not reached, broke off, took too long, or something else answered. Its `cause` says more. */
export class ConnectionError extends RoomscribeError {
  override readonly name = 'ConnectionError';
  /** Not reached or broken off; took too long; something else answered. */
  readonly code: 'connection_failed' | 'timed_out' | 'unexpected_answer';

  constructor(code: ConnectionError['code'], message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The issuer gave no token: wrong client id, secret or scope. `oauthError` is its own code (RFC 6749, section 5.2). */
export class TokenError extends RoomscribeError {
  override readonly name = 'TokenError';
  readonly code = 'token_refused';
  /** The issuer's own code, such as `invalid_client`, where it named one. */
  readonly oauthError: string | undefined;

  constructor(message: string, oauthError?: string) {
    super(message);
    this.oauthError = oauthError;
  }
}

/** A transcription that was waited for has failed: `transcription.failure` says why, and what to do. */
export class TranscriptionFailedError extends RoomscribeError {
  override readonly name = 'TranscriptionFailedError';
  readonly code = 'transcription_failed';
  /** As it is now, with its `failure`. */
  readonly transcription: Transcription;

  constructor(transcription: Transcription) {
    super(transcription.failure?.message ?? 'The transcription failed.');
    this.transcription = transcription;
  }
}

/** A transcription that was waited for had not ended in the time allowed. It goes on: wait again by its id. */
export class WaitTimeoutError extends RoomscribeError {
  override readonly name = 'WaitTimeoutError';
  readonly code = 'timed_out';
  /** Which one goes on. */
  readonly transcriptionId: string;

  constructor(transcriptionId: string, timeoutMs: number) {
    super(`The transcription ${transcriptionId} has not ended within ${timeoutMs / 1000} seconds. It goes on.`);
    this.transcriptionId = transcriptionId;
  }
}

/** The error that an answer is; one of a gateway has no code, and gets that of its status. `said` stands for its message. */
export async function toApiError(response: Response, said?: string): Promise<ApiError> {
  const { status, headers } = response;
  const { code, message, issues } = readBody(await response.text());
  const answer: ErrorAnswer = {
    status,
    code: code ?? codeOf(status),
    message: said ?? message ?? `The service answered ${status}.`,
    ...(issues && { issues }),
    requestId: headers.get('apigw-requestid') ?? undefined,
    retryAfterSeconds: readRetryAfter(headers.get('retry-after')),
  };
  if (status === 401 || (status === 403 && code === undefined)) return new AuthenticationError(answer);
  if (status === 403) return new NotAllowedError(answer);
  if (status === 404) return new NotFoundError(answer);
  if (status === 409) return new ConflictError(answer);
  if (status === 429) return new RateLimitedError(answer);
  if (status >= 500) return new ServerError(answer);
  return invalidStatuses.includes(status) ? new InvalidRequestError(answer) : new ApiError(answer);
}

/** Statuses that are about the request: what the contract has, and 431 of the gateway. */
const invalidStatuses: readonly number[] = [400, 413, 415, 422, 431];

/** Whatever a server says, a proxy's page among it: what is not of the published shape is left out. */
function readBody(text: string): Partial<Pick<ErrorAnswer, 'code' | 'message' | 'issues'>> {
  const { code, message, issues } = parsed(text);
  return {
    ...(typeof code === 'string' && { code: code as ErrorCode }),
    ...(typeof message === 'string' && { message }),
    ...(Array.isArray(issues) && { issues }),
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** The gateway names no code: the one of this status, where there is one alone. */
function codeOf(status: number): ErrorCode | ClientErrorCode {
  if (status === 403) return 'unauthorized'; // the gateway, of the token: every other 403 has a code
  if (status === 404) return 'not_found';
  const codes = Object.entries(statuses).flatMap(([code, its]) => (its === status ? [code as ErrorCode] : []));
  return codes[0] ?? 'unexpected_answer';
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
