import { randomInt } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { untilApiAgrees } from '#tools/simulation/agreement.ts';
import { planDeliveries } from '#tools/simulation/deliveries.ts';
import { generateHistory } from '#tools/simulation/generate.ts';
import { insightsApi } from '#tools/simulation/insights-api.ts';
import { recount } from '#tools/simulation/recount.ts';
import { sendEvents } from '#tools/simulation/send.ts';
import { eventually } from '../../support/eventually.ts';
import { endpoints, organization, sqs, token } from '../../support/machine.ts';

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

it('a simulation still agrees when the service has counted the activity of a session', async () => {
  const acme = organization();
  const events = generateHistory({ ...plan(acme, 1), rooms: 1, sessions: 2 });
  const api = apiOf(acme);
  await sendEvents(events, { endpoints });
  const expected = recount(acme, events);
  const first = await untilApiAgrees(expected, api, { patienceMs });
  const heard = events.find((event) => event.type === 'room.client.spoke');
  const { roomSessionId } = heard?.data ?? {};

  await eventually(async () => {
    // The worker asks for this itself, ten minutes later.
    const MessageBody = JSON.stringify({ organizationId: acme, roomSessionId });
    await sqs.send(new SendMessageCommand({ QueueUrl: endpoints.queues.transcriptChanges, MessageBody }));
    const participants = await api.participantsOf(String(roomSessionId));
    expect(participants.map(({ spokenSource }) => spokenSource)).toContain('activity');
  });
  const withActivity = recount(acme, events, undefined, { withActivity: true });
  expect(await untilApiAgrees(expected, api, { patienceMs, withActivity })).toEqual(first);
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
