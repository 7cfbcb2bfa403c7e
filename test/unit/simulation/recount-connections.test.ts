import { describe, expect, it } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { recount } from '#tools/simulation/recount.ts';
import { acme, at, daily, joined, left, platformEvent } from './platform-events.ts';

const ended = (time: string) => platformEvent('room.session.ended', time, daily);

/** The minutes and the number of one participant's connections, and the end of the last one. */
function stayOf(events: readonly PlatformEvent[]) {
  const counted = recount(acme, events);
  const [participant] = counted.participantsOf(daily.roomSessionId);
  const [session] = counted.sessionsOf(daily.roomName);
  const connections = counted.detailsOf(daily.roomSessionId, 'ann').length;
  return { minutes: session?.totalParticipantMinutes, leftAt: participant?.leftAt, connections };
}

const ann = (time: string) => joined('ann', time);
const annLeft = (time: string) => left('ann', time);

describe('a connection', () => {
  it.each<[string, PlatformEvent[], ReturnType<typeof stayOf>]>([
    [
      'lasts from join to leave',
      [ann('09:00'), annLeft('09:10')],
      { minutes: 10, leftAt: at('09:10'), connections: 1 },
    ],
    [
      'that has been open the longest is ended by the next leave',
      [ann('09:00'), ann('09:05'), annLeft('09:10'), annLeft('09:30')],
      { minutes: 10 + 25, leftAt: at('09:30'), connections: 2 },
    ],
    [
      'without a leave ends with the last end of the session',
      [ann('09:00'), ended('09:10'), ended('09:20')],
      { minutes: 20, leftAt: at('09:20'), connections: 1 },
    ],
    [
      'with a leave after the end of the session ends with the leave',
      [ann('09:00'), ended('09:10'), annLeft('09:12')],
      { minutes: 12, leftAt: at('09:12'), connections: 1 },
    ],
    [
      'that starts after the end of the session has no length',
      [ended('09:00'), ann('09:10')],
      { minutes: 0, leftAt: at('09:10'), connections: 1 },
    ],
    [
      'without a leave and an end of the session stays open',
      [ann('09:00')],
      { minutes: 0, leftAt: null, connections: 1 },
    ],
    [
      'that is open adds no minutes to those of an earlier connection',
      [ann('09:00'), annLeft('09:10'), ann('09:20')],
      { minutes: 10, leftAt: null, connections: 2 },
    ],
    [
      'whose leave got lost is ended by the next leave',
      [ann('09:00'), ann('09:10'), annLeft('09:20')],
      { minutes: 20, leftAt: null, connections: 2 },
    ],
  ])('%s', (_, events, expected) => {
    expect(stayOf(events)).toEqual(expected);
    expect(stayOf(events.toReversed())).toEqual(expected);
  });
});

describe('a leave without an open connection', () => {
  it.each<[string, PlatformEvent[], ReturnType<typeof stayOf>]>([
    [
      'ends a connection whose join is up to 5 s later',
      [annLeft('08:59:55'), ann('09:00')],
      { minutes: 0, leftAt: at('09:00'), connections: 1 },
    ],
    [
      'has no effect if the join is more than 5 s later',
      [annLeft('08:59:54.999'), ann('09:00')],
      { minutes: 0, leftAt: null, connections: 1 },
    ],
    [
      'has no effect if another leave ends the connection',
      [annLeft('08:59:58'), ann('09:00'), annLeft('09:10')],
      { minutes: 10, leftAt: at('09:10'), connections: 1 },
    ],
    [
      'ends its connection even if the participant joins and leaves again',
      [annLeft('08:59:58'), ann('09:00'), ann('09:10'), annLeft('09:30')],
      { minutes: 20, leftAt: at('09:30'), connections: 2 },
    ],
    [
      'ends its connection before the session does',
      [annLeft('08:59:58'), ann('09:00'), ended('10:00')],
      { minutes: 0, leftAt: at('09:00'), connections: 1 },
    ],
    [
      'ends the first of two connections within 5 s',
      [annLeft('08:59:58'), ann('09:00'), ann('09:00:01'), annLeft('09:10')],
      { minutes: 10, leftAt: at('09:10'), connections: 2 },
    ],
    [
      'ends only one connection',
      [annLeft('08:59:58'), ann('09:00'), ann('09:00:01')],
      { minutes: 0, leftAt: null, connections: 2 },
    ],
    [
      'ends one connection each if there are two',
      [annLeft('08:59:57'), annLeft('08:59:58'), ann('09:00'), ann('09:00:01')],
      { minutes: 0, leftAt: at('09:00:01'), connections: 2 },
    ],
    [
      'has no effect if another leave has ended the connection by then',
      [annLeft('09:00'), ann('09:00:01'), annLeft('09:00:02'), ann('09:00:30')],
      { minutes: 1, leftAt: null, connections: 2 },
    ],
  ])('%s', (_, events, expected) => {
    expect(stayOf(events)).toEqual(expected);
    expect(stayOf(events.toReversed())).toEqual(expected);
  });

  it('counts as a normal leave once the late join arrives', () => {
    const early = [annLeft('09:30')];
    const late = ann('09:00');

    expect(stayOf([...early, late])).toEqual({ minutes: 30, leftAt: at('09:30'), connections: 1 });
  });
});

it.each<[string, PlatformEvent[], { readonly minutes: number; readonly leftAt: string }]>([
  ['ends at the last event that counts', [ann('09:20'), ended('23:00')], { minutes: 20 + 10, leftAt: at('09:20') }],
  ['ends there without an end of the session', [annLeft('09:20')], { minutes: 20 + 10, leftAt: at('09:20') }],
  ['ends there after an end of the session', [ann('09:20'), ended('09:00')], { minutes: 30, leftAt: at('09:20') }],
])('a connection that is open at the limit %s', (_, events, expected) => {
  const beyond = [ann('09:00'), ann('09:10'), annLeft('09:30'), ann('09:40'), annLeft('09:50')];
  const counted = recount(acme, [...events, ...beyond], { joinsAndLeaves: 3, ratings: 1, updates: 5 });
  expect(counted.sessionsOf(daily.roomName)[0]?.totalParticipantMinutes).toBe(expected.minutes);
  expect(counted.participantsOf(daily.roomSessionId)[0]?.leftAt).toBe(expected.leftAt);
});

it.each<[string, PlatformEvent[], ReturnType<typeof stayOf>]>([
  [
    'at the time of the join ends the connection',
    [annLeft('09:00'), ann('09:00')],
    { minutes: 0, leftAt: at('09:00'), connections: 1 },
  ],
  [
    'ends the connection that is already open, even if a join follows within 5 s',
    [ann('08:50'), annLeft('08:59:58'), ann('09:00')],
    { minutes: 10, leftAt: null, connections: 2 },
  ],
])('a leave %s', (_, events, expected) => {
  expect(stayOf(events)).toEqual(expected);
});

it('leaves with the same effective time are paired in the order of their IDs', () => {
  const withId = (id: string, time: string) =>
    platformEvent('room.client.left', time, { ...daily, participantId: 'ann' }, { id });
  const open = ann('09:01');
  const events = (early: string, late: string) => [
    withId(early, '08:59:58'),
    ann('09:00'),
    withId(late, '09:00:03'),
    open,
  ];

  expect(stayOf(events('a', 'b'))).toMatchObject({ minutes: 0 });
  expect(stayOf(events('b', 'a'))).toMatchObject({ minutes: 1 });
});

it('a leave ends only a connection of its own participant', () => {
  const events = [ann('09:00'), left('bob', '09:10')];

  expect(stayOf(events)).toEqual({ minutes: 0, leftAt: null, connections: 1 });
});
