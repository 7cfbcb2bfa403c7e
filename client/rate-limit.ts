import { rateLimitNames } from './contract.ts';

/** The points of the organization in this minute, as an answer of the API has them. */
export type RateLimit = {
  /** Points of each minute. */
  readonly limit: number;
  /** Points that are left in this minute. */
  readonly remaining: number;
  /** When all points are available again, in epoch milliseconds. */
  readonly resetsAt: number;
};

/** Reads the headers of the rate limit. Undefined for an answer without them, such as one of the gateway. */
export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const { limit, remaining, reset } = rateLimitNames;
  const [points, left, seconds] = [limit, remaining, reset].map((name) => numberOf(headers.get(name)));
  if (points === undefined || left === undefined || seconds === undefined) return undefined;
  return { limit: points, remaining: left, resetsAt: seconds * 1000 };
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}
