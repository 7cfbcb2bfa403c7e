import type { Context } from 'aws-lambda';
import type { SelfAuthenticatedEndpoint } from '../contracts/common/endpoint.ts';
import type { Allowance } from '../contracts/organization/rate-limit.ts';
import { KeyRateLimited } from '../runtime/errors.ts';
import { addToLogContext, type LogFacts } from '../runtime/logger.ts';
import type { EndpointResponse } from './endpoint.ts';
import { jsonResponse } from './json-response.ts';
import { bodyBytes, type HttpEvent, type RequestParts, readRequest } from './request.ts';
import { requestHandler } from './request-handler.ts';
import { deliverable } from './response-body.ts';

/** A request before it is authenticated. Nothing in it can be trusted. */
export type UnverifiedRequest = {
  /** The gateway's id of the request. */
  readonly correlationId: string;
  readonly headers: HttpEvent['headers'];
  readonly params: NonNullable<HttpEvent['pathParameters']>;
  readonly rawQueryString: string;
  /** The bytes of the body, which a signature covers. */
  readonly rawBody: Buffer;
  readonly context: Pick<Context, 'getRemainingTimeInMillis'>;
};

/** The result of a successful authentication. */
export type Authenticated<Subject> = {
  /** Proven by the caller, for example a connection id. Requests are counted per key, so a caller must not be able to choose it. */
  readonly key: string;
  /** The subject of the request, for example the connection and its organization. */
  readonly subject: Subject;
  /** How many requests it counts as: one, unless it costs more. */
  readonly points?: number;
  /** Facts for all further log lines of the request. */
  readonly facts?: LogFacts;
};

/** How a self-authenticated endpoint authenticates requests and limits their rate. */
export type KeyAdmission<Subject> = {
  /** Throws `Unauthorized`, or another `AppError`, if the request is not authentic. */
  readonly authenticate: (request: UnverifiedRequest) => Promise<Authenticated<Subject>>;
  readonly rateLimiter: {
    readonly count: (operationId: string, key: string, requestsPerMinute: number, points: number) => Promise<Allowance>;
  };
};

/** An authenticated request, parsed by the schemas of its endpoint. */
export type SelfAuthenticatedRequest<
  Definition extends SelfAuthenticatedEndpoint,
  Subject,
> = RequestParts<Definition> & {
  readonly subject: Subject;
  readonly method: string;
  readonly correlationId: string;
  readonly rawBody: Buffer;
  readonly context: Pick<Context, 'getRemainingTimeInMillis'>;
};

/**
 * Creates the Lambda handler of an endpoint that authenticates its own requests. It authenticates the request, counts it for
 * its key, and only then parses it and runs `handle`. A request that is not authentic is not counted, so it creates no row.
 */
export function selfAuthenticatedEndpoint<Definition extends SelfAuthenticatedEndpoint, Subject>(
  definition: Definition,
  { authenticate, rateLimiter }: KeyAdmission<Subject>,
  handle: (request: SelfAuthenticatedRequest<Definition, Subject>) => Promise<EndpointResponse<Definition>>,
) {
  const { operationId, successStatus, requestsPerMinutePerKey } = definition;
  return requestHandler(operationId, async (event, context) => {
    const { requestId: correlationId, http } = event.requestContext;
    const received = { correlationId, rawBody: bodyBytes(event), context };
    const {
      key,
      subject,
      points = 1,
      facts,
    } = await authenticate({
      ...received,
      headers: event.headers,
      params: event.pathParameters ?? {},
      rawQueryString: event.rawQueryString,
    });
    addToLogContext(facts ?? {});
    const allowance = await rateLimiter.count(operationId, key, requestsPerMinutePerKey, points);
    if (allowance.isExceeded) throw new KeyRateLimited(allowance);
    const parts = readRequest(definition, event);
    const {
      body,
      headers,
      facts: handlerFacts,
    } = await handle({ ...received, ...parts, subject, method: http.method });
    addToLogContext(handlerFacts ?? {});
    return deliverable(jsonResponse(successStatus, body, headers), event.headers['accept-encoding']);
  });
}
