import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type ErrorBody, type ErrorCode, errorStatuses, repeatableStatuses } from '../contracts/errors.ts';
import { isDependencyFault } from '../dependency-faults.ts';
import { AppError, InvalidRequest, RateLimited, ServiceUnavailable } from '../errors.ts';
import { jsonResponse } from './json-response.ts';

const retryAfterSeconds = 1;

/** The one place where an error becomes an answer; undefined is a defect, of which the answer says nothing. */
export function toErrorResponse(known: AppError | undefined): APIGatewayProxyStructuredResultV2 {
  if (!known) return respond({ code: 'internal_error', message: 'Something went wrong on our side. Try again later.' });
  const { code, message } = known;
  return respond(
    { code: code as ErrorCode, message, ...(known instanceof InvalidRequest && { issues: [...known.issues] }) },
    known instanceof RateLimited ? secondsUntil(known.resetsAt) : retryAfterSeconds,
  );
}

/** Never 0: a client that comes back in the same second would be refused again. */
function secondsUntil(epochSeconds: number): number {
  return Math.max(1, Math.ceil(epochSeconds - Date.now() / 1000));
}

/** An expected error, a dependency's fault as `ServiceUnavailable`, or undefined for a defect. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError && Object.hasOwn(errorStatuses, error.code)) return error;
  if (isDependencyFault(error)) {
    return new ServiceUnavailable(
      'The service is busy. Send the same request again: what it had begun will be completed.',
      {
        cause: error,
      },
    );
  }
  return undefined;
}

function respond(body: ErrorBody, retryAfter = retryAfterSeconds): APIGatewayProxyStructuredResultV2 {
  const statusCode = errorStatuses[body.code];
  return jsonResponse(statusCode, body, {
    ...(statusCode === 401 && { 'www-authenticate': 'Bearer error="invalid_token"' }), // RFC 6750, section 3
    ...(repeatableStatuses.includes(statusCode) && { 'retry-after': String(retryAfter) }),
  });
}
