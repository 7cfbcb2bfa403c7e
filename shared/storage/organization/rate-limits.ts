import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Person } from '#shared/contracts/organization/person.ts';
import type { Allowance } from '#shared/contracts/organization/rate-limit.ts';
import { knownCounts } from '../common/known-counts.ts';
import {
  allowanceOf,
  type CountTable,
  countWithinLimit,
  type Spending,
  startOfWindow,
} from '../common/window-counts.ts';

const minuteMs = 60_000;

/** A refusal is unlikely if the last known count of this minute leaves at least this part of the limit. */
const farFromLimit = 0.5;

/**
 * Counts the points of each organization per minute, in one item that all functions share, and those of each person in another one.
 * So nothing that a person does changes what the machines of the organization can do. Points are taken only if enough
 * are left, so concurrent requests never spend more than the limit. A request that a remembered count already excludes is
 * refused without a call. The SDK repeats a call whose answer was lost, and that call may count twice.
 */
export function rateLimiter(
  documents: CountTable['documents'],
  tableName: string,
  { pointsPerMinute, personPointsPerMinute, now = Date.now }: PointLimits,
) {
  const counts = minuteCounts({ documents, tableName }, now);
  const limitOf = ({ person }: Spender) => (person ? personPointsPerMinute : pointsPerMinute);
  return {
    /** Takes the points if enough are left in this minute. Costs one write unit, or nothing if too few can be left. */
    spend: (spender: Spender, points: number): Promise<Allowance> =>
      counts.take(counterOf(spender), points, limitOf(spender)),

    /** The allowance of a request for these points if this function knows that too few are left. Costs nothing. */
    knownRefusal: (spender: Spender, points: number): Allowance | undefined =>
      counts.knownRefusal(counterOf(spender), points, limitOf(spender)),

    /** True if this function has counted for the spender in this minute, and at least half of the points were left. */
    isFarFromLimit(spender: Spender): boolean {
      const spent = counts.known(counterOf(spender));
      const limit = limitOf(spender);
      return spent !== undefined && limit - spent >= limit * farFromLimit;
    },
  };
}

/** The points of a minute of an organization's machines together, and of each person. */
type PointLimits = {
  readonly pointsPerMinute: number;
  readonly personPointsPerMinute: number;
  readonly now?: () => number;
};

/** Whose points a request takes: those of the organization, or those of a person in it. */
type Spender = { readonly organizationId: OrganizationId; readonly person?: Pick<Person, 'personId'> };

/** No organization id contains a colon, and no operation is named `person`, so no counters share an item. */
function counterOf({ organizationId, person }: Spender): string {
  return person ? `person:${organizationId}:${person.personId}` : organizationId;
}

/** Counts the requests of each key of a self-authenticated endpoint per minute, in the table of the organizations' points. */
export function keyRateLimiter(
  documents: CountTable['documents'],
  tableName: string,
  { now = Date.now }: { readonly now?: () => number } = {},
) {
  const counts = minuteCounts({ documents, tableName }, now);
  return {
    /**
     * Counts a request of the key, which may count as several. It is exceeded if the key would have more than `requestsPerMinute` in
     * this minute. If that is known from an earlier request, nothing is called.
     */
    count: (operationId: string, key: string, requestsPerMinute: number, points = 1): Promise<Allowance> =>
      counts.take(keyCounter(operationId, key), points, requestsPerMinute),
  };
}

/** An organization id contains no colon, so the counter of a key never shares an item with that of an organization. */
function keyCounter(operationId: string, key: string): string {
  return `${operationId}:${key}`;
}

/** The counts of each minute. Remembers them, because they only grow, and so refuses without a call what they exclude. */
function minuteCounts(table: CountTable, now: () => number) {
  const memory = knownCounts();
  const minute = () => startOfWindow(now(), minuteMs);
  const spendingOf = (counter: string, points: number, limit: number, startedAt: number): Spending => {
    const window = new Date(startedAt).toISOString();
    return { counter, window, resetsAt: (startedAt + minuteMs) / 1000, points, limit };
  };
  const refusal = (spending: Spending, startedAt: number): Allowance | undefined => {
    const { counter, points, limit } = spending;
    const spent = memory.of(counter, startedAt);
    const isExceeded = points > limit || (spent !== undefined && spent + points > limit);
    return isExceeded ? allowanceOf(spending, true, spent ?? 0) : undefined;
  };
  return {
    known: (counter: string): number | undefined => memory.of(counter, minute()),

    knownRefusal(counter: string, points: number, limit: number): Allowance | undefined {
      const startedAt = minute();
      return refusal(spendingOf(counter, points, limit, startedAt), startedAt);
    },

    async take(counter: string, points: number, limit: number): Promise<Allowance> {
      const startedAt = minute();
      const spending = spendingOf(counter, points, limit, startedAt);
      const refused = refusal(spending, startedAt);
      if (refused) return refused;
      const { isExceeded, spent } = await countWithinLimit(table, spending);
      memory.saw(counter, startedAt, spent);
      return allowanceOf(spending, isExceeded, spent);
    },
  };
}
