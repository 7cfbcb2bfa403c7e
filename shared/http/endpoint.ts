import type * as z from 'zod/mini';
import type { Endpoint } from '../contracts/common/endpoint.ts';
import { NotAnEditor, PayloadTooLarge, RateLimited, type Spender } from '../runtime/errors.ts';
import { addToLogContext, type LogFacts, setAllowance } from '../runtime/logger.ts';
import type { Admission } from './admission.ts';
import { type Caller, callerOf } from './caller.ts';
import { emptyResponse } from './json-response.ts';
import { representationsOf } from './representations.ts';
import { type EndpointRequest, type HttpEvent, type RequestParts, readRequest } from './request.ts';
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
 * Creates the Lambda handler of an endpoint that takes an access token. It reads the caller from the token, checks the right of a
 * person, counts the points, parses the request, runs `handle`, and responds with the status that the contract defines.
 */
export function endpoint<Definition extends Endpoint>(
  definition: Definition,
  { rateLimiter, ...callerClaims }: Admission,
  handle: (request: EndpointRequest<Definition>) => Promise<EndpointResponse<Definition>>,
) {
  const { operationId, right, points, pointsPerHundredOf, method, stores, successStatus, narrowedBy } = definition;
  const represent = representationsOf(definition);
  const refuseIfKnown = (caller: Caller): void => {
    const refusal = rateLimiter.knownRefusal(caller, points);
    if (!refusal) return;
    setAllowance(refusal);
    throw new RateLimited(refusal, pointsPerHundredOf === undefined ? points : `at least ${points}`, spenderOf(caller));
  };
  const admit = async (caller: Caller, cost: number): Promise<void> => {
    const allowance = await rateLimiter.spend(caller, cost);
    setAllowance(allowance);
    if (cost > points && cost > allowance.limit) {
      await admit(caller, points); // it counts as the smallest request does
      throw tooCostly(definition, cost, allowance.limit, spenderOf(caller));
    }
    if (allowance.isExceeded) throw new RateLimited(allowance, cost, spenderOf(caller));
  };
  return requestHandler(operationId, async (event, context) => {
    const caller = callerOf(event, callerClaims);
    const { organizationId, person } = caller;
    addToLogContext({ organizationId, ...(person && { personId: person.personId }) });
    if (right === 'edit' && person?.role === 'reader') {
      await admit(caller, refusalPoints);
      throw new NotAnEditor();
    }
    refuseIfKnown(caller); // before the body is parsed for its price
    const { cost, read } = priced(definition, event);
    const serve = async () => {
      const { requestId: correlationId } = event.requestContext;
      return handle({ organizationId, correlationId, context, ...read() } as EndpointRequest<Definition>);
    };
    const runsAtOnce = method === 'GET' && !stores && rateLimiter.isFarFromLimit(caller);
    const { body, headers, facts } = await serveIfAdmitted(runsAtOnce, () => admit(caller, cost), serve);
    if (facts) addToLogContext(facts);
    if (body === undefined) return emptyResponse(successStatus, headers);
    const { accept, 'accept-encoding': acceptEncoding } = event.headers;
    const { headers: ofRepresentation, ...text } = represent(body, accept);
    const response = emptyResponse(successStatus, { ...ofRepresentation, ...headers });
    return deliverableBody(response, text, acceptEncoding, narrowedBy);
  });
}

/** What a reader pays for a request that needs an editor. It is not free, so nobody can load the service with refusals. */
const refusalPoints = 1;

function spenderOf({ person }: Caller): Spender {
  return person ? 'person' : 'organization';
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
function tooCostly(
  { points, pointsPerHundredOf }: Endpoint,
  cost: number,
  limit: number,
  spender: Spender,
): PayloadTooLarge {
  return new PayloadTooLarge(
    `The request costs ${cost} points, and the ${spender} has ${limit} points a minute. ` +
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
