import { describe, expect, it } from 'vitest';
import { planDeliveries } from '#tools/simulation/deliveries.ts';
import { joined } from './platform-events.ts';

const events = Array.from({ length: 1000 }, (_, index) => joined(`p${index}`, '09:00'));
const plan = { seed: 1, shuffle: false, duplicate: 0 };

describe('planDeliveries', () => {
  it('returns the events unchanged by default', () => {
    expect(planDeliveries(events, plan)).toEqual(events);
  });

  it('shuffles the events, in the same order for the same seed', () => {
    const shuffled = planDeliveries(events, { ...plan, shuffle: true });

    expect(shuffled).not.toEqual(events);
    expect(new Set(shuffled)).toEqual(new Set(events));
    expect(planDeliveries(events, { ...plan, shuffle: true })).toEqual(shuffled);
    expect(planDeliveries(events, { ...plan, shuffle: true, seed: 2 })).not.toEqual(shuffled);
  });

  it.each([true, false])('repeats the given share of the events one to three times (shuffled: %s)', (shuffle) => {
    const deliveries = planDeliveries(events, { seed: 1, shuffle, duplicate: 0.3 });
    const copies = [...Map.groupBy(deliveries, (event) => event).values()].map((same) => same.length - 1);

    expect(copies).toHaveLength(events.length);
    expect(new Set(copies)).toEqual(new Set([0, 1, 2, 3]));
    const repeated = copies.filter((count) => count > 0).length;
    expect([repeated > 240, repeated < 360]).toEqual([true, true]);
  });

  it('repeats every event if the share is 1', () => {
    const deliveries = planDeliveries(events, { ...plan, duplicate: 1 });

    expect(Map.groupBy(deliveries, (event) => event).size).toBe(events.length);
    expect(deliveries.length).toBeGreaterThanOrEqual(2 * events.length);
  });
});
