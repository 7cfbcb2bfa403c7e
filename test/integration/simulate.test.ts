import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { untilApiAgrees } from '#tools/simulation/agreement.ts';
import { planDeliveries } from '#tools/simulation/deliveries.ts';
import { generateHistory } from '#tools/simulation/generate.ts';
import { insightsApi } from '#tools/simulation/insights-api.ts';
import { recount } from '#tools/simulation/recount.ts';
import { sendEvents } from '#tools/simulation/send.ts';
import { endpoints, organization, token } from '../support/machine.ts';

/** Thirteen participants in each session, so that every kind of fault occurs in each. */
const sizes = { rooms: 2, sessions: 2, participants: 13 };
const plan = (organizationId: string, seed: number) => ({
  ...sizes,
  ...{ organizationId, seed, day: '2026-03-02T00:00:00.000Z', roomPrefix: `/sim-${seed}-` },
});
const patienceMs = 20_000;

const apiOf = (organizationId: string) => insightsApi(endpoints.apiUrl, () => token(organizationId));

it('a shuffled simulation with duplicates produces the expected figures, and the same if it is sent again', async () => {
  const acme = organization();
  const seed = randomInt(2 ** 31 - 1);
  const events = generateHistory(plan(acme, seed));
  const expected = recount(acme, events);
  const api = apiOf(acme);

  await sendEvents(planDeliveries(events, { seed, shuffle: true, duplicate: 0.3 }), { endpoints });
  const first = await untilApiAgrees(expected, api, { patienceMs });
  expect(first.difference, `seed ${seed}`).toBeUndefined();
  expect(first.compared).toMatchObject({ rooms: 3, sessions: 4 });

  await sendEvents(events, { endpoints });
  expect(await untilApiAgrees(expected, api, { patienceMs }), `seed ${seed}`).toEqual(first);
});

it('a simulation reports every difference from the expected figures', async () => {
  const acme = organization();
  const events = generateHistory({ ...plan(acme, 1), rooms: 1, sessions: 1, participants: 1 });
  const room = {
    id: 'lost',
    type: 'room.created',
    organizationId: acme,
    createdAt: '2026-03-02T00:00:00.000Z',
  } as const;
  await sendEvents(events, { endpoints });

  const expected = recount(acme, [...events, { ...room, data: { roomName: '/lost' } }]);
  const { difference } = await untilApiAgrees(expected, apiOf(acme), { patienceMs: 2000 });

  expect(difference).toBe('room /lost is missing');
});
