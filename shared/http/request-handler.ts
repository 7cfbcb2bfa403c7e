import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { AppError, ServiceUnavailable } from '../runtime/errors.ts';
import { currentAllowance, elapsedMs, log, withLogContext } from '../runtime/logger.ts';
import { allowanceHeaders } from './admission.ts';
import { toErrorResponse, toPublishedError } from './error-response.ts';
import type { HttpEvent } from './request.ts';
import { deliverable } from './response-body.ts';

/**
 * Creates a Lambda handler that runs `serve` in the log context of the request. It responds before the function times out,
 * turns every error into the published error response, and logs one line when the request ends.
 */
export function requestHandler(
  operationId: string,
  serve: (event: HttpEvent, context: Context) => Promise<APIGatewayProxyStructuredResultV2>,
) {
  const handler = middy<HttpEvent, APIGatewayProxyStructuredResultV2>({ timeoutEarlyInMillis, timeoutEarlyResponse })
    .use(outcome)
    .handler(serve);
  return (event: HttpEvent, context: Context): Promise<APIGatewayProxyStructuredResultV2> =>
    withLogContext({ operationId, correlationId: event.requestContext.requestId }, () => handler(event, context));
}

/** Time reserved for the error response. If the function timed out, the gateway would respond without an error code. */
const timeoutEarlyInMillis = 500;

function timeoutEarlyResponse(): never {
  throw new ServiceUnavailable(
    'The request took too long. Send the same request again: it completes the work that this request began.',
  );
}

type Middleware = MiddlewareObj<HttpEvent, APIGatewayProxyStructuredResultV2>;

const finish: NonNullable<Middleware['after']> = ({ response, error }) => {
  const allowance = currentAllowance();
  if (allowance && response) response.headers = { ...response.headers, ...allowanceHeaders(allowance) };
  const line = {
    statusCode: response?.statusCode,
    durationMs: elapsedMs(),
    code: error instanceof AppError ? error.code : undefined,
  };
  if (error instanceof ServiceUnavailable) log.warn('request failed', error, line);
  else log.info('request', line);
};

/** Turns an error into a response, adds the rate limit headers, and logs the request. */
const outcome: Middleware = {
  after: finish,
  onError: (request) => {
    const expected = toPublishedError(request.error);
    if (!expected) log.error('unexpected error', request.error);
    request.error = expected ?? request.error;
    request.response = deliverable(toErrorResponse(expected), request.event.headers['accept-encoding']);
    return finish(request);
  },
};
