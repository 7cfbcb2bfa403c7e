import { beforeEach, describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { knownCounts } from '#shared/storage/common/known-counts.ts';
import { keyRateLimiter, rateLimiter } from '#shared/storage/organization/rate-limits.ts';
import { fakeCounters } from '../../../support/storage/fake-counters.ts';

type Spender = { readonly organizationId: OrganizationId };

const start = Date.parse('2026-03-01T10:00:30.500Z');
const resetsAt = Date.parse('2026-03-01T10:01:00Z') / 1000;
const [acme, other] = ['acme', 'other'].map((id) => ({ organizationId: OrganizationId.parse(id) })) as [
  Spender,
  Spender,
];
let time: number;
let counters: ReturnType<typeof fakeCounters>;

/** The limiter of one function. All functions of a test share the counters. */
const functionWith = (pointsPerMinute: number) =>
  rateLimiter(counters.documents, 'rate-limits', { pointsPerMinute, personPointsPerMinute: 1, now: () => time });
const keysOfFunction = () => keyRateLimiter(counters.documents, 'rate-limits', { now: () => time });

beforeEach(() => {
  time = start;
  counters = fakeCounters();
});

describe('a function that knows that too few points are left', () => {
  test('refuses without a call until the minute ends, with the headers of its last count', async () => {
    const { spend } = functionWith(5);
    await spend(acme, 5);
    time = Date.parse('2026-03-01T10:00:59.999Z');
    for (let request = 0; request < 100; request++) {
      expect(await spend(acme, 1)).toEqual({ isExceeded: true, limit: 5, remaining: 0, resetsAt });
    }
    expect(counters.calls).toBe(1);
    time = Date.parse('2026-03-01T10:01:00Z');
    expect(await spend(acme, 1)).toEqual({ isExceeded: false, limit: 5, remaining: 4, resetsAt: resetsAt + 60 });
    expect(counters.calls).toBe(2);
  });

  test('learns it from its first refusal, if other functions have spent the points', async () => {
    await functionWith(5).spend(acme, 5);
    const { spend } = functionWith(5);
    expect(await spend(acme, 1)).toMatchObject({ isExceeded: true, remaining: 0 });
    expect(await spend(acme, 1)).toMatchObject({ isExceeded: true, remaining: 0 });
    expect(counters.calls).toBe(2);
  });

  test('still serves a request that costs no more than what is left', async () => {
    const { spend } = functionWith(5);
    await spend(acme, 3);
    expect(await spend(acme, 3)).toMatchObject({ isExceeded: true, remaining: 2 });
    expect(await spend(acme, 2)).toMatchObject({ isExceeded: false, remaining: 0 });
    expect(counters.calls).toBe(2);
  });

  test('does not refuse another organization', async () => {
    const { spend } = functionWith(5);
    await spend(acme, 5);
    expect(await spend(other, 5)).toMatchObject({ isExceeded: false });
  });

  test('refuses neither a person nor another one, whose points are their own', async () => {
    const { spend, knownRefusal } = functionWith(5);
    await spend(acme, 5);
    const [anna, ben] = ['anna', 'ben'].map((personId) => ({ ...acme, person: { personId } }));
    if (!anna || !ben) throw new Error('There are two people.');
    expect(await spend(anna, 1)).toMatchObject({ isExceeded: false, limit: 1, remaining: 0 });
    expect([knownRefusal(anna, 1)?.limit, knownRefusal(ben, 1), knownRefusal(acme, 1)?.limit]).toEqual([
      1,
      undefined,
      5,
    ]);
    expect(await spend(ben, 1)).toMatchObject({ isExceeded: false });
  });

  test('does the same for the key of a self-authenticated endpoint, and keeps keys and operations apart', async () => {
    const { count } = keysOfFunction();
    const counted = () => count('receive-hook', 'key-1', 2);
    await counted();
    await counted();
    expect(await counted()).toEqual({ isExceeded: true, limit: 2, remaining: 0, resetsAt });
    expect(counters.calls).toBe(2);
    expect(await count('receive-hook', 'key-2', 2)).toMatchObject({ isExceeded: false, remaining: 1 });
    expect(await count('follow-link', 'key-1', 2)).toMatchObject({ isExceeded: false, remaining: 1 });
  });
});

describe('a function is far from the limit', () => {
  test('only after it has counted in this minute', async () => {
    const { spend, isFarFromLimit } = functionWith(4);
    expect(isFarFromLimit(acme)).toBe(false);
    await spend(acme, 1);
    expect([isFarFromLimit(acme), isFarFromLimit(other)]).toEqual([true, false]);
    time += 60_000;
    expect(isFarFromLimit(acme)).toBe(false);
  });

  test('while at least half of the points were left at its last count, also if others spent them', async () => {
    const { spend, isFarFromLimit } = functionWith(10);
    await spend(acme, 1);
    await functionWith(10).spend(acme, 3);
    await spend(acme, 1);
    expect(isFarFromLimit(acme)).toBe(true);
    await spend(acme, 1);
    expect(isFarFromLimit(acme)).toBe(false);
  });
});

describe('known counts', () => {
  test('ignore a lower count, which is the answer to an earlier request', () => {
    const known = knownCounts();
    known.saw('acme', 0, 5);
    known.saw('acme', 0, 3);
    expect(known.of('acme', 0)).toBe(5);
  });

  test('keep a bounded number of counters', () => {
    const known = knownCounts(3);
    for (let counter = 0; counter < 100; counter++) known.saw(`org-${counter}`, 0, 1);
    const kept = Array.from({ length: 100 }, (_, counter) => known.of(`org-${counter}`, 0)).filter(Boolean);
    expect(kept).toHaveLength(3);
    expect(known.of('org-99', 0)).toBe(1);
  });
});
