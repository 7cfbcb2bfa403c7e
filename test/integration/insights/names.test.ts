import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { clientOf, issuePaths } from '../../support/http/checked-api.ts';
import { at, insightsOf, pagesOf, pathOf, paths, send, sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

/** Names that could be confused with another name or with a separator. Names of rooms get a leading slash. */
const oddities = [
  'café', // one code point for the é
  'cafe\u0301', // two
  '🎙️ запись 会議 👩‍👩‍👧',
  '\u202eשלום\u202c',
  'a%2Fb',
  'a/b',
  'a%252Fb',
  'a?b#c',
  '?#%2F',
  'a+b',
  'a b',
  'a%20b',
  ' a ',
  'A',
  'a',
  'a#b',
  'client',
  'visitor\u0001participant',
  '"quoted"&x=<y>',
  '../..',
  '__proto__',
  'null',
  '\ufeff',
  '\uffff',
  '\u007f\u0085\u2028',
] as const;
const longest = [`${'é'.repeat(255)}a`, '\u0001'.repeat(511), `${'🎸'.repeat(127)}abc`];

/** Names of rooms, sorted by their bytes. */
const inOrder = (names: readonly string[]) =>
  names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

describe('the name of a room', () => {
  const names = inOrder([...oddities, ...longest, ''].map((name) => `/${name}`));

  it('is returned unchanged, matches no other name and is sorted by its bytes', async () => {
    const acme = organization();
    const insights = insightsOf(acme);
    const sessions = names.map((roomName) => sessionOf(acme, { roomName }));
    await tellerOf(acme)(...sessions.map((session) => session.joined('p-1', '09:00')));

    for (const { roomName, roomSessionId } of sessions) {
      expect(await insights.roomSessions({ roomName })).toMatchObject({ results: [{ roomName, roomSessionId }] });
    }
    const pages = await pagesOf(insights.rooms, { sortBy: 'createdAt:asc', limit: 1 });
    expect(pages.flatMap(({ results }) => results.map(({ roomName }) => roomName))).toEqual(names);
  });

  it('may be form-encoded, with a plus for a space', async () => {
    const acme = organization();
    await tellerOf(acme)(sessionOf(acme, { roomName: '/a b' }).started('09:00'));

    const answer = await clientOf(acme)('GET', `${paths.roomSessions}?roomName=%2Fa+b`);

    expect(JSON.parse(answer.text).results).toHaveLength(1);
  });

  it('and a session id shared by two rooms make two sessions', async () => {
    const acme = organization();
    const insights = insightsOf(acme);
    const one = sessionOf(acme, { roomName: '/one' });
    const { roomSessionId } = one;
    const two = sessionOf(acme, { roomName: '/two', roomSessionId });
    await send(one.joined('p-1', '09:00'), one.ended('09:30'), two.joined('p-1', '09:10'));

    const ofRoom = async (roomName: string) => (await insights.roomSessions({ roomName, roomSessionId })).results;
    await eventually(async () => {
      expect(await ofRoom('/one')).toMatchObject([{ endedAt: at('09:30'), totalParticipantMinutes: 30 }]);
      expect(await ofRoom('/two')).toMatchObject([{ endedAt: null, totalUniqueParticipants: 1 }]);
    });
    const { results } = await insights.participants({ roomSessionId });
    expect(results.map(({ leftAt }) => leftAt)).toEqual([at('09:30'), null]);
    expect(await insights.participant({ roomSessionId, participantId: 'p-1' })).toMatchObject([
      { timeStamp: at('09:00') },
      { timeStamp: at('09:10') },
    ]);
  });

  it('finds a session by its id in any case', async () => {
    const acme = organization();
    const session = sessionOf(acme, { roomSessionId: 'ABCDEF00-0000-4000-8000-00000000ABCD' });
    const same = sessionOf(acme, { roomSessionId: session.roomSessionId.toLowerCase() });
    await tellerOf(acme)(session.joined('p-1', '09:00'), same.left('p-1', '09:05'), session.ended('09:10'));

    const { roomName, roomSessionId } = same;
    const { results } = await insightsOf(acme).roomSessions({ roomName });
    expect(results).toMatchObject([{ roomSessionId, totalParticipantMinutes: 5 }]);
    expect(await insightsOf(acme).participants({ roomSessionId: session.roomSessionId })).toMatchObject({
      results: [{ roomSessionId, leftAt: at('09:05') }],
    });
  });

  it.each([
    ['513 bytes', `/${'x'.repeat(512)}`],
    ['257 characters of 513 bytes', `/${'é'.repeat(256)}`],
    ['with a NUL', '/nul\0'],
  ])('is rejected: %s', async (_, roomName) => {
    const answer = await clientOf(organization())('GET', pathOf('roomSessions', { roomName }));

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['roomName']]);
  });

  it('is rejected with a lone surrogate in any encoding', async () => {
    const call = clientOf(organization());

    expect((await call('GET', `${paths.roomSessions}?roomName=/%ED%A0%80`)).status).toBe(400);
    expect((await call('GET', `${paths.roomSessions}?roomName=/%uD800`)).status).toBe(400);
  });
});

describe('participant ids and external ids', () => {
  const ids = [...oddities, 'x'.repeat(256), 'é'.repeat(128), '🎸'.repeat(64), '\u0001'.repeat(256)];

  it('are returned unchanged and match nobody else', async () => {
    const acme = organization();
    const insights = insightsOf(acme);
    const session = sessionOf(acme);
    const { roomSessionId } = session;
    await tellerOf(acme)(
      ...ids.map((id, index) =>
        session.joined(id, '09:00', {
          externalId: id,
          userId: id,
          deviceId: id,
          displayName: `Nr ${index}`,
          roleName: id.slice(0, 64),
        }),
      ),
    );

    for (const [index, id] of ids.entries()) {
      const one = { participantId: id, externalId: id, userId: id, deviceId: id, displayName: `Nr ${index}` };
      expect((await insights.participants({ externalId: id })).results).toMatchObject([one]);
      expect((await insights.participants({ externalId: id, roomSessionId })).results).toMatchObject([one]);
      const details = await insights.participant({ roomSessionId, participantId: id });
      expect(details.map(({ displayName }) => displayName)).toEqual([`Nr ${index}`]);
    }
  });

  it('work in cursors with the longest names of people and rooms', async () => {
    const acme = organization();
    const rooms = longest.map((name) => sessionOf(acme, { roomName: `/${name}` }));
    const externalId = '\u0001'.repeat(256);
    const joins = rooms.flatMap((room) =>
      [...'ab'].map((end) =>
        room.joined(`${'\u0001'.repeat(255)}${end}`, '09:00', { externalId, deviceId: externalId }),
      ),
    );
    await tellerOf(acme)(...joins);

    const pages = await pagesOf(insightsOf(acme).participants, { externalId, limit: 1 });

    const found = pages.flatMap(({ results }) => results.map((each) => `${each.roomSessionId} ${each.participantId}`));
    expect(found.toSorted()).toEqual(joins.map(({ data }) => `${data.roomSessionId} ${data.participantId}`).toSorted());
  });
});
