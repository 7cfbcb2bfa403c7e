import { describe, expect, it } from 'vitest';
import {
  at,
  insightsOf,
  type Query,
  type SessionTeller,
  sessionOf,
  tellerOf,
} from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

/** A new organization with one session: functions that send its events and that read its current insights. */
function oneSession() {
  const acme = organization();
  const session = sessionOf(acme);
  const insights = insightsOf(acme);
  const { roomName, roomSessionId } = session;
  return {
    acme,
    session,
    tell: tellerOf(acme),
    room: async () => (await insights.rooms()).results[0],
    sessionInsight: async () => (await insights.roomSessions({ roomName, roomSessionId })).results[0],
    people: async (query: Query = {}) => (await insights.participants({ roomSessionId, ...query })).results,
    stay: async (participantId = 'p-1') => {
      const { results } = await insights.participants({ roomSessionId });
      const { joinedAt, leftAt } = results.find((each) => each.participantId === participantId) ?? {};
      return [joinedAt, leftAt];
    },
    connections: async (participantId = 'p-1') =>
      (await insights.participant({ roomSessionId, participantId })).map(({ timeStamp }) => timeStamp),
  };
}

describe.concurrent('a late event', () => {
  it('completes the connection if a join arrives after its leave', async () => {
    const { session, tell, people, stay, sessionInsight } = oneSession();

    await tell(session.left('p-1', '09:10:30'));
    expect(await people()).toEqual([]);
    expect(await sessionInsight()).toMatchObject({ startedAt: at('09:10:30'), totalUniqueParticipants: 0 });

    await tell(session.joined('p-1', '09:00'));
    expect(await stay()).toEqual([at('09:00'), at('09:10:30')]);
    expect(await sessionInsight()).toMatchObject({ startedAt: at('09:00'), totalParticipantMinutes: 11 });
  });

  it('ends the connection if a leave arrives after the end of the session, in place of the session', async () => {
    const { session, tell, stay, sessionInsight, room } = oneSession();

    await tell(session.joined('p-1', '09:00'), session.joined('p-2', '09:00'), session.ended('10:00'));
    expect(await stay()).toEqual([at('09:00'), at('10:00')]);
    expect(await sessionInsight()).toMatchObject({ endedAt: at('10:00'), totalParticipantMinutes: 120 });

    await tell(session.left('p-1', '09:30'), session.left('p-2', '10:00:02'));
    expect(await stay()).toEqual([at('09:00'), at('09:30')]);
    expect(await stay('p-2')).toEqual([at('09:00'), at('10:00:02')]);
    expect(await sessionInsight()).toMatchObject({ endedAt: at('10:00'), totalParticipantMinutes: 30 + 61 });
    expect(await room()).toMatchObject({ totalParticipantMinutes: 91, totalUniqueParticipants: 2 });
  });

  it('moves the end of a session, and of the connections it ends, if a later end arrives', async () => {
    const { session, tell, stay, sessionInsight } = oneSession();

    await tell(session.joined('p-1', '09:00'), session.ended('10:00'));
    await tell(session.ended('09:30'));
    expect(await stay()).toEqual([at('09:00'), at('10:00')]);
    await tell(session.ended('11:00'));

    expect(await stay()).toEqual([at('09:00'), at('11:00')]);
    expect(await sessionInsight()).toMatchObject({ endedAt: at('11:00'), totalParticipantMinutes: 120 });
  });

  it('changes every figure that depends on it, even days later', async () => {
    const { session, tell, stay, sessionInsight, room, people } = oneSession();
    const yesterday = '2026-03-01T23:50:00.000Z';
    const someone = { userId: 'user-1' };

    await tell(session.joined('p-1', '09:00', someone), session.left('p-1', '09:01'), session.rated('p-1', '09:01', 5));
    await tell(session.joined('p-2', yesterday, someone), session.rated('p-1', '2026-03-05T00:00:00Z', 2));

    expect(await sessionInsight()).toMatchObject({ startedAt: yesterday, rating: 3.5, totalRatings: 2 });
    expect(await room()).toMatchObject({ firstSessionStartedAt: yesterday, createdAt: yesterday });
    expect(await people()).toMatchObject([
      { participantId: 'p-2', joinedAt: yesterday, leftAt: null },
      { participantId: 'p-1', rating: 2 },
    ]);

    await tell(
      session.ended('2026-03-07T00:00:00Z'),
      session.started('08:59'),
      session.created('2026-02-01T00:00:00Z'),
    );
    expect(await stay('p-2')).toEqual([yesterday, '2026-03-07T00:00:00.000Z']);
    const minutesOfDays = 5 * 24 * 60 + 10;
    expect(await sessionInsight()).toMatchObject({
      startedAt: at('08:59'),
      totalParticipantMinutes: minutesOfDays + 1,
      totalUniqueParticipants: 1,
    });
    expect(await room()).toMatchObject({ createdAt: '2026-02-01T00:00:00.000Z', firstSessionStartedAt: at('08:59') });
  });

  it('moves the start of a session only to an earlier time, and with it the first and last session of the room', async () => {
    const { acme, session, tell, sessionInsight, room } = oneSession();
    const other = sessionOf(acme);

    await tell(session.joined('p-1', '09:00'), other.started('10:00'));
    expect(await room()).toMatchObject({ firstSessionStartedAt: at('09:00'), lastSessionStartedAt: at('10:00') });
    await tell(session.started('11:00'));
    expect(await room()).toMatchObject({ firstSessionStartedAt: at('10:00'), lastSessionStartedAt: at('11:00') });
    await tell(session.started('12:00'), session.started('10:30'));

    expect(await sessionInsight()).toMatchObject({ startedAt: at('10:30') });
    expect(await room()).toMatchObject({ firstSessionStartedAt: at('10:00'), lastSessionStartedAt: at('10:30') });
  });

  it('ends all 45 open connections if it is the end of the session', async () => {
    const { session, tell, people, sessionInsight } = oneSession();
    const ids = Array.from({ length: 45 }, (_, index) => `p-${index}`);

    await tell(...ids.map((id) => session.joined(id, '09:00')));
    await tell(session.ended('09:02'));

    const left = (await people({ limit: 100 })).map(({ leftAt }) => leftAt);
    expect(left).toEqual(ids.map(() => at('09:02')));
    expect(await sessionInsight()).toMatchObject({ totalParticipantMinutes: 90, totalUniqueParticipants: 45 });
  });

  it('counts a rating for the session at once, and for the participant once the join arrives', async () => {
    const { session, tell, people, sessionInsight } = oneSession();

    await tell(session.rated('p-1', '09:30', 4, { tags: ['echo'], comment: 'Hm.' }));
    expect([await people(), (await sessionInsight())?.rating]).toEqual([[], 4]);
    await tell(session.joined('p-1', '09:00'));

    expect(await people()).toMatchObject([{ rating: 4, tags: ['echo'], comment: 'Hm.' }]);
  });
});

describe.concurrent('a participant', () => {
  it('with two simultaneous connections has both counted, and the earlier one ends first', async () => {
    const { session, tell, stay, connections, sessionInsight } = oneSession();

    await tell(session.joined('p-1', '09:00'), session.joined('p-1', '09:05'), session.left('p-1', '09:10'));
    expect(await stay()).toEqual([at('09:00'), null]);
    expect(await sessionInsight()).toMatchObject({ totalParticipantMinutes: 10, totalUniqueParticipants: 1 });
    await tell(session.left('p-1', '09:20'));

    expect(await stay()).toEqual([at('09:00'), at('09:20')]);
    expect(await sessionInsight()).toMatchObject({ totalParticipantMinutes: 25, totalUniqueParticipants: 1 });
    expect(await connections()).toEqual([at('09:00'), at('09:05')]);
  });

  it('who reconnects five times is one person with six connections of a started minute each', async () => {
    const { session, tell, stay, connections, sessionInsight } = oneSession();
    const starts = [0, 1, 2, 3, 4, 5].map((minute) => at(`09:0${minute}:10`));

    const stays = starts.map((start) => [
      session.joined('p-1', start),
      session.left('p-1', start.replace(':10', ':40')),
    ]);
    await tell(...stays.flat().toReversed());

    expect(await stay()).toEqual([at('09:00:10'), at('09:05:40')]);
    expect(await connections()).toEqual(starts);
    expect(await sessionInsight()).toMatchObject({ totalParticipantMinutes: 6, totalUniqueParticipants: 1 });
  });

  const clocks: readonly (readonly [what: string, leave: string, leftAt: string | null, minutes: number])[] = [
    ['3 seconds before its join', '08:59:57', '09:00', 0],
    ['5 seconds before its join', '08:59:55', '09:00', 0],
    ['6 seconds before its join', '08:59:54', null, 0],
    ['at the time of its join', '09:00', '09:00', 0],
    ['a millisecond after its join', '09:00:00.001', '09:00:00.001', 1],
    ['a minute after its join', '09:01', '09:01', 1],
    ['a minute and a millisecond after its join', '09:01:00.001', '09:01:00.001', 2],
  ];
  it.each(clocks)(
    'whose leave is dated %s has the right minutes',
    async (_, leave, leftAt, totalParticipantMinutes) => {
      const { session, tell, stay, sessionInsight } = oneSession();

      await tell(session.joined('p-1', '09:00'), session.left('p-1', leave));

      expect(await stay()).toEqual([at('09:00'), leftAt && at(leftAt)]);
      expect(await sessionInsight()).toMatchObject({ totalParticipantMinutes });
    },
  );

  it('who joined after the end of the session was present for no time', async () => {
    const { session, tell, stay, sessionInsight } = oneSession();

    await tell(session.started('09:00'), session.ended('10:00'), session.joined('p-1', '10:00:05'));

    expect(await stay()).toEqual([at('10:00:05'), at('10:00:05')]);
    expect(await sessionInsight()).toMatchObject({ totalParticipantMinutes: 0, totalUniqueParticipants: 1 });
  });

  it('has the facts of the latest join, and the latest external id of any join', async () => {
    const { session, tell, people } = oneSession();

    await tell(session.joined('p-1', '09:10', { displayName: 'Later', roleName: 'guest', deviceId: 'd-2' }));
    await tell(session.joined('p-1', '09:00', { displayName: 'Early', userId: 'u-1', externalId: 'x-1' }));

    expect(await people()).toMatchObject([
      { displayName: 'Later', deviceId: 'd-2', userId: null, externalId: 'x-1', joinedAt: at('09:00') },
    ]);
  });

  it('who returns as another user counts as two people, and a user with two participants counts as one', async () => {
    const { session, tell, people, sessionInsight } = oneSession();

    await tell(session.joined('p-1', '09:00', { userId: 'u-1' }), session.left('p-1', '09:01'));
    await tell(session.joined('p-1', '09:02', { userId: 'u-2' }), session.joined('p-2', '09:03', { userId: 'u-2' }));

    expect(await people()).toMatchObject([{ participantId: 'p-1', userId: 'u-2' }, { participantId: 'p-2' }]);
    expect(await sessionInsight()).toMatchObject({ totalUniqueParticipants: 2 });
  });

  it('who then becomes a recorder counts as both, and is listed as a participant', async () => {
    const { session, tell, people, sessionInsight } = oneSession();
    const recorder: Parameters<SessionTeller['joined']>[2] = { roleName: 'recorder', displayName: 'Recorder' };

    await tell(session.joined('p-1', '09:00'), session.left('p-1', '09:01'));
    await tell(session.joined('p-1', '09:02', recorder), session.left('p-1', '09:04'));

    expect(await people()).toMatchObject([{ displayName: 'p-1', roleName: 'guest', leftAt: at('09:01') }]);
    expect(await sessionInsight()).toMatchObject({
      ...{ totalParticipantMinutes: 1, totalRecorderMinutes: 2 },
      ...{ totalUniqueParticipants: 1, totalUniqueRecorders: 1 },
    });
  });
});
