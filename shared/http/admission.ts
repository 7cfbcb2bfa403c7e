import type { OrganizationId } from '../contracts/organization.ts';
import { type Allowance, rateLimitHeaders } from '../contracts/rate-limit.ts';

/** Counts the points that an organization spends, across all functions and tokens. */
type RateLimiter = {
  /** Takes the points if enough are left, and none otherwise. */
  readonly spend: (organizationId: OrganizationId, points: number) => Promise<Allowance>;
  /** The allowance of a request for these points if the last count excludes it. Costs nothing. */
  readonly knownRefusal: (organizationId: OrganizationId, points: number) => Allowance | undefined;
  /** True if the last count in this minute makes a refusal unlikely. False if this function has not counted yet. */
  readonly isFarFromLimit: (organizationId: OrganizationId) => boolean;
};

/** How an endpoint admits requests: the token claim that names the organization, and the rate limiter. */
export type Admission = { readonly organizationClaim: string; readonly rateLimiter: RateLimiter };

/** Response headers for an allowance. */
export function allowanceHeaders({ limit, remaining, resetsAt }: Allowance): Record<string, string> {
  return {
    [rateLimitHeaders.limit]: String(limit),
    [rateLimitHeaders.remaining]: String(remaining),
    [rateLimitHeaders.reset]: String(resetsAt),
  };
}
