import { beforeAll, describe, expect, it } from 'vitest';
import type { RoomInsight, RoomSessionInsight, SessionParticipant } from '#shared/contracts/insights/insights.ts';
import {
  participantOrders,
  roomOrders,
  roomSessionOrders,
  sorted,
  tieBreaks,
  variedRooms,
  variedSession,
} from '../../support/insights/insight-lists.ts';
import { insightsOf, type Page, pagesOf, type Query, sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

const limits = [1, 3, 7, 100];

/** Expects pages of every size to form this list. All but the last are full, and only the last has no cursor. */
async function expectPages<Element>(
  list: (query: Query) => Promise<Page<Element>>,
  query: Query,
  expected: readonly Element[],
): Promise<void> {
  for (const limit of limits) {
    const pages = await pagesOf(list, { ...query, limit });
    const sizes = Array.from({ length: Math.ceil(expected.length / limit) }, (_, page) =>
      Math.min(limit, expected.length - page * limit),
    );
    expect(pages.flatMap(({ results }) => results)).toEqual(expected);
    expect(pages.map(({ results }) => results.length)).toEqual(sizes);
    expect(pages.map(({ cursor }) => cursor === null)).toEqual(sizes.map((_, page) => page === sizes.length - 1));
  }
}

const nullable = ['endAt', 'firstSessionStartedAt', 'lastSessionStartedAt', 'endedAt', 'leftAt', 'rating'];

/** Expects ties and different values, without which a wrong order would go unnoticed. */
function expectTiesAndValues(elements: readonly object[], field: string): void {
  const values = elements.map((element) => (element as Record<string, unknown>)[field]);
  const missing = values.filter((value) => value === null);
  expect(missing.length > 1, `${field} is missing`).toBe(nullable.includes(field));
  expect(new Set(values).size, `different values of ${field}`).toBeGreaterThan(1);
  expect(new Set(values).size < values.length, `ties of ${field}`).toBe(field !== 'roomName');
}

describe.concurrent('the list of rooms', () => {
  const acme = organization();
  const insights = insightsOf(acme);
  let all: RoomInsight[];

  beforeAll(async () => {
    await tellerOf(acme)(...variedRooms(acme, 16));
    all = (await insights.rooms({ limit: 100 })).results;
    expect(all).toHaveLength(16);
  });

  it.each(roomOrders)('is sorted by %s:%s', async (...order) => {
    expectTiesAndValues(all, order[0]);
    await expectPages(insights.rooms, { sortBy: order.join(':') }, sorted(all, order, tieBreaks.rooms));
  });

  it('has the last used first and ten per page by default', async () => {
    const { results, cursor } = await insights.rooms();

    expect(results).toEqual(sorted(all, ['lastSessionStartedAt', 'desc'], tieBreaks.rooms).slice(0, 10));
    expect((await insights.rooms({ cursor: String(cursor) })).results).toHaveLength(6);
  });
});

describe.concurrent('the list of the sessions of a room', () => {
  const acme = organization();
  const insights = insightsOf(acme);
  const roomName = '/daily';
  let all: RoomSessionInsight[];

  beforeAll(async () => {
    const sessions = Array.from({ length: 16 }, (_, number) => variedSession(acme, roomName, number));
    await tellerOf(acme)(...sessions.flat(), ...variedSession(acme, '/daily2', 1), ...variedSession(acme, '/', 2));
    all = (await insights.roomSessions({ roomName, limit: 100 })).results;
    expect(all).toHaveLength(16);
  });

  it.each(roomSessionOrders)('is sorted by %s:%s', async (...order) => {
    expectTiesAndValues(all, order[0]);
    const expected = sorted(all, order, tieBreaks.roomSessions);
    await expectPages(insights.roomSessions, { roomName, sortBy: order.join(':') }, expected);
  });

  it('has the newest first and ten per page by default', async () => {
    const { results } = await insights.roomSessions({ roomName });

    expect(results).toEqual(sorted(all, ['startedAt', 'desc'], tieBreaks.roomSessions).slice(0, 10));
  });

  it.each(roomSessionOrders)('has one session and no next page if the query names one: %s:%s', async (...order) => {
    const one = all[7];
    const query = { roomName, roomSessionId: one?.roomSessionId, sortBy: order.join(':'), limit: 1 };

    expect(await insights.roomSessions(query)).toEqual({ results: [one], cursor: null });
  });
});

describe.concurrent('the list of participants', () => {
  const acme = organization();
  const insights = insightsOf(acme);
  const [large, small] = [sessionOf(acme), sessionOf(acme, { roomName: '/other' })];
  const filters: readonly Query[] = [
    { roomSessionId: large.roomSessionId },
    { externalId: 'crm-1' },
    { roomSessionId: large.roomSessionId, externalId: 'crm-1' },
  ];
  let all: SessionParticipant[];

  beforeAll(async () => {
    const comeAndGo = (session: typeof large, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const participantId = `p-${(index * 7) % count}`;
        const joined = session.joined(participantId, `09:0${index % 4}`, { externalId: `crm-${index % 2}` });
        return index % 3 === 0 ? [joined] : [joined, session.left(participantId, `09:1${index % 5}`)];
      }).flat();
    const recorder = large.joined('rec', '09:00', { roleName: 'recorder', externalId: 'crm-1' });
    await tellerOf(acme)(recorder, ...comeAndGo(large, 16), ...comeAndGo(small, 6));
    const queries = [large, small].map(({ roomSessionId }) => insights.participants({ roomSessionId, limit: 100 }));
    all = (await Promise.all(queries)).flatMap(({ results }) => results);
    expect(all).toHaveLength(22);
  });

  const matching = ({ roomSessionId, externalId }: Query) =>
    all
      .filter((each) => roomSessionId === undefined || each.roomSessionId === roomSessionId)
      .filter((each) => externalId === undefined || each.externalId === externalId);

  it.each(participantOrders)('is sorted by %s:%s for a session, an external id and both', async (...order) => {
    for (const filter of filters) {
      const expected = sorted(matching(filter), order, tieBreaks.participants);
      expectTiesAndValues(expected, order[0]);
      await expectPages(insights.participants, { ...filter, sortBy: order.join(':') }, expected);
    }
  });

  it('has the first to join first and ten per page by default', async () => {
    for (const filter of filters) {
      const { results } = await insights.participants(filter);

      expect(results).toEqual(sorted(matching(filter), ['joinedAt', 'asc'], tieBreaks.participants).slice(0, 10));
    }
  });
});
