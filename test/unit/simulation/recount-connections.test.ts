import { describe, expect, it } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { recount } from '#tools/simulation/recount.ts';
import { acme, at, daily, joined, left, told } from './told.ts';

const ended = (time: string) => told('room.session.ended', time, daily);

/** What of one participant's connections is told by the answers: their minutes, and when the last of them ended. */
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
      'is ended by the leave that comes when it has been open the longest',
      [ann('09:00'), ann('09:05'), annLeft('09:10'), annLeft('09:30')],
      { minutes: 10 + 25, leftAt: at('09:30'), connections: 2 },
    ],
    [
      "is ended by the session's end where no leave was told",
      [ann('09:00'), ended('09:10'), ended('09:20')],
      { minutes: 20, leftAt: at('09:20'), connections: 1 },
    ],
    [
      "is not cut off by the session's end where a leave was told",
      [ann('09:00'), ended('09:10'), annLeft('09:12')],
      { minutes: 12, leftAt: at('09:12'), connections: 1 },
    ],
    [
      "has no length where the session's end came before the join",
      [ended('09:00'), ann('09:10')],
      { minutes: 0, leftAt: at('09:10'), connections: 1 },
    ],
    ['is open without leave and end', [ann('09:00')], { minutes: 0, leftAt: null, connections: 1 }],
    [
      'counts nothing until it ends, beside one that has ended',
      [ann('09:00'), annLeft('09:10'), ann('09:20')],
      { minutes: 10, leftAt: null, connections: 2 },
    ],
    [
      'of a lost leave is ended by the next one',
      [ann('09:00'), ann('09:10'), annLeft('09:20')],
      { minutes: 20, leftAt: null, connections: 2 },
    ],
  ])('%s', (_, events, expected) => {
    expect(stayOf(events)).toEqual(expected);
    expect(stayOf(events.toReversed())).toEqual(expected);
  });
});

describe('a leave that finds no connection to end', () => {
  it.each<[string, PlatformEvent[], ReturnType<typeof stayOf>]>([
    [
      'ends a join up to 5 s after it',
      [annLeft('08:59:55'), ann('09:00')],
      { minutes: 0, leftAt: at('09:00'), connections: 1 },
    ],
    [
      'changes nothing more than 5 s before a join',
      [annLeft('08:59:54.999'), ann('09:00')],
      { minutes: 0, leftAt: null, connections: 1 },
    ],
    [
      'changes nothing where no connection is left open',
      [annLeft('08:59:58'), ann('09:00'), annLeft('09:10')],
      { minutes: 10, leftAt: at('09:10'), connections: 1 },
    ],
    [
      'ends its join although the person comes again and leaves',
      [annLeft('08:59:58'), ann('09:00'), ann('09:10'), annLeft('09:30')],
      { minutes: 20, leftAt: at('09:30'), connections: 2 },
    ],
    [
      'ends its join before the session ends it',
      [annLeft('08:59:58'), ann('09:00'), ended('10:00')],
      { minutes: 0, leftAt: at('09:00'), connections: 1 },
    ],
    [
      'ends the first of two joins within those 5 s',
      [annLeft('08:59:58'), ann('09:00'), ann('09:00:01'), annLeft('09:10')],
      { minutes: 10, leftAt: at('09:10'), connections: 2 },
    ],
    [
      'ends one join only',
      [annLeft('08:59:58'), ann('09:00'), ann('09:00:01')],
      { minutes: 0, leftAt: null, connections: 2 },
    ],
    [
      'is one for each join',
      [annLeft('08:59:57'), annLeft('08:59:58'), ann('09:00'), ann('09:00:01')],
      { minutes: 0, leftAt: at('09:00:01'), connections: 2 },
    ],
    [
      'ends nothing that another leave has ended by then',
      [annLeft('09:00'), ann('09:00:01'), annLeft('09:00:02'), ann('09:00:30')],
      { minutes: 1, leftAt: null, connections: 2 },
    ],
  ])('%s', (_, events, expected) => {
    expect(stayOf(events)).toEqual(expected);
    expect(stayOf(events.toReversed())).toEqual(expected);
  });

  it('counts as if it had come in time, once the lost join arrives', () => {
    const early = [annLeft('09:30')];
    const late = ann('09:00');

    expect(stayOf([...early, late])).toEqual({ minutes: 30, leftAt: at('09:30'), connections: 1 });
  });
});

it.each<[string, PlatformEvent[], ReturnType<typeof stayOf>]>([
  [
    'at the same time ends the join',
    [annLeft('09:00'), ann('09:00')],
    { minutes: 0, leftAt: at('09:00'), connections: 1 },
  ],
  [
    'ends the connection that is open already, though another join follows',
    [ann('08:50'), annLeft('08:59:58'), ann('09:00')],
    { minutes: 10, leftAt: null, connections: 2 },
  ],
])('a leave %s', (_, events, expected) => {
  expect(stayOf(events)).toEqual(expected);
});

it('leaves that count as of one time are paired in the order of their ids', () => {
  const withId = (id: string, time: string) =>
    told('room.client.left', time, { ...daily, participantId: 'ann' }, { id });
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

it('a leave is paired with its own participant alone', () => {
  const events = [ann('09:00'), left('bob', '09:10')];

  expect(stayOf(events)).toEqual({ minutes: 0, leftAt: null, connections: 1 });
});
