import { statuses } from './contract.ts';
import { type RateLimit, rateLimitOf } from './rate-limit.ts';
import type { ErrorCode, ErrorIssue, Transcription } from './types.ts';

/** The error codes of this library, in addition to those of the API. */
export type ClientErrorCode =
  /** The path does not exist: `apiUrl` is wrong. */
  | 'not_found'
  /** The server was not reachable, or the connection broke. */
  | 'connection_failed'
  /** No answer arrived, or a transcription did not end, within the time limit. */
  | 'timed_out'
  /** The answer is none that this API gives: another server has this address, or a file's storage refuses its link. */
  | 'unexpected_answer'
  /** The issuer refused to issue a token. */
  | 'token_refused';

/**
 * The base class of this library's errors. Branch on `code`. An aborted call rejects with the signal's reason instead. An
 * invalid argument throws a `TypeError`.
 */
export abstract class RoomscribeError extends Error {
  abstract readonly code: ErrorCode | ClientErrorCode;
}

/** The facts of an error answer. */
export type ErrorAnswer = {
  readonly status: number;
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  readonly issues?: readonly ErrorIssue[];
  /** The request's id in the operator's logs (`apigw-requestid`). */
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly rateLimit?: RateLimit | undefined;
};

/** An error answer of the API. Its subclasses are the kinds of errors. */
export class ApiError extends RoomscribeError {
  override readonly name: string = 'ApiError';
  /** The code of the answer, or else a code that follows from its status. */
  readonly code: ErrorCode | ClientErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** The request's id, by which the operator finds it in the logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry, if the answer has them. */
  readonly retryAfterSeconds: number | undefined;
  /** The points of the organization, or of the person, if the answer has them. */
  readonly rateLimit: RateLimit | undefined;

  constructor({ message, code, status, requestId, retryAfterSeconds, rateLimit }: ErrorAnswer) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.rateLimit = rateLimit;
  }
}

/** 400, 413, 415, 422, 431: the request is invalid. `issues` names every invalid value. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
  /** The problems and their places. Empty for every code except `invalid_request`. */
  readonly issues: readonly ErrorIssue[];

  constructor(answer: ErrorAnswer) {
    super(answer);
    this.issues = answer.issues ?? [];
  }
}

/** 401, and a 403 without a code, as gateways of earlier versions sent it: the token is missing, expired, or not valid for this service. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: the transcription is not ready or has failed, its file is in your own storage, the webhook is disabled or one too many, or the person may not do it. */
export class NotAllowedError extends ApiError {
  override readonly name = 'NotAllowedError';
}

/** 404: the organization has nothing with this id. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: a request with the same idempotency key, or a replay to the same webhook, is still running. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 429: the organization's points of this minute are spent, or its ids for bulk deletes of this hour, or the deployment throttles. */
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError';
}

/** 5xx: the service or one of its dependencies failed. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** No usable answer: the server was unreachable, broke the connection, took too long, or is not this API. See `cause`. */
export class ConnectionError extends RoomscribeError {
  override readonly name = 'ConnectionError';
  /** In this order: unreachable or broken connection; too slow; another server answered. */
  readonly code: 'connection_failed' | 'timed_out' | 'unexpected_answer';

  constructor(code: ConnectionError['code'], message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The issuer refused to issue a token. `oauthError` is its reason (RFC 6749, section 5.2), such as a wrong secret. */
export class TokenError extends RoomscribeError {
  override readonly name = 'TokenError';
  readonly code = 'token_refused';
  /** The error code of the issuer's answer, such as `invalid_client`. */
  readonly oauthError: string | undefined;

  constructor(message: string, oauthError?: string) {
    super(message);
    this.oauthError = oauthError;
  }
}

/** A call waited for a transcription, which failed. `transcription.failure` has the reason and the remedy. */
export class TranscriptionFailedError extends RoomscribeError {
  override readonly name = 'TranscriptionFailedError';
  readonly code = 'transcription_failed';
  /** The failed transcription, with its `failure`. */
  readonly transcription: Transcription;

  constructor(transcription: Transcription) {
    super(transcription.failure?.message ?? 'The transcription failed.');
    this.transcription = transcription;
  }
}

/** A call waited for a transcription, which did not end within the time limit. It continues: wait again with its id. */
export class WaitTimeoutError extends RoomscribeError {
  override readonly name = 'WaitTimeoutError';
  readonly code = 'timed_out';
  /** The transcription that continues. */
  readonly transcriptionId: string;

  constructor(transcriptionId: string, timeoutMs: number) {
    super(`The transcription ${transcriptionId} did not end within ${timeoutMs / 1000} seconds. It continues.`);
    this.transcriptionId = transcriptionId;
  }
}

/** Converts an error answer. An answer of the gateway gets the code of its status. `said` replaces the answer's message. */
export async function toApiError(response: Response, said?: string): Promise<ApiError> {
  const { status, headers } = response;
  const { code, message, issues } = readBody(await response.text());
  const answer: ErrorAnswer = {
    status,
    code: code ?? codeOf(status),
    message: said ?? message ?? `${answerInWords(response)}.`,
    ...(issues && { issues }),
    requestId: headers.get('apigw-requestid') ?? undefined,
    retryAfterSeconds: readRetryAfter(headers.get('retry-after')),
    rateLimit: rateLimitOf(headers),
  };
  if (status === 401 || (status === 403 && code === undefined)) return new AuthenticationError(answer);
  if (status === 403) return new NotAllowedError(answer);
  if (status === 404) return new NotFoundError(answer);
  if (status === 409) return new ConflictError(answer);
  if (status === 429) return new RateLimitedError(answer);
  if (status >= 500) return new ServerError(answer);
  return invalidStatuses.includes(status) ? new InvalidRequestError(answer) : new ApiError(answer);
}

/** What came instead of an answer of the API: the status and the type of the content, such as that of a proxy's page. */
export function answerInWords({ status, url, headers }: Pick<Response, 'status' | 'url' | 'headers'>): string {
  const who = URL.canParse(url) ? new URL(url).origin : 'The server';
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return `${who} answered ${status} with ${type.trim() || 'content of no type'}`;
}

/** The statuses of invalid requests: those of the contract, and 431 of the gateway. */
const invalidStatuses: readonly number[] = [400, 413, 415, 422, 431];

/** Reads an error body. The answer can come from any server, such as a proxy, so it leaves out unexpected values. */
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

/** The code of an answer without one, such as an answer of the gateway: the first code with this status. */
function codeOf(status: number): ErrorCode | ClientErrorCode {
  if (status === 403) return 'unauthorized'; // the gateway of an earlier version refused the token: every other 403 has a code
  if (status === 404) return 'not_found';
  const codes = Object.entries(statuses).flatMap(([code, its]) => (its === status ? [code as ErrorCode] : []));
  return codes[0] ?? 'unexpected_answer';
}

/** Reads `Retry-After`, which is a number of seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
