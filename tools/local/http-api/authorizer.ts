import * as z from 'zod';
import type { Outcome } from '../lambda/function-thread.ts';
import type { Authorizer, StackFunction } from '../template/stack.ts';

/** What the authorizer passes on to the endpoint, or the gateway's own answer. */
export type Verdict =
  | { readonly context: Readonly<Record<string, unknown>> }
  | { readonly status: 401 | 403 | 500; readonly message: string };

/** Authorizes a request by its `Authorization` header. `event` builds the event of the authorizer's function. */
export type Authorize = (
  header: string | undefined,
  event: (identity: string) => Readonly<Record<string, unknown>>,
) => Promise<Verdict>;

type Options = {
  readonly invoke: (target: StackFunction, event: unknown) => Promise<Outcome>;
  readonly now?: () => number;
};

const SimpleResponse = z.object({
  isAuthorized: z.boolean(),
  context: z.record(z.string(), z.unknown()).nullish(),
});
const unauthorized: Verdict = { status: 401, message: 'Unauthorized' };
const forbidden: Verdict = { status: 403, message: 'Forbidden' };
const failed: Verdict = { status: 500, message: 'Internal Server Error' };
const maxCached = 10_000;

/**
 * A Lambda authorizer of an HTTP API with simple responses. It caches results by the header for the time that the template sets:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
export function createAuthorizer(
  { function: target, cacheSeconds }: Authorizer,
  { invoke, now = Date.now }: Options,
): Authorize {
  const cached = new Map<string, { readonly verdict: Verdict; readonly until: number }>();
  return async (identity, event) => {
    if (!identity) return unauthorized; // without a call of the function
    const known = cached.get(identity);
    if (known && known.until > now()) return known.verdict;
    const verdict = verdictOf(await invoke(target, event(identity)));
    if (cacheSeconds > 0 && verdict !== failed) {
      if (cached.size >= maxCached) cached.clear();
      cached.set(identity, { verdict, until: now() + cacheSeconds * 1000 });
    }
    return verdict;
  };
}

function verdictOf(outcome: Outcome): Verdict {
  const { data } = SimpleResponse.safeParse(outcome.ok ? JSON.parse(outcome.payload) : undefined);
  if (!data) return failed;
  return data.isAuthorized ? { context: data.context ?? {} } : forbidden;
}
