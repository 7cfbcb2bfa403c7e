/** How much of a limit a caller has left in the current minute, hour or day, and whether this request exceeded it. */
export type Allowance = {
  readonly isExceeded: boolean;
  /** Points of each minute, ids of each hour, or seconds of each day. */
  readonly limit: number;
  readonly remaining: number;
  /** End of the minute, hour or day in epoch seconds. */
  readonly resetsAt: number;
};

/** Response headers: the organization's points per minute, the points left, and the end of the minute in epoch seconds. */
export const rateLimitHeaders = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const;
