import type { Endpoint } from '../shared/contracts/endpoint.ts';
import { endpoints } from '../shared/contracts/endpoints.ts';
import { errorStatuses, repeatableStatuses as repeatable } from '../shared/contracts/errors.ts';

// What the client takes of the contract at run time, as plain data. The build puts these values in the place of this
// module, so that a program which uses the client loads no schema.

type Name = keyof typeof endpoints;

/** How an operation is called. */
export type Route = {
  readonly method: string;
  readonly path: string;
  readonly successStatus: number;
  /** Its request may carry an idempotency key. */
  readonly takesIdempotencyKey: boolean;
  /** What the body of its answer is at the first glance. */
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

/** The status of every error code. */
export const statuses = errorStatuses;

/** Statuses after which the same request can succeed. */
export const repeatableStatuses = repeatable;
