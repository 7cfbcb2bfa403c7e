import { expect, it } from 'vitest';
import { insightsOf, untilCounted } from '../../support/insights/insights.ts';
import { storeLongSession } from '../../support/insights/long-session.ts';
import { endpoints, organization, sqs } from '../../support/machine.ts';

it('a long session is stored with its participants, samples and minutes', async () => {
  const acme = organization();
  const size = { hours: 3, participants: 12, sampledThroughout: 2, sampledBriefly: 4 };
  const plan = { organizationId: acme, roomName: '/long', seed: 7, startedAt: Date.parse('2026-03-02T09:00:00.000Z') };

  const session = await storeLongSession({ ...plan, ...size }, { endpoints, sqs });

  await untilCounted(acme, session.events);
  const { roomSessionId } = session;
  const minutes = (await insightsOf(acme).network({ roomSessionId })).results;
  expect(minutes.length).toBeGreaterThan(170);
  expect(minutes.length).toBeLessThanOrEqual(180);
  expect(Math.max(...minutes.map(({ participants }) => participants))).toBeGreaterThanOrEqual(2);
});
