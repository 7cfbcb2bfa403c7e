import type { Context } from 'aws-lambda';
import type { SelfAuthenticatedEndpoint } from '../contracts/endpoint.ts';
import type { Allowance } from '../contracts/rate-limit.ts';
import { KeyRateLimited } from '../errors.ts';
import { addToLogContext, type LogFacts } from '../logger.ts';
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
  /** What the caller proved, for example a connection id. Requests are counted per key, so it must come from a trusted source. */
  readonly key: string;
  /** What the request is about, for example the connection and its organization. */
  readonly subject: Subject;
  /** Facts for all further log lines of the request. */
  readonly facts?: LogFacts;
};

/** How a self-authenticated endpoint admits requests. */
export type KeyAdmission<Subject> = {
  /** Throws `Unauthorized`, or another `AppError`, for a request that proves nothing. */
  readonly authenticate: (request: UnverifiedRequest) => Promise<Authenticated<Subject>>;
  readonly rateLimiter: {
    readonly count: (operationId: string, key: string, requestsPerMinute: number) => Promise<Allowance>;
  };
};

/** An authenticated request, parsed by the schemas of its endpoint. */
export type SelfAuthenticatedRequest<
  Definition extends SelfAuthenticatedEndpoint,
  Subject,
> = RequestParts<Definition> & {
  readonly subject: Subject;
  readonly correlationId: string;
  readonly rawBody: Buffer;
  readonly context: Pick<Context, 'getRemainingTimeInMillis'>;
};

/**
 * A Lambda handler for an endpoint that authenticates its requests. It authenticates, counts the request of the key, and only
 * then parses the request and runs `handle`. An unknown key is refused before it is counted, so it creates no row.
 */
export function selfAuthenticatedEndpoint<Definition extends SelfAuthenticatedEndpoint, Subject>(
  definition: Definition,
  { authenticate, rateLimiter }: KeyAdmission<Subject>,
  handle: (request: SelfAuthenticatedRequest<Definition, Subject>) => Promise<EndpointResponse<Definition>>,
) {
  const { operationId, successStatus, requestsPerMinutePerKey } = definition;
  return requestHandler(operationId, async (event, context) => {
    const { requestId: correlationId } = event.requestContext;
    const known = { correlationId, rawBody: bodyBytes(event), context };
    const { key, subject, facts } = await authenticate({
      ...known,
      headers: event.headers,
      params: event.pathParameters ?? {},
      rawQueryString: event.rawQueryString,
    });
    addToLogContext(facts ?? {});
    const allowance = await rateLimiter.count(operationId, key, requestsPerMinutePerKey);
    if (allowance.isExceeded) throw new KeyRateLimited(allowance);
    const parts = readRequest(definition, event);
    const { body, headers, facts: more } = await handle({ ...known, ...parts, subject });
    addToLogContext(more ?? {});
    return deliverable(jsonResponse(successStatus, body, headers), event.headers['accept-encoding']);
  });
}
