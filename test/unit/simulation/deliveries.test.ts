import { describe, expect, it } from 'vitest';
import { planDeliveries } from '#tools/simulation/deliveries.ts';
import { joined } from './told.ts';

const events = Array.from({ length: 1000 }, (_, index) => joined(`p${index}`, '09:00'));
const plan = { seed: 1, shuffle: false, duplicate: 0 };

describe('deliveries', () => {
  it('are the events as they are, unless something else is asked for', () => {
    expect(planDeliveries(events, plan)).toEqual(events);
  });

  it('are in another order, and the same for the same seed', () => {
    const shuffled = planDeliveries(events, { ...plan, shuffle: true });

    expect(shuffled).not.toEqual(events);
    expect(new Set(shuffled)).toEqual(new Set(events));
    expect(planDeliveries(events, { ...plan, shuffle: true })).toEqual(shuffled);
    expect(planDeliveries(events, { ...plan, shuffle: true, seed: 2 })).not.toEqual(shuffled);
  });

  it.each([true, false])('repeat their share of the events, one to three times (shuffled: %s)', (shuffle) => {
    const deliveries = planDeliveries(events, { seed: 1, shuffle, duplicate: 0.3 });
    const copies = [...Map.groupBy(deliveries, (event) => event).values()].map((same) => same.length - 1);

    expect(copies).toHaveLength(events.length);
    expect(new Set(copies)).toEqual(new Set([0, 1, 2, 3]));
    const repeated = copies.filter((count) => count > 0).length;
    expect([repeated > 240, repeated < 360]).toEqual([true, true]);
  });

  it('repeat every event where all are to be repeated', () => {
    const deliveries = planDeliveries(events, { ...plan, duplicate: 1 });

    expect(Map.groupBy(deliveries, (event) => event).size).toBe(events.length);
    expect(deliveries.length).toBeGreaterThanOrEqual(2 * events.length);
  });
});
