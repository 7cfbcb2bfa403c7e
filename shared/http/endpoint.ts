import type * as z from 'zod/mini';
import type { Endpoint } from '../contracts/endpoint.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import { PayloadTooLarge, RateLimited } from '../errors.ts';
import { addToLogContext, type LogFacts, setAllowance } from '../logger.ts';
import type { Admission } from './admission.ts';
import { isLong } from './json-pieces.ts';
import { emptyResponse } from './json-response.ts';
import { representationsOf } from './representations.ts';
import { type EndpointRequest, type HttpEvent, organizationOf, type RequestParts, readRequest } from './request.ts';
import { requestHandler } from './request-handler.ts';
import { deliverableBody } from './response-body.ts';

type ResponseBody<Definition> = Definition extends { readonly response: z.ZodMiniType }
  ? { readonly body: z.output<Definition['response']> }
  : { readonly body?: undefined };

/** The result of a handler: the body that the contract defines, and additional headers. */
export type EndpointResponse<Definition> = ResponseBody<Definition> & {
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional facts for the log line of the request. */
  readonly facts?: LogFacts;
};

/**
 * Creates the Lambda handler of an endpoint that takes an access token. It reads the organization from the token, counts the
 * points, parses the request, runs `handle`, and responds with the status that the contract defines.
 */
export function endpoint<Definition extends Endpoint>(
  definition: Definition,
  { organizationClaim, rateLimiter }: Admission,
  handle: (request: EndpointRequest<Definition>) => Promise<EndpointResponse<Definition>>,
) {
  const { operationId, points, pointsPerHundredOf, method, stores, successStatus, narrowedBy } = definition;
  const represent = representationsOf(definition);
  const refuseIfKnown = (organizationId: OrganizationId): void => {
    const refusal = rateLimiter.knownRefusal(organizationId, points);
    if (!refusal) return;
    setAllowance(refusal);
    throw new RateLimited(pointsPerHundredOf === undefined ? points : `at least ${points}`, refusal);
  };
  const admit = async (organizationId: OrganizationId, cost: number): Promise<void> => {
    const allowance = await rateLimiter.spend(organizationId, cost);
    setAllowance(allowance);
    if (cost > points && cost > allowance.limit) {
      await admit(organizationId, points); // it counts as the smallest request does
      throw tooCostly(definition, cost, allowance.limit);
    }
    if (allowance.isExceeded) throw new RateLimited(cost, allowance);
  };
  return requestHandler(operationId, async (event, context) => {
    const organizationId = organizationOf(event, organizationClaim);
    addToLogContext({ organizationId });
    refuseIfKnown(organizationId); // before the body is parsed for its price
    const { cost, read } = priced(definition, event);
    const serve = async () => {
      const { requestId: correlationId } = event.requestContext;
      return handle({ organizationId, correlationId, context, ...read() } as EndpointRequest<Definition>);
    };
    const runsAtOnce = method === 'GET' && !stores && rateLimiter.isFarFromLimit(organizationId);
    const { body, headers, facts } = await serveIfAdmitted(runsAtOnce, () => admit(organizationId, cost), serve);
    if (facts) addToLogContext(facts);
    if (body === undefined) return emptyResponse(successStatus, headers);
    const { accept, 'accept-encoding': acceptEncoding } = event.headers;
    const { headers: ofRepresentation, pieces } = represent(body, accept);
    const response = emptyResponse(successStatus, { ...ofRepresentation, ...headers });
    return deliverableBody(response, { pieces, isLong: isLong(body) }, acceptEncoding, narrowedBy);
  });
}

/** What a request costs, and a function that parses it. A request that is not valid costs `points`, and `read` throws. */
function priced<Definition extends Endpoint>(
  definition: Definition,
  event: HttpEvent,
): { readonly cost: number; readonly read: () => RequestParts<Definition> } {
  const { points, pointsPerHundredOf: list } = definition;
  if (list === undefined) return { cost: points, read: () => readRequest(definition, event) };
  try {
    const parts = readRequest(definition, event);
    const { length } = (parts.body as Readonly<Record<string, readonly unknown[]>>)[list] ?? [];
    return { cost: points * Math.max(1, Math.ceil(length / 100)), read: () => parts };
  } catch (error) {
    return {
      cost: points,
      read: () => {
        throw error;
      },
    };
  }
}

/** The error for a request that costs more than all points of a minute, so that waiting would not help. */
function tooCostly({ points, pointsPerHundredOf }: Endpoint, cost: number, limit: number): PayloadTooLarge {
  return new PayloadTooLarge(
    `The request costs ${cost} points, and the organization has ${limit} points a minute. ` +
      `Send at most ${Math.floor(limit / points) * 100} ${pointsPerHundredOf} in one request.`,
  );
}

/**
 * Runs `serve` for an admitted request. With `runsAtOnce`, it runs while `admit` counts the points, which saves a round trip.
 * That is only for a read that is unlikely to be refused: a refused one works in vain, and a write could not be undone.
 */
async function serveIfAdmitted<Result>(
  runsAtOnce: boolean,
  admit: () => Promise<void>,
  serve: () => Promise<Result>,
): Promise<Result> {
  if (!runsAtOnce) {
    await admit();
    return serve();
  }
  const [admission, served] = await Promise.allSettled([admit(), serve()]);
  if (admission.status === 'rejected') throw admission.reason;
  if (served.status === 'rejected') throw served.reason;
  return served.value;
}
