import type * as z from 'zod/mini';
import type { Endpoint } from '../contracts/endpoint.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import { RateLimited } from '../errors.ts';
import { addToLogContext, type LogFacts, setAllowance } from '../logger.ts';
import type { Admission } from './admission.ts';
import { jsonResponse } from './json-response.ts';
import { type EndpointRequest, organizationOf, readRequest } from './request.ts';
import { requestHandler } from './request-handler.ts';
import { deliverable } from './response-body.ts';

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
  const { operationId, points, method, successStatus, narrowedBy } = definition;
  const admit = async (organizationId: OrganizationId) => {
    const allowance = await rateLimiter.spend(organizationId, points);
    setAllowance(allowance);
    if (allowance.isExceeded) throw new RateLimited(points, allowance);
  };
  return requestHandler(operationId, async (event, context) => {
    const organizationId = organizationOf(event, organizationClaim);
    addToLogContext({ organizationId });
    const serve = async () => {
      const { requestId: correlationId } = event.requestContext;
      const parts = readRequest(definition, event);
      return handle({ organizationId, correlationId, context, ...parts } as EndpointRequest<Definition>);
    };
    const runsAtOnce = method === 'GET' && rateLimiter.isFarFromLimit(organizationId);
    const { body, headers, facts } = await serveIfAdmitted(runsAtOnce, () => admit(organizationId), serve);
    if (facts) addToLogContext(facts);
    return deliverable(jsonResponse(successStatus, body, headers), event.headers['accept-encoding'], narrowedBy);
  });
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
