import type { Access } from './access.ts';

/** What counting an organization's points touches, besides an endpoint's own access. */
export const rateLimitAccess = { tables: { rateLimits: ['UpdateItem'] } } as const satisfies Access;

/** Headers of every answer of a function to a known organization: its points a minute, those left, and when the minute ends (epoch seconds). */
export const rateLimitHeaders = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const;
