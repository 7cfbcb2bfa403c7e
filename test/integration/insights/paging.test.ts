import { describe, expect, it } from 'vitest';
import { insightsOf, pagesOf, sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

const directions = ['asc', 'desc'] as const;
const roomNames = Array.from({ length: 12 }, (_, index) => `/room-${String(index).padStart(2, '0')}`);
const hour = (index: number) => `${String(index).padStart(2, '0')}:00`;

describe.concurrent('a page of insights', () => {
  it.each(directions)(
    'that is exactly full has a next page only if more follow, also between values and nulls: %s',
    async (direction) => {
      const acme = organization();
      const created = (index: number, endAt?: string) =>
        sessionOf(acme, { roomName: String(roomNames[index]) }).created(hour(index), endAt);
      await tellerOf(acme)(
        ...[0, 1, 2].map((index) => created(index, '20:00')),
        ...[3, 4, 5].map((index) => created(index)),
      );
      const withEnd = direction === 'asc' ? [0, 1, 2] : [2, 1, 0];
      const expected = [...withEnd, 3, 4, 5].map((index) => String(roomNames[index]));

      for (const limit of [1, 2, 3, 4, 5, 6]) {
        const pages = await pagesOf(insightsOf(acme).rooms, { sortBy: `endAt:${direction}`, limit });

        expect(pages.flatMap(({ results }) => results.map(({ roomName }) => roomName))).toEqual(expected);
        expect(pages).toHaveLength(Math.ceil(6 / limit));
      }
    },
  );

  it.each(directions)('can be read again from its cursor with any limit: %s', async (direction) => {
    const acme = organization();
    const { rooms } = insightsOf(acme);
    await tellerOf(acme)(...roomNames.map((roomName, index) => sessionOf(acme, { roomName }).created(hour(index))));
    const sortBy = `createdAt:${direction}`;
    const inOrder = (await rooms({ sortBy, limit: 100 })).results;
    const { cursor } = await rooms({ sortBy, limit: 5 });

    for (const limit of [1, 3, 1, 100]) {
      expect((await rooms({ sortBy, limit, cursor: String(cursor) })).results).toEqual(inOrder.slice(5, 5 + limit));
    }
  });

  it.each([{ ids: [] }, { ids: ['p-1', 'p-2', 'p-3'] }])(
    'sorted by leave time lists everybody if nobody has left: $ids',
    async ({ ids }) => {
      const acme = organization();
      const session = sessionOf(acme);
      await tellerOf(acme)(session.started('09:00'), ...ids.map((id) => session.joined(id, '09:00')));
      const { roomSessionId } = session;

      for (const direction of directions) {
        const pages = await pagesOf(insightsOf(acme).participants, {
          roomSessionId,
          sortBy: `leftAt:${direction}`,
          limit: 1,
        });
        expect(pages.flatMap(({ results }) => results.map(({ participantId }) => participantId))).toEqual(ids);
      }
    },
  );
});

describe.concurrent('reading pages while figures change', () => {
  it.each(directions)('returns each room with an unchanged last use once: %s', async (direction) => {
    const acme = organization();
    const { rooms } = insightsOf(acme);
    const tell = tellerOf(acme);
    const used = (index: number, time: string) => sessionOf(acme, { roomName: String(roomNames[index]) }).started(time);
    await tell(...roomNames.map((_, index) => used(index, hour(2 + index))));
    const sortBy = `lastSessionStartedAt:${direction}`;
    const inOrder = (await rooms({ sortBy, limit: 100 })).results.map(({ roomName }) => roomNames.indexOf(roomName));
    const [read, unread] = [inOrder.slice(0, 4), inOrder.slice(4)];

    const first = await rooms({ sortBy, limit: 4 });
    const moved = [read[1], read[3], unread[0], unread[5]].map(Number); // includes the neighbours of the position on both sides
    const newcomers = ['00:30', '03:30', '09:30', '23:30'].map((time, index) =>
      sessionOf(acme, { roomName: `/new-${index}` }).started(time),
    );
    const joins = roomNames.map((roomName) => sessionOf(acme, { roomName }).created('00:10', '23:59')); // not relevant here
    await tell(...moved.map((index) => used(index, '20:00')), ...newcomers, ...joins);
    const others = await pagesOf(rooms, { sortBy, limit: 4, cursor: String(first.cursor) });

    const seen = [first, ...others].flatMap(({ results }) => results.map(({ roomName }) => roomName));
    const stayed = inOrder.filter((index) => !moved.includes(index)).map((index) => roomNames[index]);
    expect(seen.filter((name) => stayed.includes(name))).toEqual(stayed);
    const ahead = direction === 'asc' ? moved : [];
    for (const index of ahead) expect(seen.filter((name) => name === roomNames[index]).length).toBeGreaterThan(0);
  });

  it.each(directions)('returns each person whose leave time does not change once: %s', async (direction) => {
    const acme = organization();
    const session = sessionOf(acme);
    const tell = tellerOf(acme);
    const ids = Array.from({ length: 12 }, (_, index) => `p-${String(index).padStart(2, '0')}`);
    const gone = ids.slice(0, 6);
    await tell(
      ...ids.map((id) => session.joined(id, '09:00')),
      ...gone.map((id, index) => session.left(id, `09:1${index}`)),
    );
    const query = { roomSessionId: session.roomSessionId, sortBy: `leftAt:${direction}` };
    const { participants } = insightsOf(acme);

    const first = await participants({ ...query, limit: 4 });
    // On pages still unread, one person leaves in the past and one just now. One comes back, and one is new.
    await tell(session.left('p-07', '09:01'), session.left('p-08', '09:59'), session.joined('p-03', '10:00'));
    await tell(session.joined('p-99', '10:01'), session.joined('p-98', '09:00'), session.left('p-98', '09:05'));
    const others = await pagesOf(participants, { ...query, limit: 4, cursor: String(first.cursor) });

    const seen = [first, ...others].flatMap(({ results }) => results.map(({ participantId }) => participantId));
    const stayed = ids.filter((id) => !['p-07', 'p-08', 'p-03'].includes(id));
    expect(seen.filter((id) => stayed.includes(id)).toSorted()).toEqual(stayed);
  });

  it('returns a session sorted by minutes in its old place with its new figures', async () => {
    const acme = organization();
    const { roomSessions } = insightsOf(acme);
    const tell = tellerOf(acme);
    const sessions = [1, 2, 3].map(() => sessionOf(acme));
    await tell(
      ...sessions.flatMap((session, index) => [session.joined('p-1', '09:00'), session.left('p-1', `09:1${index}`)]),
    );
    const query = { roomName: '/daily', sortBy: 'totalParticipantMinutes:asc', limit: 1 };

    const first = await roomSessions(query);
    await tell(...(sessions[2] ? [sessions[2].joined('p-2', '10:00'), sessions[2].left('p-2', '11:00')] : []));
    const others = await pagesOf(roomSessions, { ...query, cursor: String(first.cursor) });

    const seen = [first, ...others].flatMap(({ results }) => results);
    expect(seen.map(({ totalParticipantMinutes }) => totalParticipantMinutes)).toEqual([10, 11, 72]);
    expect(seen.map(({ roomSessionId }) => roomSessionId)).toEqual(sessions.map(({ roomSessionId }) => roomSessionId));
  });
});
