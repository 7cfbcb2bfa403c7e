/** Headers of every answer of a function to a known organization: its points a minute, those left, and when the minute ends (epoch seconds). */
export const rateLimitHeaders = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const;
