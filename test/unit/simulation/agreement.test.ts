import { expect, test } from 'vitest';
import { untilApiAgrees } from '#tools/simulation/agreement.ts';
import { generateHistory } from '#tools/simulation/generate.ts';
import type { InsightsApi } from '#tools/simulation/insights-api.ts';
import { type Recount, recount } from '#tools/simulation/recount.ts';

const organizationId = 'acme';
const plan = {
  rooms: 2,
  sessions: 2,
  participants: 3,
  day: '2026-03-02T00:00:00.000Z',
  roomPrefix: '/sim-',
  seed: 7,
  samplesOfAll: true,
};
const events = generateHistory({ organizationId, ...plan });
const before = recount(organizationId, events);
const withActivity = recount(organizationId, events, undefined, { withActivity: true });

/** An API that tells what a recount says. */
const telling = ({ rooms, sessionsOf, participantsOf, detailsOf, networkOf }: Recount): InsightsApi => ({
  rooms: async () => structuredClone(rooms) as never,
  sessionsOf: async (roomName) => structuredClone(sessionsOf(roomName)) as never,
  participantsOf: async (id) => structuredClone(participantsOf(id)) as never,
  detailsOf: async (id, participantId) => structuredClone(detailsOf(id, participantId)) as never,
  networkOf: async (id) => structuredClone(networkOf(id)),
});
const differenceOf = async (told: Recount) =>
  (await untilApiAgrees(before, telling(told), { withActivity, patienceMs: 0 })).difference;

test('insights agree before the activity of participants is counted, and after', async () => {
  expect(await differenceOf(before)).toBeUndefined();
  expect(await differenceOf(withActivity)).toBeUndefined();
});

test('insights agree while the activity of some participants is counted, and not yet that of the session', async () => {
  const [heard, ...others] = before.rooms
    .flatMap(({ roomName }) => before.sessionsOf(roomName))
    .flatMap(({ roomSessionId }) => withActivity.participantsOf(roomSessionId))
    .filter(({ spokenSource }) => spokenSource === 'activity');
  expect(others).not.toEqual([]);
  const some = (id: string) =>
    before.participantsOf(id).map((one) => (one.participantId === heard?.participantId ? heard : one));
  expect(await differenceOf({ ...before, participantsOf: some })).toBeUndefined();
});

test('talk time that is neither is a difference', async () => {
  const wrong = (id: string) =>
    withActivity
      .participantsOf(id)
      .map((one) => ({ ...one, spokenSeconds: 1234.5, spokenSource: 'activity' as const }));
  expect(await differenceOf({ ...withActivity, participantsOf: wrong })).toMatch(/spoken(Seconds|Source)/);
});
