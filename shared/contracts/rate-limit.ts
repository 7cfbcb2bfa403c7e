/** How much of its rate limit a caller has left in the current minute, and whether this request exceeded it. */
export type Allowance = {
  readonly isExceeded: boolean;
  /** Points of each minute. */
  readonly limit: number;
  readonly remaining: number;
  /** End of the minute in epoch seconds. */
  readonly resetsAt: number;
};

/** Response headers: the organization's points per minute, the points left, and the end of the minute in epoch seconds. */
export const rateLimitHeaders = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const;
