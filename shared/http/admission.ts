import { type Allowance, rateLimitHeaders } from '../contracts/organization/rate-limit.ts';
import type { Caller, CallerClaims } from './caller.ts';

/** Counts the points that the machines of an organization spend together, and those that each person spends. */
type RateLimiter = {
  /** Takes the points if enough are left, and none otherwise. */
  readonly spend: (caller: Caller, points: number) => Promise<Allowance>;
  /** The allowance of a request for these points if the last count excludes it. Costs nothing. */
  readonly knownRefusal: (caller: Caller, points: number) => Allowance | undefined;
  /** True if the last count in this minute makes a refusal unlikely. False if this function has not counted yet. */
  readonly isFarFromLimit: (caller: Caller) => boolean;
};

/** How an endpoint admits requests: the token claims that name the caller, and the rate limiter. */
export type Admission = CallerClaims & { readonly rateLimiter: RateLimiter };

/** Response headers for an allowance. */
export function allowanceHeaders({ limit, remaining, resetsAt }: Allowance): Record<string, string> {
  return {
    [rateLimitHeaders.limit]: String(limit),
    [rateLimitHeaders.remaining]: String(remaining),
    [rateLimitHeaders.reset]: String(resetsAt),
  };
}
