import { beforeAll, describe, expect, test } from 'vitest';
import type { SessionParticipant } from '#client/index.ts';
import { describedFetch, roomscribeOf } from '../../support/client/typed-client.ts';
import { listedSessions } from '../../support/http/listing.ts';
import { variedRooms } from '../../support/insights/insight-lists.ts';
import { insightsOf, send, untilCounted } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

describe('a list of transcriptions', () => {
  const acme = organization();
  let requests = 0;
  const { transcriptions } = roomscribeOf(acme, {
    fetch: (input, init) => {
      if (new URL(String(input)).pathname === '/v1/transcriptions') requests += 1;
      return describedFetch(input, init);
    },
  });
  beforeAll(async () => {
    await listedSessions(
      acme,
      Array.from({ length: 12 }, (_, index) => ({
        roomName: '/room',
        startDate: `2026-03-${String(index + 1).padStart(2, '0')}T09:00:00.000Z`,
        durationInSeconds: index,
      })),
    );
  });
  const startsOf = (list: readonly { readonly startDate: string }[]) =>
    list.map(({ startDate }) => startDate.slice(8, 10));

  test('iterates over elements across pages', async () => {
    const seen: string[] = [];
    for await (const { startDate } of transcriptions.list({ limit: 5, sortBy: 'startDate:asc' })) seen.push(startDate);
    expect(seen.map((start) => Number(start.slice(8, 10)))).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
  });

  test('iterates over pages, and continues from a cursor', async () => {
    const sizes: number[] = [];
    for await (const { results } of transcriptions.list({ limit: 5 }).pages()) sizes.push(results.length);
    expect(sizes).toEqual([5, 5, 2]);
    const first = await transcriptions.list({ limit: 5 }).page();
    if (first.cursor === null) throw new Error('The list has no second page.');
    const rest = await transcriptions.list({ limit: 5, cursor: first.cursor }).toArray();
    expect(startsOf([...first.results, ...rest])).toEqual(startsOf(await transcriptions.list().toArray()));
  });

  test('fetches a page only when it is read', async () => {
    requests = 0;
    for await (const { startDate } of transcriptions.list({ limit: 5 })) {
      if (startDate.startsWith('2026-03-07')) break; // the sixth element, on the second page
    }
    expect(requests).toBe(2);
  });

  test('ends between two pages if its signal is aborted', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const reading = async () => {
      for await (const { results } of transcriptions.list({ limit: 5 }, { signal: stop.signal }).pages()) {
        seen.push(results.length);
        stop.abort('enough');
      }
    };
    await expect(reading()).rejects.toBe('enough');
    expect(seen).toEqual([5]);
  });
});

describe('insights from the client', () => {
  const acme = organization();
  const { insights } = roomscribeOf(acme);
  const api = insightsOf(acme);
  beforeAll(async () => {
    const events = variedRooms(acme, 12);
    await send(...events);
    await untilCounted(acme, events);
  });

  test('equal the answers of the API for rooms, sessions, participants and a connection', async () => {
    const rooms = await insights.listRooms({ sortBy: 'totalParticipantMinutes:desc', limit: 5 }).toArray();
    expect(rooms).toHaveLength(12);
    expect(rooms.slice(0, 5)).toEqual((await api.rooms({ sortBy: 'totalParticipantMinutes:desc', limit: 5 })).results);
    const roomName = rooms[0]?.roomName ?? '';
    const sessions = await insights.listRoomSessions({ roomName }).toArray();
    expect(sessions).toEqual((await api.roomSessions({ roomName })).results);
    expect(sessions.length).toBeGreaterThan(0);

    const people: SessionParticipant[] = [];
    for (const { roomSessionId } of sessions) {
      people.push(...(await insights.listParticipants({ roomSessionId, limit: 1 }).toArray()));
    }
    const [person] = people;
    if (!person) throw new Error('The session has no participant.');
    const { roomSessionId, participantId } = person;
    expect((await api.participants({ roomSessionId })).results).toContainEqual(person);
    const details = await insights.getParticipant({ roomSessionId, participantId });
    expect(details).toEqual(await api.participant({ roomSessionId, participantId }));
    expect(details).toHaveLength(1);
  });

  test('are empty for unknown ids', async () => {
    const nobody = roomscribeOf(organization()).insights;
    expect(await nobody.listRooms({ roomNamePrefix: '/' }).toArray()).toEqual([]);
    expect(await nobody.listParticipants({ externalId: 'crm-1' }).page()).toEqual({ results: [], cursor: null });
  });
});
