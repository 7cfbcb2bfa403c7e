import { describe, expect, it } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { recount } from '#tools/simulation/recount.ts';
import { acme, at, daily, joined, later, left, platformEvent, rated } from './platform-events.ts';

const roomOf = (events: readonly PlatformEvent[], name = daily.roomName) =>
  recount(acme, events).rooms.find(({ roomName }) => roomName === name);
const sessionOf = (events: readonly PlatformEvent[], { roomName, roomSessionId } = daily) =>
  recount(acme, events)
    .sessionsOf(roomName)
    .find((session) => session.roomSessionId === roomSessionId);
const participantsOf = (events: readonly PlatformEvent[]) => recount(acme, events).participantsOf(daily.roomSessionId);

const created = (time: string, endAt?: string, id?: string) =>
  platformEvent('room.created', time, { roomName: daily.roomName, endAt }, id === undefined ? {} : { id });
const started = (time: string, session = daily) => platformEvent('room.session.started', time, session);
const ended = (time: string, session = daily) => platformEvent('room.session.ended', time, session);

describe('minutes', () => {
  it('round up each connection before adding', () => {
    const events = [joined('ann', '09:00'), left('ann', '09:00:01'), joined('ann', '09:10'), left('ann', '09:11:30')];

    expect(sessionOf(events)).toMatchObject({ totalParticipantMinutes: 1 + 2 });
    expect(roomOf(events)).toMatchObject({ totalParticipantMinutes: 3 });
  });

  it('keep whole minutes as they are', () => {
    const events = [joined('ann', '09:00'), left('ann', '09:02')];

    expect(sessionOf(events)).toMatchObject({ totalParticipantMinutes: 2 });
  });

  it('are counted by role', () => {
    const events = [
      ...[joined('ann', '09:00'), left('ann', '09:01')],
      ...[joined('rec', '09:00', { roleName: 'recorder' }), left('rec', '09:02')],
      ...[joined('str', '09:00', { roleName: 'streamer' }), left('str', '09:03')],
      ...[joined('cap', '09:00', { roleName: 'captioner' }), left('cap', '09:08')],
      ...[joined('Recorder', '09:00', { roleName: 'Recorder' }), left('Recorder', '09:04')],
    ];

    expect(sessionOf(events)).toMatchObject({
      totalParticipantMinutes: 1 + 4,
      totalRecorderMinutes: 2,
      totalStreamerMinutes: 3,
    });
  });
});

describe('talk time', () => {
  it('is the sum of all updates, of which a later one of the participant replaces those with its id', () => {
    const spoke = (id: string, time: string, spokenSeconds: number, participantId = 'ann') =>
      platformEvent('room.client.updated', time, { ...daily, participantId, spokenSeconds }, { id });
    const events = [
      spoke('a', '09:30', 1.5),
      spoke('a', '09:10', 60),
      spoke('b', '09:20', 2),
      spoke('a', '09:40', 3, 'bob'),
    ];
    expect(sessionOf([joined('ann', '09:00'), ...events])).toMatchObject({
      spokenSeconds: 6.5,
      spokenSource: 'platform',
    });
    expect(sessionOf([joined('ann', '09:00')])).toMatchObject({ spokenSeconds: null, spokenSource: null });
  });
});

describe('unique participants', () => {
  it('are counted by user, or by device without a user, once per session and once per room', () => {
    const events = [
      ...[joined('ann', '09:00', { userId: 'u-ann' }), joined('ann again', '09:01', { userId: 'u-ann' })],
      ...[joined('bob', '09:00', { deviceId: 'd-bob' }), joined('bob again', '09:01', { deviceId: 'd-bob' })],
      joined('ann later', '10:00', { ...later, userId: 'u-ann', deviceId: 'another' }),
      joined('cleo', '10:00', later),
    ];

    expect(sessionOf(events)).toMatchObject({ totalUniqueParticipants: 2 });
    expect(sessionOf(events, later)).toMatchObject({ totalUniqueParticipants: 2 });
    expect(roomOf(events)).toMatchObject({ totalUniqueParticipants: 3 });
  });

  it('are counted once for each role', () => {
    const events = [
      joined('ann', '09:00', { userId: 'u' }),
      joined('recorder', '09:00', { userId: 'u', roleName: 'recorder' }),
      joined('streamer', '09:00', { userId: 'u', roleName: 'streamer' }),
      joined('captioner', '09:00', { userId: 'v', roleName: 'captioner' }),
    ];

    expect(sessionOf(events)).toMatchObject({
      totalUniqueParticipants: 1,
      totalUniqueRecorders: 1,
      totalUniqueStreamers: 1,
    });
  });
});

describe('ratings', () => {
  it('count all ratings, including two of one participant and those of participants who never joined', () => {
    const events = [rated('ann', '09:10', 5), rated('ann', '09:20', 2), rated('nobody', '09:30', 3.5)];

    expect(sessionOf(events)).toMatchObject({ rating: 3.5, totalRatings: 3 });
    expect(roomOf(events)).toMatchObject({ rating: 3.5, totalRatings: 3 });
  });

  it('are null if there is no rating', () => {
    expect(sessionOf([started('09:00')])).toMatchObject({ rating: null, totalRatings: 0 });
  });

  it('of a room are the average of all its ratings, not of its sessions', () => {
    const events = [rated('ann', '09:10', 5), rated('ann', '10:20', 1, later), rated('bob', '10:20', 1, later)];

    expect(roomOf(events)).toMatchObject({ rating: 7 / 3, totalRatings: 3 });
  });

  it('of a participant come only from the latest rating', () => {
    const events = [
      joined('ann', '09:00'),
      rated('ann', '09:20', 2, { tags: ['echo'] }),
      rated('ann', '09:10', 5, { comment: 'fine', tags: ['video'] }),
    ];

    expect(participantsOf(events)).toMatchObject([{ rating: 2, tags: ['echo'], comment: null }]);
  });
});

describe('sessions', () => {
  it('start at the earliest start event, even if other events are earlier', () => {
    const events = [joined('ann', '08:59'), started('09:01'), started('09:00')];

    expect(sessionOf(events)).toMatchObject({ startedAt: at('09:00') });
  });

  it.each([
    ['a leave', left('ann', '08:00')],
    ['a rating', rated('ann', '08:00', 4)],
    ['an end', ended('08:00')],
  ])('start at the earliest event if there is no start event, for example %s', (_, event) => {
    expect(sessionOf([joined('ann', '09:00'), event])).toMatchObject({ startedAt: at('08:00') });
  });

  it('end at the latest end event, and not when everyone has left', () => {
    const stay = [joined('ann', '09:00'), left('ann', '09:30')];

    expect(sessionOf(stay)).toMatchObject({ endedAt: null });
    expect(sessionOf([...stay, ended('10:00'), ended('09:45')])).toMatchObject({ endedAt: at('10:00') });
  });

  it('are identified by room and ID, in any case', () => {
    const elsewhere = { ...daily, roomName: '/elsewhere' };
    const events = [started('09:00'), started('09:10', elsewhere)];
    const shouted = { ...daily, roomSessionId: daily.roomSessionId.toUpperCase() };

    expect(sessionOf(events)).toMatchObject({ startedAt: at('09:00') });
    expect(sessionOf(events, elsewhere)).toMatchObject({ startedAt: at('09:10') });
    expect(sessionOf([...events, started('08:00', shouted)])).toMatchObject({ startedAt: at('08:00') });
  });
});

describe('rooms', () => {
  it('take the creation time from the earliest creation event and the end from the latest', () => {
    const events = [created('07:00', at('12:00')), created('08:00', at('18:00')), created('06:00', at('11:00'))];

    expect(roomOf(events)).toMatchObject({ createdAt: at('06:00'), endAt: at('18:00') });
    expect(roomOf([...events, created('09:00')])).toMatchObject({ endAt: null });
  });

  it('use the larger event ID of two creation events at the same time', () => {
    const events = [created('07:00', at('18:00'), 'b'), created('07:00', at('12:00'), 'a')];

    expect(roomOf(events)).toMatchObject({ endAt: at('18:00') });
    expect(roomOf(events.toReversed())).toMatchObject({ endAt: at('18:00') });
  });

  it('without a session have empty totals', () => {
    expect(roomOf([created('07:00')])).toEqual({
      roomName: daily.roomName,
      createdAt: at('07:00'),
      endAt: null,
      firstSessionStartedAt: null,
      lastSessionStartedAt: null,
      totalParticipantMinutes: 0,
      totalRecorderMinutes: 0,
      totalStreamerMinutes: 0,
      totalUniqueParticipants: 0,
      totalUniqueRecorders: 0,
      totalUniqueStreamers: 0,
      totalSessions: 0,
      rating: null,
      totalRatings: 0,
      completeness: { state: 'observed', missing: [] },
      asOf: at('07:00'),
    });
  });

  it('without a creation event take their creation time from their first session', () => {
    const events = [started('10:00', later), joined('ann', '09:00')];

    expect(roomOf(events)).toMatchObject({
      createdAt: at('09:00'),
      endAt: null,
      firstSessionStartedAt: at('09:00'),
      lastSessionStartedAt: at('10:00'),
      totalSessions: 2,
    });
  });
});

describe('participants', () => {
  it('are listed from their first join, with the data of their latest join', () => {
    const events = [
      joined('ann', '09:00', { displayName: 'Ann', externalId: 'crm-1', userId: 'u', deviceId: 'phone' }),
      left('ann', '09:10'),
      joined('ann', '09:20', { displayName: 'Anna', roleName: 'host', deviceId: 'laptop' }),
      left('ann', '09:30'),
      left('stranger', '09:30'),
      rated('critic', '09:30', 1),
    ];

    expect(participantsOf(events)).toEqual([
      {
        roomSessionId: daily.roomSessionId,
        participantId: 'ann',
        deviceId: 'laptop',
        userId: null,
        roleName: 'host',
        displayName: 'Anna',
        joinedAt: at('09:00'),
        leftAt: at('09:30'),
        externalId: 'crm-1',
        rating: null,
        tags: [],
        comment: null,
        ...{ spokenSeconds: null, spokenSource: null },
        completeness: { state: 'observed', missing: [] },
        asOf: at('09:30'),
      },
    ]);
  });

  it('have the external ID of the latest join that has one', () => {
    const ids = ['crm-1', 'crm-2', undefined].map((externalId, hour) => joined('ann', `0${hour}:00`, { externalId }));

    expect(participantsOf(ids)).toMatchObject([{ externalId: 'crm-2' }]);
  });

  it('have not left while one of their connections is open', () => {
    const events = [joined('ann', '09:00'), joined('ann', '09:05'), left('ann', '09:10')];

    expect(participantsOf(events)).toMatchObject([{ joinedAt: at('09:00'), leftAt: null }]);
  });

  it('exclude recorders and streamers, and connections of a participant in those roles', () => {
    const events = [
      ...[joined('rec', '09:00', { roleName: 'recorder' }), joined('str', '09:00', { roleName: 'streamer' })],
      ...[joined('ann', '08:00', { roleName: 'recorder', externalId: 'crm-1' }), left('ann', '08:30')],
      ...[joined('ann', '09:00', { displayName: 'Ann' }), left('ann', '09:30')],
      joined('ann', '10:00', { roleName: 'streamer', displayName: 'camera' }),
    ];

    expect(participantsOf(events)).toMatchObject([
      { participantId: 'ann', displayName: 'Ann', joinedAt: at('09:00'), leftAt: at('09:30'), externalId: null },
    ]);
    expect(recount(acme, events).clientsOf(daily.roomSessionId)).toEqual(['ann', 'rec', 'str']);
  });

  it('with several IDs and one user count as one unique participant', () => {
    const events = [joined('ann', '09:00', { userId: 'u' }), joined('ann 2', '09:00', { userId: 'u' })];

    expect(participantsOf(events)).toHaveLength(2);
    expect(sessionOf(events)).toMatchObject({ totalUniqueParticipants: 1 });
  });
});

describe('events', () => {
  const events = [
    ...[created('07:00'), started('09:00'), joined('ann', '09:00'), left('ann', '09:10'), joined('ann', '09:20')],
    ...[left('ann', '09:40'), rated('ann', '09:50', 4), ended('10:00')],
  ];

  it('count once, even if they repeat and arrive in any order', () => {
    expect(recount(acme, [...events.toReversed(), ...events]).rooms).toEqual(recount(acme, events).rooms);
    expect(participantsOf([...events.toReversed(), ...events])).toEqual(participantsOf(events));
  });

  it('with the same session, participant, time and ID count as the first of them', () => {
    const first = joined('ann', '09:00', { displayName: 'first' }, { id: 'same' });
    const second = joined('ann', '09:00', { displayName: 'second' }, { id: 'same' });

    expect(participantsOf([first, second])).toMatchObject([{ displayName: 'first' }]);
    expect(recount(acme, [first, second]).detailsOf(daily.roomSessionId, 'ann')).toHaveLength(1);
  });

  it('count only in their own organization', () => {
    const foreign = joined('eve', '09:00', {}, { organizationId: 'other' });

    expect(recount(acme, [...events, foreign]).rooms).toEqual(recount(acme, events).rooms);
    expect(recount('other', [...events, foreign]).rooms).toMatchObject([{ totalUniqueParticipants: 1 }]);
  });

  it('give the same result in any time zone, and with null for missing fields', () => {
    const elsewhere = joined('ann', '09:00', { userId: null, externalId: null, userAgent: null });
    const events = [{ ...elsewhere, createdAt: '2026-03-02T10:00:00+01:00' }];

    expect(participantsOf(events)).toMatchObject([{ joinedAt: at('09:00'), userId: null, externalId: null }]);
  });

  it('without a match result in empty lists', () => {
    const { rooms, sessionsOf, participantsOf, clientsOf, detailsOf, networkOf } = recount(acme, []);

    expect([rooms, sessionsOf('/x'), participantsOf('x'), clientsOf('x'), detailsOf('x', 'y'), networkOf('x')]).toEqual(
      [...[[], [], [], [], [], []]],
    );
  });
});
