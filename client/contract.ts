import type { Endpoint } from '../shared/contracts/common/endpoint.ts';
import { errorStatuses, repeatableStatuses as repeatable } from '../shared/contracts/common/errors.ts';
import * as rowFormats from '../shared/contracts/common/row-formats.ts';
import { endpoints } from '../shared/contracts/endpoints.ts';
import * as network from '../shared/contracts/insights/session-network.ts';
import { rateLimitHeaders } from '../shared/contracts/organization/rate-limit.ts';
import * as headers from '../shared/contracts/webhooks/webhook-headers.ts';

// The parts of the contract that the client needs at run time, as plain data. The build replaces this module by these
// values, so that a program that uses the client loads no schema.

type Name = keyof typeof endpoints;

/** The method, path and answer of an operation. */
export type Route = {
  readonly method: string;
  readonly path: string;
  readonly successStatus: number;
  /** Whether the request can have an idempotency key. */
  readonly takesIdempotencyKey: boolean;
  /** The outermost type of the answer's body. */
  readonly answer: 'array' | 'object' | 'page' | 'nothing';
};

/** Every operation of the API. */
export const routes = Object.fromEntries(
  Object.entries<Endpoint>(endpoints).map(([name, { method, path, successStatus, headers, response }]) => {
    return [
      name,
      { method, path, successStatus, takesIdempotencyKey: headers !== undefined, answer: answerOf(response) },
    ];
  }),
) as { readonly [name in Name]: Route };

function answerOf(response: Endpoint['response']): Route['answer'] {
  if (!response) return 'nothing';
  const { def } = response._zod;
  if (def.type === 'array') return 'array';
  return 'shape' in def && Object.hasOwn(def.shape as object, 'results') ? 'page' : 'object';
}

/** The HTTP status of every error code. */
export const statuses = errorStatuses;

/** The names of the headers of the rate limit. */
export const rateLimitNames = rateLimitHeaders;

/** The HTTP statuses after which a retry of the same request can succeed. */
export const repeatableStatuses = repeatable;

/** The media type of each format of rows. */
export const rowMediaTypes = rowFormats.rowMediaTypes;

/** The header with the cursor of the next page of rows. */
export const nextCursorHeader = rowFormats.nextCursorHeader;

/** A participant's minute is bad if its mean packet loss is this or more, in at least one direction. */
export const badPacketLoss = network.badPacketLoss;

/** The names of the headers of a webhook. */
export const webhookHeaders = headers.webhookHeaders;
