import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Endpoint } from '../contracts/endpoint.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import { AppError, RateLimited, ServiceUnavailable } from '../errors.ts';
import { type LogFacts, log, withLogContext } from '../logger.ts';
import { type Admission, type Allowance, allowanceHeaders } from './admission.ts';
import { toAppError, toErrorResponse } from './error-response.ts';
import { jsonResponse } from './json-response.ts';
import { type EndpointRequest, type HttpEvent, organizationOf, readRequest } from './request.ts';
import { deliverable } from './response-body.ts';

type ResponseBody<Definition> = Definition extends { readonly response: z.ZodMiniType }
  ? { readonly body: z.output<Definition['response']> }
  : { readonly body?: undefined };

/** What a handler returns: the body that the contract promises, and headers of its own. */
export type EndpointResponse<Definition extends Endpoint> = ResponseBody<Definition> & {
  readonly headers?: Readonly<Record<string, string>>;
  /** What the request's log line says besides. */
  readonly facts?: LogFacts;
};

/**
 * A Lambda handler for one endpoint of the contract: finds the organization, counts its points, parses the request, runs
 * `handle`, answers with the contract's status, and turns whatever is thrown into the published error. One log line per
 * request.
 */
export function endpoint<Definition extends Endpoint>(
  definition: Definition,
  { organizationClaim, rateLimiter }: Admission,
  handle: (request: EndpointRequest<Definition>) => Promise<EndpointResponse<Definition>>,
) {
  const { operationId, points, method, successStatus, narrowedBy } = definition;
  const facts = new WeakMap<HttpEvent, LogFacts>();
  const allowances = new WeakMap<HttpEvent, Allowance>();
  const admit = async (event: HttpEvent, organizationId: OrganizationId) => {
    const allowance = await rateLimiter.spend(organizationId, points);
    allowances.set(event, allowance);
    if (allowance.isExceeded) throw new RateLimited(points, allowance);
  };
  const serve = (event: HttpEvent, context: Context, organizationId: OrganizationId) => {
    const { requestId: correlationId } = event.requestContext;
    const parsed = readRequest(definition, event);
    return handle({ organizationId, correlationId, context, ...parsed } as EndpointRequest<Definition>);
  };
  return middy<HttpEvent, APIGatewayProxyStructuredResultV2>({ timeoutEarlyInMillis, timeoutEarlyResponse })
    .use(requestLog(facts))
    .use(tellAllowance(allowances))
    .use(errorResponses(facts))
    .handler(async (event, context) => {
      const { requestId: correlationId } = event.requestContext;
      facts.set(event, { operationId, correlationId });
      const organizationId = organizationOf(event, organizationClaim);
      const known = { operationId, correlationId, organizationId };
      facts.set(event, known);
      const {
        body,
        headers,
        facts: more,
      } = await withLogContext(known, () =>
        admitted(
          method,
          () => admit(event, organizationId),
          async () => serve(event, context, organizationId),
        ),
      );
      facts.set(event, { ...known, ...more });
      return deliverable(jsonResponse(successStatus, body, headers), event.headers['accept-encoding'], narrowedBy);
    });
}

/** Counting takes a round trip. A read has it beside its own; a write waits for it, since it could not be undone. */
async function admitted<Result>(
  method: Endpoint['method'],
  admit: () => Promise<void>,
  serve: () => Promise<Result>,
): Promise<Result> {
  if (method !== 'GET') {
    await admit();
    return serve();
  }
  const [admission, served] = await Promise.allSettled([admit(), serve()]);
  if (admission.status === 'rejected') throw admission.reason;
  if (served.status === 'rejected') throw served.reason;
  return served.value;
}

/** What is left of the function's time for an answer of our own; past it the gateway answers, with no code to go by. */
const timeoutEarlyInMillis = 500;

function timeoutEarlyResponse(): never {
  throw new ServiceUnavailable('The request took too long. Send it again: what it had begun will be completed.');
}

type Middleware = MiddlewareObj<HttpEvent, APIGatewayProxyStructuredResultV2>;
type FactsOfRequests = WeakMap<HttpEvent, LogFacts>;

/** On every answer of a request whose points were counted, errors included. */
function tellAllowance(allowances: WeakMap<HttpEvent, Allowance>): Middleware {
  const add: NonNullable<Middleware['after']> = ({ event, response }) => {
    const allowance = allowances.get(event);
    if (allowance && response) response.headers = { ...response.headers, ...allowanceHeaders(allowance) };
  };
  return { after: add, onError: add };
}

/** Middy runs `onError` from the last middleware to the first: the error is an answer before the request is logged. */
function errorResponses(facts: FactsOfRequests): Middleware {
  return {
    onError: (request) => {
      const expected = toAppError(request.error);
      if (!expected) log.error('unexpected error', request.error, facts.get(request.event));
      request.error = expected ?? request.error;
      request.response = deliverable(toErrorResponse(expected), request.event.headers['accept-encoding']);
    },
  };
}

function requestLog(facts: FactsOfRequests): Middleware {
  const startedAt = new WeakMap<HttpEvent, number>();
  const write: NonNullable<Middleware['after']> = ({ event, response, error }) => {
    const durationMs = Math.round(performance.now() - (startedAt.get(event) ?? performance.now()));
    const line = {
      ...facts.get(event),
      statusCode: response?.statusCode,
      durationMs,
      code: error instanceof AppError ? error.code : undefined,
    };
    if (error instanceof ServiceUnavailable) log.warn('request failed', error, line);
    else log.info('request', line);
  };
  return {
    before: ({ event }) => {
      startedAt.set(event, performance.now());
    },
    after: write,
    onError: write,
  };
}
