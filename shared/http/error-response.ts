import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type ErrorBody, type ErrorCode, errorStatuses, repeatableStatuses } from '../contracts/common/errors.ts';
import { isDependencyFault } from '../runtime/dependency-faults.ts';
import { AppError, InvalidRequest, LimitExceeded, ServiceUnavailable, Unauthorized } from '../runtime/errors.ts';
import { jsonResponse } from './json-response.ts';

const retryAfterSeconds = 1;

/** An error whose code is part of the API contract. */
export type PublishedError = AppError & { readonly code: ErrorCode };

/** The response for an error. `undefined` stands for a defect, and the response for it reveals nothing. */
export function toErrorResponse(known: PublishedError | undefined): APIGatewayProxyStructuredResultV2 {
  if (!known) return respond({ code: 'internal_error', message: 'Something went wrong on our side. Try again later.' });
  const { code, message } = known;
  const statusCode = errorStatuses[code];
  const body = {
    code,
    message,
    ...(known instanceof InvalidRequest && { issues: [...known.issues] }),
  };
  const retryAfter = known instanceof LimitExceeded ? secondsUntil(known.resetsAt) : retryAfterSeconds;
  return respond(body, {
    ...(known instanceof Unauthorized && { 'www-authenticate': known.challenge }),
    ...(repeatableStatuses.includes(statusCode) && { 'retry-after': String(retryAfter) }),
  });
}

/** At least 1: a client that repeats the request in the same second would be refused again. */
function secondsUntil(epochSeconds: number): number {
  return Math.max(1, Math.ceil(epochSeconds - Date.now() / 1000));
}

/**
 * Returns an expected error as it is, also if a dependency caused it. Returns a fault of a dependency as `ServiceUnavailable`, and
 * undefined for a defect.
 */
export function toPublishedError(error: unknown): PublishedError | undefined {
  if (error instanceof AppError && isPublished(error)) return error;
  return isDependencyFault(error) ? serviceUnavailable(error) : undefined;
}

function serviceUnavailable(cause: unknown): ServiceUnavailable {
  return new ServiceUnavailable(
    'The service is busy. Send the same request again: it completes the work that this request began.',
    { cause },
  );
}

function isPublished(error: AppError): error is PublishedError {
  return Object.hasOwn(errorStatuses, error.code);
}

function respond(body: ErrorBody, headers: Readonly<Record<string, string>> = {}): APIGatewayProxyStructuredResultV2 {
  return jsonResponse(errorStatuses[body.code], body, headers);
}
