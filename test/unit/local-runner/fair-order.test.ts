import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextInFairOrder, noisyTenants, type QueueLoad } from '#tools/local/services/queues-and-buckets/fair-order.ts';

const load = (inFlight: Record<string, number>, processingTime: Record<string, number> = {}): QueueLoad => ({
  inFlight: new Map(Object.entries(inFlight)),
  processingTime: new Map(Object.entries(processingTime)),
});
/** The tenants of the next messages, in the order in which they are served. */
const served = (tenants: readonly string[], count: number, on: QueueLoad) =>
  nextInFairOrder(tenants, count, on).map((position) => tenants[position]);

describe('a tenant is noisy', () => {
  test.each<[string, QueueLoad, string[]]>([
    ['with 30 of 100 messages in flight', load({ a: 30, b: 70 }), ['a', 'b']],
    ['not with 29 messages in flight, whatever its share', load({ a: 29 }), []],
    ['not with a tenth of the messages in flight', load({ a: 30, b: 270 }), ['b']],
    [
      'with more than a tenth of the processing time, and one message in flight',
      load({ a: 1 }, { a: 11, b: 89 }),
      ['a', 'b'],
    ],
    ['not with a tenth of the processing time', load({}, { a: 10, b: 90 }), ['b']],
    ['not in an idle queue', load({}), []],
  ])('%s', (_, on, noisy) => {
    expect([...noisyTenants(on)].toSorted()).toEqual(noisy);
  });
});

describe('the next messages', () => {
  test('are the oldest while nobody is noisy', () => {
    expect(nextInFairOrder(['a', 'a', 'b', 'c'], 3, load({ a: 5 }))).toEqual([0, 1, 2]);
  });

  test('are those of quiet tenants, however many of a noisy tenant are older', () => {
    expect(served(['a', 'a', 'a', 'b', 'a', 'c'], 2, load({}, { a: 100, b: 1 }))).toEqual(['b', 'c']);
  });

  test('include those of noisy tenants if quiet tenants have too few', () => {
    expect(nextInFairOrder(['a', 'a', 'a', 'b'], 3, load({}, { a: 100 }))).toEqual([3, 0, 1]);
  });

  test('are shared between noisy tenants, the one with the fewest in flight first', () => {
    const on = load({ a: 2, b: 0 }, { a: 50, b: 50 });
    expect(served(['a', 'a', 'a', 'b', 'b', 'b'], 5, on)).toEqual(['b', 'b', 'a', 'b', 'a']);
  });

  test('are as many as there are or are wanted, each once, and those of one tenant in their order', () => {
    const tenants = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    const amounts = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(100));
    fc.assert(
      fc.property(tenants, fc.integer({ min: 1, max: 10 }), amounts, amounts, (waiting, count, inFlight, time) => {
        const chosen = nextInFairOrder(waiting, count, load(inFlight, time));
        expect(new Set(chosen).size).toBe(Math.min(count, waiting.length));
        for (const positions of Map.groupBy(chosen, (position) => waiting[position]).values()) {
          expect(positions).toEqual(positions.toSorted((one, other) => one - other));
        }
      }),
    );
  });
});
