import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type ErrorBody, type ErrorCode, errorStatuses } from '../contracts/errors.ts';
import { isDependencyFault } from '../dependency-faults.ts';
import { AppError, InvalidRequest, ServiceUnavailable } from '../errors.ts';
import { jsonResponse } from './json-response.ts';

const retryAfterSeconds = 1;

/** The one place where an error becomes an answer; undefined is a defect, of which the answer says nothing. */
export function toErrorResponse(known: AppError | undefined): APIGatewayProxyStructuredResultV2 {
  if (!known) return respond({ code: 'internal_error', message: 'Something went wrong on our side. Try again later.' });
  const { code, message } = known;
  return respond({
    code: code as ErrorCode,
    message,
    ...(known instanceof InvalidRequest && { issues: [...known.issues] }),
  });
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

function respond(body: ErrorBody): APIGatewayProxyStructuredResultV2 {
  const statusCode = errorStatuses[body.code];
  return jsonResponse(statusCode, body, {
    ...(statusCode === 401 && { 'www-authenticate': 'Bearer error="invalid_token"' }), // RFC 6750, section 3
    ...(statusCode === 503 && { 'retry-after': String(retryAfterSeconds) }),
  });
}
