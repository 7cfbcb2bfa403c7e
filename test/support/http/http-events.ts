import type { Admission } from '#shared/http/admission.ts';
import type { HttpEvent } from '#shared/http/request.ts';

/** The parts of a request that a test can set. */
export type RequestFacts = {
  /** The claims of the token, in any shape that the gateway passes on. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** What the Lambda authorizer passes on, instead of claims. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly query?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Bytes and text are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestId?: string;
  /** Default: GET. Only endpoints that answer several methods read it. */
  readonly method?: string;
};

/** The claim that names the organization in these events. */
export const organizationClaim = 'client_id';

/** Admits every request, with unlimited points. */
export const admission: Admission = {
  organizationClaim,
  rateLimiter: {
    spend: async () => ({ isExceeded: false, limit: 1000, remaining: 999, resetsAt: 1_800_000_000 }),
    knownRefusal: () => undefined,
    isFarFromLimit: () => true,
  },
};

/** A ceiling on bulk deletes that accepts every request. */
export const noCeiling = {
  take: async () => ({
    allowance: { isExceeded: false, limit: 100_000, remaining: 100_000, resetsAt: 1_800_000_000 },
    giveBack: async () => {},
  }),
};

/** What the Lambda authorizer passes on for a person. */
export function personContext(role: 'reader' | 'editor', personId = 'person-1', organizationId = 'acme') {
  return { [organizationClaim]: organizationId, personId, role };
}

/** An event of an HTTP API with a JWT authorizer (payload format 2.0). */
export function httpEvent(facts: RequestFacts = {}): HttpEvent {
  const { claims = { [organizationClaim]: 'acme' }, query = '', params, headers, requestId = 'request-1' } = facts;
  const { method = 'GET' } = facts;
  return {
    version: '2.0',
    routeKey: 'GET /v1/fixture',
    rawPath: '/v1/fixture',
    rawQueryString: query,
    headers: { ...('body' in facts && { 'content-type': 'application/json' }), ...headers },
    isBase64Encoded: facts.body instanceof Uint8Array,
    ...('body' in facts && facts.body !== undefined && { body: bodyText(facts.body) }),
    ...(params && { pathParameters: params }),
    requestContext: {
      requestId,
      http: { method },
      authorizer: facts.context ? { lambda: facts.context } : { jwt: { claims, scopes: [] } },
    } as unknown as HttpEvent['requestContext'], // the code reads nothing else
  };
}

function bodyText(body: unknown): string {
  if (body instanceof Uint8Array) return Buffer.from(body).toString('base64');
  return typeof body === 'string' ? body : JSON.stringify(body);
}
