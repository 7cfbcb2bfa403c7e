import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, visible } from '../../support/http/checked-api.ts';
import {
  at,
  type InsightName,
  insightsOf,
  pathOf,
  paths,
  type Query,
  seriesOf,
  sessionOf,
  tellerOf,
} from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

const acme = organization();
const victim = organization();
const call = clientOf(acme);

/** All names in the events of an organization, of the same length for each organization. */
function namesOf(organizationId: string) {
  const session = sessionOf(organizationId, { roomName: `/room-${randomUUID()}` });
  const { roomName, roomSessionId } = session;
  return { session, roomName, roomSessionId, participantId: `p-${randomUUID()}`, externalId: `x-${randomUUID()}` };
}

const [own, foreign] = [namesOf(acme), namesOf(victim)];
const historyOf = ({ session, participantId, externalId }: ReturnType<typeof namesOf>) => [
  session.created('08:00', '12:00'),
  session.joined(participantId, '09:00', { externalId }),
  session.sampled(participantId, '09:00', [1, 2, 3]),
  session.rated(participantId, '09:05', 4, { tags: ['audio'], comment: 'Mine.' }),
  session.left(participantId, '09:10'),
];

/** Every answer that an organization gets about one session. */
async function everythingOf(organizationId: string, { roomName, roomSessionId, participantId }: typeof own) {
  const { rooms, roomSessions, participants, participant, network } = insightsOf(organizationId);
  return Promise.all([
    rooms(),
    roomSessions({ roomName }),
    participants({ roomSessionId }),
    participant({ roomSessionId, participantId }),
    network({ roomSessionId }),
  ]);
}

let before: Awaited<ReturnType<typeof everythingOf>>;
beforeAll(async () => {
  await Promise.all([tellerOf(acme)(...historyOf(own)), tellerOf(victim)(...historyOf(foreign))]);
  before = await everythingOf(victim, foreign);
  expect(before.map((answer) => ('results' in answer ? answer.results : answer).length)).toEqual([1, 1, 1, 1, 1]);
});

type Names = Omit<typeof own, 'session'>;
const slots: readonly (readonly [InsightName, (names: Names) => Query])[] = [
  ['roomSessions', ({ roomName }) => ({ roomName })],
  ['roomSessions', ({ roomName }) => ({ roomName, limit: 1, sortBy: 'rating:asc' })],
  ['roomSessions', ({ roomName, roomSessionId }) => ({ roomName, roomSessionId })],
  ['roomSessions', ({ roomSessionId }) => ({ roomName: own.roomName, roomSessionId })],
  ['roomSessions', ({ roomName }) => ({ roomName, roomSessionId: own.roomSessionId })],
  ['participants', ({ roomSessionId }) => ({ roomSessionId })],
  ['participants', ({ roomSessionId }) => ({ roomSessionId, limit: 1, sortBy: 'leftAt:desc' })],
  ['participants', ({ externalId }) => ({ externalId })],
  ['participants', ({ roomSessionId, externalId }) => ({ roomSessionId, externalId })],
  ['participants', ({ roomSessionId }) => ({ roomSessionId, externalId: own.externalId })],
  ['participants', ({ externalId }) => ({ roomSessionId: own.roomSessionId, externalId })],
  ['participant', ({ roomSessionId, participantId }) => ({ roomSessionId, participantId })],
  ['participant', ({ roomSessionId }) => ({ roomSessionId, participantId: own.participantId })],
  ['participant', ({ participantId }) => ({ roomSessionId: own.roomSessionId, participantId })],
  ['network', ({ roomSessionId }) => ({ roomSessionId })],
  ['network', ({ roomSessionId }) => ({ roomSessionId, from: at('09:00'), to: at('10:00') })],
  [
    'participant',
    ({ roomSessionId, participantId }) => ({ roomSessionId, participantId, from: at('09:00'), to: at('10:00') }),
  ],
];

describe("another organization's room, session, participant or external id", () => {
  it.each(slots)('gets, byte for byte, the same answer as an unknown one in %s: %s', async (name, queryOf) => {
    const unknown = namesOf(acme);

    const answer = await call('GET', pathOf(name, queryOf(foreign)));

    expect(visible(answer)).toEqual(visible(await call('GET', pathOf(name, queryOf(unknown)))));
    expect(answer.text).toBe(name === 'participant' ? '[]' : '{"results":[],"cursor":null}');
  });

  it('is not in a list of rooms', async () => {
    const answer = await call('GET', pathOf('rooms', { limit: 100 }));

    expect(JSON.parse(answer.text).results).toMatchObject([{ roomName: own.roomName }]);
  });

  it('in an event of the caller belongs to the caller and leaves the first unchanged', async () => {
    const other = organization();
    const same = sessionOf(other, foreign);
    const { roomSessionId, participantId, externalId } = foreign;
    await tellerOf(other)(
      same.created('07:00'),
      same.joined(participantId, '07:30', { externalId, displayName: 'Other' }),
      same.sampled(participantId, '07:30', [9]),
      same.rated(participantId, '09:00', 1),
      same.ended('10:00'),
    );

    expect(await everythingOf(victim, foreign)).toEqual(before);
    expect(await everythingOf(other, foreign)).toMatchObject([
      { results: [{ createdAt: at('07:00'), totalSessions: 1, totalUniqueParticipants: 1, rating: 1 }] },
      { results: [{ startedAt: at('07:30'), endedAt: at('10:00'), totalParticipantMinutes: 150 }] },
      { results: [{ roomSessionId, participantId, displayName: 'Other', joinedAt: at('07:30') }] },
      [{ displayName: 'Other', samples: seriesOf([9]) }],
      { results: [{ minute: at('07:30'), participants: 1, samples: 1, badParticipants: 1 }] },
    ]);
  });
});

describe('the organization', () => {
  const names = ['x-tenant', 'x-tenant-id', 'x-organization', 'x-organization-id', 'organizationid', 'client_id'];
  const headers = Object.fromEntries([...names.map((name) => [name, victim]), ['cookie', `client_id=${victim}`]]);

  it.each(slots)('comes from the token and never from headers or body: %s %s', async (name, queryOf) => {
    const body = { organizationId: victim, tenantId: victim, client_id: victim };

    const answer = await call('GET', pathOf(name, queryOf(foreign)), { headers, body });

    expect(answer.text).toBe(name === 'participant' ? '[]' : '{"results":[],"cursor":null}');
  });

  it.each(Object.entries(paths))('cannot be set in the query of %s', async (_, path) => {
    for (const name of ['organizationId', 'tenantId', 'client_id', 'organization', 'org']) {
      expect((await call('GET', `${path}?${name}=${victim}`)).status).toBe(400);
    }
  });

  it('cannot be reached by names that concatenate to its keys', async () => {
    const [short, id, externalId] = [organization(), randomUUID(), `crm-${randomUUID()}`];
    const one = sessionOf(short, { roomName: `/#${id}`, roomSessionId: id });
    const two = sessionOf(short, { roomName: '/' });
    await tellerOf(short)(
      one.joined('p', '09:00', { externalId: `${two.roomSessionId}#${externalId}` }),
      two.joined(`${id}#p`, '09:00', { externalId: 'another' }),
    );
    const { participants, roomSessions } = insightsOf(short);
    const nothing = { results: [], cursor: null };

    expect(await participants({ roomSessionId: two.roomSessionId, externalId })).toEqual(nothing);
    expect(await participants({ externalId })).toEqual(nothing);
    expect((await roomSessions({ roomName: '/' })).results).toHaveLength(1);
    expect((await participants({ roomSessionId: id })).results).toMatchObject([{ participantId: 'p' }]);
  });
});
