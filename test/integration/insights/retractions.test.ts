import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { at, insightsOf, send, sessionOf, untilCounted } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

describe.concurrent('a retraction', () => {
  it('takes back an end that a wrong clock has dated decades ahead', async () => {
    const acme = organization();
    const session = sessionOf(acme);
    const { roomName } = session;
    const wrong = session.ended('2060-01-01T00:00:00Z');
    const events = [session.started('09:00'), session.joined('p-1', '09:00'), wrong, session.ended('09:30')];
    await send(...events);
    await untilCounted(acme, events);
    expect((await insightsOf(acme).rooms()).results[0]?.totalParticipantMinutes).toBeGreaterThan(10_000_000);

    const retraction = session.retracted(wrong);
    await send(retraction, retraction);
    await untilCounted(acme, [...events, retraction]);
    expect((await insightsOf(acme).rooms()).results).toMatchObject([{ totalParticipantMinutes: 30 }]);
    expect((await insightsOf(acme).roomSessions({ roomName })).results).toMatchObject([{ endedAt: at('09:30') }]);
  });

  it('uncounts a visitor in the session and the room, and hides the connection, before or after the join arrives', async () => {
    const acme = organization();
    const [one, two] = [sessionOf(acme), sessionOf(acme)];
    const { roomSessionId } = one;
    const wrong = one.joined('p-1', '09:00', { userId: 'u-1' });
    const late = two.joined('p-1', '09:00', { userId: 'u-2' });
    const known = [two.retracted(late), one.started('09:00'), two.joined('p-2', '09:00', { userId: 'u-3' }), wrong];
    await send(...known);
    await untilCounted(acme, known);
    expect((await insightsOf(acme).rooms()).results).toMatchObject([{ totalUniqueParticipants: 2, totalSessions: 2 }]);

    const events = [...known, late, one.retracted(wrong)];
    await send(...events.slice(known.length));
    await untilCounted(acme, events);
    expect((await insightsOf(acme).rooms()).results).toMatchObject([{ totalUniqueParticipants: 1, totalSessions: 2 }]);
    expect(await insightsOf(acme).participant({ roomSessionId, participantId: 'p-1' })).toEqual([]);
    expect((await insightsOf(acme).participants({ roomSessionId })).results).toEqual([]);
  });

  it('that names only a session takes back the events of every room with the session id, before or after they arrive', async () => {
    const acme = organization();
    const one = sessionOf(acme, { roomName: '/one' });
    const two = sessionOf(acme, { ...one, roomName: '/two' });
    const { roomSessionId } = one;
    const wrong = one.joined('p-1', '09:00');
    const sameId = { ...two.joined('p-2', '09:10'), id: wrong.id };
    const known = [one.started('09:00'), wrong, two.started('09:10'), two.joined('p-3', '09:10')];
    await send(...known);
    await untilCounted(acme, known);

    const retraction = one.retracted(wrong, { roomName: undefined });
    const late = [retraction, sameId, retraction, one.ended('10:00'), two.ended('10:00')];
    await send(...late);
    await untilCounted(acme, [...known, ...late]);
    const { results } = await insightsOf(acme).rooms({ sortBy: 'roomName:asc' });
    expect(results.map(({ totalUniqueParticipants }) => totalUniqueParticipants)).toEqual([0, 1]);
    expect(await insightsOf(acme).participant({ roomSessionId, participantId: 'p-2' })).toEqual([]);
  });

  it('of everything that is known hides the room, also in the order of names', async () => {
    const acme = organization();
    const [gone, kept] = [sessionOf(acme, { roomName: '/a' }), sessionOf(acme, { roomName: '/b' })];
    const events = [gone.created('08:00'), gone.started('09:00'), kept.started('09:00')];
    await send(...events);
    await untilCounted(acme, events); // without it, the room could come after the look below
    const creation = gone.retracted({ id: events[0]?.id ?? '' }, { roomSessionId: undefined });
    const retractions = [creation, gone.retracted({ id: events[1]?.id ?? '' })];
    await send(...retractions);
    await untilCounted(acme, [...events, ...retractions]);
    // The count knows no room /a any more, and so it does not wait until the API hides it.
    await eventually(async () => {
      const page = await insightsOf(acme).rooms({ sortBy: 'roomName:asc', limit: '1' });
      expect(page).toMatchObject({ results: [{ roomName: '/b' }], cursor: null });
    });
    expect((await insightsOf(acme).roomSessions({ roomName: '/a' })).results).toEqual([]);
  });
});
