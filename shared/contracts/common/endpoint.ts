import type * as z from 'zod/mini';

type Schema = z.ZodMiniType;

type Operation = {
  /** Also the name of the function's folder, of its construct and of its metrics. */
  readonly operationId: string;
  readonly tag: 'transcriptions' | 'insights' | 'events' | 'webhooks' | 'description';
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/v1/${string}`;
};

/** The schemas by which a request is validated. A part without a schema is not read, except the query, which must be empty. */
export type RequestSchemas = {
  readonly params?: Schema;
  readonly query?: Schema;
  /** The query is not read, so it may hold anything, also a parameter twice. */
  readonly takesAnyQuery?: true;
  /** A JSON body. */
  readonly body?: Schema;
  /** Request headers by their lower-case names. Other headers are ignored. */
  readonly headers?: Schema;
};

/** What a person needs to call an endpoint: readers may read, and editors may also edit. A machine needs neither. */
export type Right = 'read' | 'edit';

/** An endpoint that takes an access token. The request belongs to the token's organization and costs points of its rate limit. */
export type Endpoint = Operation &
  RequestSchemas & {
    /** The right that a person needs. */
    readonly right: Right;
    /** Points of the rate limit: read 1, delete 2, write 3. A read that can take dozens of queries costs 3, too. */
    readonly points: 1 | 2 | 3;
    /** A GET that stores something. It starts only after its points are counted, so a refused request stores nothing. */
    readonly stores?: true;
    /** A list in the body. The request costs `points` for each started hundred of its elements, not once. */
    readonly pointsPerHundredOf?: string;
    readonly successStatus: 200 | 201 | 202 | 204;
    readonly response?: Schema;
    /** Query parameters that make a response smaller, named in the error for a response that Lambda cannot return. */
    readonly narrowedBy?: readonly string[];
  };

/**
 * An endpoint whose function authenticates each request, for example by a signature or by the token of a link. Its function
 * has AWS permissions. Requests are limited for each authenticated key, and for the whole route.
 */
export type SelfAuthenticatedEndpoint = Operation &
  RequestSchemas & {
    readonly successStatus: 200 | 202 | 204 | 302;
    readonly response?: Schema;
    /** Requests that one authenticated key may send in a minute. */
    readonly requestsPerMinutePerKey: number;
    /** The route also answers HEAD, with the same function. */
    readonly answersHead?: true;
    /**
     * Limit at the gateway for all requests of the route together. It also bounds requests that fail authentication. Without it,
     * the throttle of the stage applies, and nobody can use up the route of others.
     */
    readonly routeThrottle?: { readonly requestsPerSecond: number; readonly burst: number };
  };

/** An endpoint for everybody, without authentication. It costs no points, and its function has no AWS permissions. */
export type PublicEndpoint = Operation & { readonly method: 'GET'; readonly successStatus: 200 };
