import { beforeAll, describe, expect, it } from 'vitest';
import { at, insightsOf, sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

const roomName = '/team/standup';
const nothingMissing = { state: 'observed', missing: [] };
const recorderNeverLeft = { state: 'inferred', missing: ['leave'] };
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const ada = { deviceId: 'laptop', userId: 'user-ada', roleName: 'moderator', displayName: 'Ada Kim' };

describe('a room with an ended session and a running one', () => {
  const acme = organization();
  const insights = insightsOf(acme);
  const [ended, live] = [sessionOf(acme, { roomName }), sessionOf(acme, { roomName })];

  beforeAll(async () => {
    await tellerOf(acme)(
      ended.created('08:00', '2026-03-03T01:00:00+01:00'),
      ended.started('09:00'),
      ended.joined('p-1', '2026-03-02T10:00:07.25+01:00', { ...ada, externalId: 'crm-1', userAgent: firefox }),
      ended.joined('p-2', '09:01', { displayName: 'Bob', deviceId: 'phone' }),
      ended.left('p-2', '09:01:59.999'), // 1 minute
      ended.joined('p-2', '09:02', { displayName: 'Bob again', deviceId: 'phone' }),
      ended.left('p-2', '09:03'), // 1 minute
      ended.joined('rec', '09:00', { roleName: 'recorder', deviceId: 'recorder' }), // 32 minutes: until the session's end
      ended.joined('live', '09:10', { roleName: 'streamer', deviceId: 'streamer' }),
      ended.left('live', '09:20:00.001'), // 11 minutes
      ended.joined('cap', '09:10', { roleName: 'captioner', deviceId: 'captioner' }), // counts as nobody
      ended.sampled('p-1', '09:00:11.250', [0.5, null, 2]),
      ended.rated('p-1', '09:29', 1, { comment: 'It freezes.' }),
      ended.rated('p-1', '09:30', 4, { tags: ['audio', 'video'], comment: 'Better now.' }),
      ended.rated('p-2', '09:30', 2.5),
      ended.left('p-1', '09:30:40'), // 31 minutes
      ended.ended('09:31:12'),
      live.started('10:00'),
      live.joined('p-9', '10:00:30', { ...ada, deviceId: 'tablet' }),
      live.joined('p-3', '10:05', { displayName: 'Cleo', externalId: 'crm-3' }),
      live.left('p-3', '10:06'), // 1 minute
      live.joined('rec', '10:00', { roleName: 'recorder', deviceId: 'recorder' }),
    );
  });

  it('is one room with summed minutes, and counts each person once', async () => {
    expect(await insights.rooms()).toEqual({
      results: [
        {
          roomName,
          createdAt: at('08:00'),
          endAt: '2026-03-03T00:00:00.000Z',
          firstSessionStartedAt: at('09:00'),
          lastSessionStartedAt: at('10:00'),
          totalParticipantMinutes: 34,
          totalRecorderMinutes: 32,
          totalStreamerMinutes: 11,
          totalUniqueParticipants: 3, // Ada is in both
          totalUniqueRecorders: 1,
          totalUniqueStreamers: 1,
          totalSessions: 2,
          rating: 2.5,
          totalRatings: 3,
          completeness: recorderNeverLeft,
          asOf: at('10:06'),
        },
      ],
      cursor: null,
    });
  });

  it('has two sessions, the latest first, and the running one has no end and no minutes of present people', async () => {
    const { results, cursor } = await insights.roomSessions({ roomName });

    expect(cursor).toBeNull();
    const ofRoom = { createdAt: at('08:00'), endAt: '2026-03-03T00:00:00.000Z' };
    expect(results).toEqual([
      {
        ...ofRoom,
        ...{ roomSessionId: live.roomSessionId, roomName, startedAt: at('10:00'), endedAt: null },
        ...{ totalParticipantMinutes: 1, totalRecorderMinutes: 0, totalStreamerMinutes: 0 },
        ...{ totalUniqueParticipants: 2, totalUniqueRecorders: 1, totalUniqueStreamers: 0 },
        ...{
          rating: null,
          totalRatings: 0,
          spokenSeconds: null,
          spokenSource: null,
          completeness: nothingMissing,
          asOf: at('10:06'),
        },
      },
      {
        ...ofRoom,
        ...{ roomSessionId: ended.roomSessionId, roomName, startedAt: at('09:00'), endedAt: at('09:31:12') },
        ...{ totalParticipantMinutes: 33, totalRecorderMinutes: 32, totalStreamerMinutes: 11 },
        ...{ totalUniqueParticipants: 2, totalUniqueRecorders: 1, totalUniqueStreamers: 1 },
        ...{ rating: 2.5, totalRatings: 3, spokenSeconds: null, spokenSource: null },
        ...{ completeness: recorderNeverLeft, asOf: at('09:31:12') },
      },
    ]);
    expect(await insights.roomSessions({ roomName, roomSessionId: ended.roomSessionId.toUpperCase() })).toEqual({
      results: [results[1]],
      cursor: null,
    });
  });

  it('lists the people of the ended session without recorder and streamer', async () => {
    expect(await insights.participants({ roomSessionId: ended.roomSessionId })).toEqual({
      results: [
        {
          ...{ roomSessionId: ended.roomSessionId, participantId: 'p-1', ...ada, externalId: 'crm-1' },
          ...{ joinedAt: at('09:00:07.250'), leftAt: at('09:30:40') },
          ...{ rating: 4, tags: ['audio', 'video'], comment: 'Better now.' },
          ...{ spokenSeconds: null, spokenSource: null, completeness: nothingMissing, asOf: at('09:30:40') },
        },
        {
          ...{ roomSessionId: ended.roomSessionId, participantId: 'p-2', deviceId: 'phone', userId: null },
          ...{ roleName: 'guest', displayName: 'Bob again', externalId: null },
          ...{ joinedAt: at('09:01'), leftAt: at('09:03'), rating: 2.5, tags: [], comment: null },
          ...{ spokenSeconds: null, spokenSource: null, completeness: nothingMissing, asOf: at('09:30') },
        },
      ],
      cursor: null,
    });
  });

  it('lists the people of the running session, without a leave time for those present', async () => {
    expect(await insights.participants({ roomSessionId: live.roomSessionId })).toEqual({
      results: [
        {
          ...{ roomSessionId: live.roomSessionId, participantId: 'p-9', ...ada, deviceId: 'tablet', externalId: null },
          ...{ joinedAt: at('10:00:30'), leftAt: null, rating: null, tags: [], comment: null },
          ...{ spokenSeconds: null, spokenSource: null, completeness: nothingMissing, asOf: at('10:00:30') },
        },
        {
          ...{ roomSessionId: live.roomSessionId, participantId: 'p-3', deviceId: 'device-p-3', userId: null },
          ...{ roleName: 'guest', displayName: 'Cleo', externalId: 'crm-3' },
          ...{ joinedAt: at('10:05'), leftAt: at('10:06'), rating: null, tags: [], comment: null },
          ...{ spokenSeconds: null, spokenSource: null, completeness: nothingMissing, asOf: at('10:06') },
        },
      ],
      cursor: null,
    });
  });

  it('returns the connections of each participant and of the recorder, with their events and samples', async () => {
    const { roomSessionId } = ended;
    const none = { packetLossSend: [], packetLossRecv: [], bitrateSend: [], bitrateRecv: [] };
    const taken = [null, null, 0.5, null, 2];

    expect(await insights.participant({ roomSessionId, participantId: 'p-1' })).toEqual([
      {
        ...{ displayName: 'Ada Kim', userRole: 'moderator', userAgent: firefox },
        ...{ timeStamp: at('09:00:07.250'), samplesFrom: at('09:00:07.250'), sampleRateMs: 2000 },
        samples: { packetLossSend: taken, packetLossRecv: taken, bitrateSend: taken, bitrateRecv: taken },
        events: [
          { type: 'joined', timeStamp: at('09:00:07.250') },
          { type: 'rated', timeStamp: at('09:29') },
          { type: 'rated', timeStamp: at('09:30') },
          { type: 'left', timeStamp: at('09:30:40') },
        ],
      },
    ]);
    expect(await insights.participant({ roomSessionId, participantId: 'p-2' })).toEqual(
      [
        {
          ...{ displayName: 'Bob', timeStamp: at('09:01'), samplesFrom: at('09:01') },
          events: [
            { type: 'joined', timeStamp: at('09:01') },
            { type: 'left', timeStamp: at('09:01:59.999') },
          ],
        },
        {
          ...{ displayName: 'Bob again', timeStamp: at('09:02'), samplesFrom: at('09:02') },
          events: [
            { type: 'joined', timeStamp: at('09:02') },
            { type: 'left', timeStamp: at('09:03') },
            { type: 'rated', timeStamp: at('09:30') },
          ],
        },
      ].map((each) => ({ ...each, userRole: 'guest', userAgent: '', sampleRateMs: 2000, samples: none })),
    );
    expect(await insights.participant({ roomSessionId, participantId: 'rec' })).toMatchObject([
      // The session ended the connection.
      { userRole: 'recorder', timeStamp: at('09:00'), events: [{ type: 'joined', timeStamp: at('09:00') }] },
    ]);
  });
});

describe('a room', () => {
  const unused = {
    ...{ firstSessionStartedAt: null, lastSessionStartedAt: null, totalSessions: 0 },
    ...{ totalParticipantMinutes: 0, totalRecorderMinutes: 0, totalStreamerMinutes: 0 },
    ...{ totalUniqueParticipants: 0, totalUniqueRecorders: 0, totalUniqueStreamers: 0 },
    ...{ rating: null, totalRatings: 0, completeness: nothingMissing, asOf: at('09:00') },
  };

  it('is listed without sessions if nobody entered it', async () => {
    const acme = organization();
    const { created } = sessionOf(acme, { roomName });
    await tellerOf(acme)(created('09:00', '11:00'), created('08:00'), created('08:30', '12:00'));

    expect(await insightsOf(acme).rooms()).toEqual({
      results: [{ roomName, createdAt: at('08:00'), endAt: at('11:00'), ...unused }],
      cursor: null,
    });
    expect(await insightsOf(acme).roomSessions({ roomName })).toEqual({ results: [], cursor: null });
  });

  it('has no end if its latest creation names none', async () => {
    const acme = organization();
    const { created } = sessionOf(acme, { roomName });
    await tellerOf(acme)(created('08:00', '12:00'), created('09:00'));

    expect((await insightsOf(acme).rooms()).results).toEqual([
      { roomName, createdAt: at('08:00'), endAt: null, ...unused },
    ]);
  });

  it('without a creation event exists since the first event of its first session', async () => {
    const acme = organization();
    const session = sessionOf(acme, { roomName });
    await tellerOf(acme)(session.joined('p-1', '09:05'), session.rated('p-1', '09:03', 5));

    expect((await insightsOf(acme).rooms()).results).toMatchObject([
      { createdAt: at('09:03'), firstSessionStartedAt: at('09:03'), lastSessionStartedAt: at('09:03'), endAt: null },
    ]);
    expect((await insightsOf(acme).roomSessions({ roomName })).results).toMatchObject([
      { startedAt: at('09:03'), endedAt: null, totalUniqueParticipants: 1, totalRatings: 1 },
    ]);
  });
});
