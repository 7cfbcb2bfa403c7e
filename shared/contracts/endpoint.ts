import type * as z from 'zod/mini';

type Schema = z.ZodMiniType;

type Operation = {
  /** Also the name of the function's folder, of its construct and of its metrics. */
  readonly operationId: string;
  readonly tag: 'transcriptions' | 'insights' | 'description';
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/v1/${string}`;
};

/** An endpoint without a token: no organization, so it costs nobody any points, and its function may touch nothing. */
export type PublicEndpoint = Operation & { readonly method: 'GET'; readonly successStatus: 200 };

/** One endpoint as data: the route, the validation, what it costs of the rate limit, and what its function may touch. */
export type Endpoint = Operation & {
  /** Points of the organization's rate limit: read 1, delete 2, write 3. */
  readonly points: 1 | 2 | 3;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Request headers, by their names in lower case; any others are none of the endpoint's business. */
  readonly headers?: Schema;
  readonly successStatus: 200 | 201 | 204;
  readonly response?: Schema;
  /** Query parameters that make an answer smaller, for one that would be larger than Lambda can return. */
  readonly narrowedBy?: readonly string[];
};
