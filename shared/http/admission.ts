import type { OrganizationId } from '../contracts/organization.ts';
import { rateLimitHeaders } from '../contracts/rate-limit.ts';

/** What is left to an organization in a minute, and whether the points just asked for were still in it. */
export type Allowance = {
  readonly isExceeded: boolean;
  /** Points of each minute. */
  readonly limit: number;
  readonly remaining: number;
  /** When the minute ends, in epoch seconds. */
  readonly resetsAt: number;
};

/** Counts what organizations spend; across all functions and tokens of one. */
type RateLimiter = {
  /** Takes the points if they are left, and nothing if they are not. */
  readonly spend: (organizationId: OrganizationId, points: number) => Promise<Allowance>;
};

/** How an endpoint lets requests in: the token's claim that names the organization, and who counts its points. */
export type Admission = { readonly organizationClaim: string; readonly rateLimiter: RateLimiter };

/** The allowance as headers of an answer. */
export function allowanceHeaders({ limit, remaining, resetsAt }: Allowance): Record<string, string> {
  return {
    [rateLimitHeaders.limit]: String(limit),
    [rateLimitHeaders.remaining]: String(remaining),
    [rateLimitHeaders.reset]: String(resetsAt),
  };
}
