import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '#shared/contracts/session-events.ts';
import { projectSession } from '#shared/domain/session-projection.ts';
import { at, ended, joined, later, left, permutations, rated, started, withId } from '../../support/session-facts.ts';

/** The participant's connections in short: from when until when, and whether the session's end is what ends it. */
function staysOf(facts: readonly SessionEvent[], participantId = 'ann') {
  const found = projectSession(facts).participants.find((participant) => participant.participantId === participantId);
  return found?.connections.map(({ joined: { createdAt }, leftAt, endsWithSession }) => [
    createdAt,
    leftAt,
    ...(endsWithSession ? ['with the session'] : []),
  ]);
}

const [nine, ten] = [at('09:00'), at('10:00')];
const withSession = 'with the session';

type Case = readonly [what: string, facts: readonly SessionEvent[], stays: readonly (readonly (string | null)[])[]];

/** Facts of one participant and of the session, and the connections that they mean; in any order. */
function meanInAnyOrder(cases: readonly Case[]) {
  test.each(cases)('%s', (_what, facts, stays) => {
    const whole = projectSession(facts);
    expect(staysOf(facts)).toEqual(stays);
    for (const order of permutations(facts)) expect(projectSession(order)).toEqual(whole);
  });
}

describe('a connection', () => {
  meanInAnyOrder([
    ['lasts from join to leave', [joined('ann', '09:00'), left('ann', '10:00')], [[nine, ten]]],
    ['without a leave is open', [started('08:59'), joined('ann', '09:00')], [[nine, null, withSession]]],
    ['ends with the session', [joined('ann', '09:00'), ended('10:00')], [[nine, ten, withSession]]],
    [
      'ends with the latest of several ends',
      [joined('ann', '09:00'), ended('09:30'), ended('10:00'), ended('09:45')],
      [[nine, ten, withSession]],
    ],
    [
      'goes on past the end of the session, until its leave',
      [joined('ann', '09:00'), ended('09:30'), left('ann', '10:00')],
      [[nine, ten]],
    ],
    [
      'that began after the end of the session has no length',
      [ended('08:00'), joined('ann', '09:00')],
      [[nine, nine, withSession]],
    ],
    [
      'that began and ended after the end of the session counts',
      [ended('08:00'), joined('ann', '09:00'), left('ann', '10:00')],
      [[nine, ten]],
    ],
    ['at the end of the session has no length', [joined('ann', '09:00'), ended('09:00')], [[nine, nine, withSession]]],
    ['of one moment has no length', [joined('ann', '09:00'), left('ann', '09:00')], [[nine, nine]]],
  ]);
});

describe('of several connections', () => {
  meanInAnyOrder([
    [
      'one after the other, each has its own end',
      [joined('ann', '09:00'), left('ann', '09:10'), joined('ann', '09:20'), left('ann', '10:00')],
      [
        [nine, at('09:10')],
        [at('09:20'), ten],
      ],
    ],
    [
      'at once, the first leave ends the one that has been open the longest',
      [joined('ann', '09:00'), joined('ann', '09:10'), left('ann', '09:20'), left('ann', '10:00')],
      [
        [nine, at('09:20')],
        [at('09:10'), ten],
      ],
    ],
    [
      'the one whose leave got lost is ended by the next leave, and the next by the session',
      [joined('ann', '09:00'), joined('ann', '09:10'), left('ann', '09:20'), ended('10:00')],
      [
        [nine, at('09:20')],
        [at('09:10'), ten, withSession],
      ],
    ],
    [
      'that touch, the second begins before the first ends',
      [joined('ann', '09:00'), left('ann', '09:30'), joined('ann', '09:30'), left('ann', '10:00')],
      [
        [nine, at('09:30')],
        [at('09:30'), ten],
      ],
    ],
  ]);

  test('five reconnects are six connections, whatever the order of their facts', () => {
    const minutes = [0, 2, 4, 6, 8, 10];
    const facts = minutes.flatMap((minute) => [
      joined('ann', later('09:00', minute * 60_000)),
      left('ann', later('09:01', minute * 60_000)),
    ]);
    const stays = minutes.map((minute) => [later('09:00', minute * 60_000), later('09:01', minute * 60_000)]);
    expect(staysOf(facts)).toEqual(stays);
    expect(staysOf(facts.toReversed())).toEqual(stays);
    expect(staysOf(facts.toSorted((one, other) => (one.type < other.type ? 1 : -1)))).toEqual(stays);
  });
});

describe('a leave without a join', () => {
  meanInAnyOrder([
    ['makes no connection', [left('ann', '09:00')], []],
    [
      'long before the join leaves it open',
      [left('ann', '08:00'), joined('ann', '09:00')],
      [[nine, null, withSession]],
    ],
    ['5 seconds before the join ends it at once', [left('ann', '08:59:55'), joined('ann', '09:00')], [[nine, nine]]],
    [
      'more than 5 seconds before the join leaves it open',
      [left('ann', '08:59:54.999'), joined('ann', '09:00')],
      [[nine, null, withSession]],
    ],
    [
      'changes nothing where every connection has a leave of its own',
      [left('ann', '08:59:58'), joined('ann', '09:00'), left('ann', '10:00')],
      [[nine, ten]],
    ],
    [
      'changes nothing where a second leave is left over',
      [joined('ann', '09:00'), left('ann', '10:00'), left('ann', '10:00:01')],
      [[nine, ten]],
    ],
    [
      'ends the first of two joins that follow it, and the next leave the other',
      [left('ann', '08:59:58'), joined('ann', '09:00'), joined('ann', '09:00:01'), left('ann', '10:00')],
      [
        [nine, nine],
        [at('09:00:01'), ten],
      ],
    ],
    [
      'counts where it stands, 5 seconds later: after a join and a leave in between',
      [left('ann', '08:59:58'), joined('ann', '09:00'), left('ann', '09:00:01'), joined('ann', '09:30')],
      [
        [nine, at('09:00:01')],
        [at('09:30'), null, withSession],
      ],
    ],
    [
      'is not moved where it found a connection to end, though another is left open',
      [joined('ann', '09:00'), left('ann', '09:29:58'), joined('ann', '09:30')],
      [
        [nine, at('09:29:58')],
        [at('09:30'), null, withSession],
      ],
    ],
    [
      'of two, ends one join each',
      [left('ann', '08:59:57'), left('ann', '08:59:58'), joined('ann', '09:00'), joined('ann', '09:00:01')],
      [
        [nine, nine],
        [at('09:00:01'), at('09:00:01')],
      ],
    ],
    [
      'is dated before the join that it ends, and the session had ended before both',
      [ended('08:00'), left('ann', '08:59:58'), joined('ann', '09:00')],
      [[nine, nine]],
    ],
  ]);

  test('ends its connection as soon as the join is known', () => {
    const [join, leave] = [joined('ann', '09:00'), left('ann', '10:00')];
    expect(staysOf([leave])).toEqual([]);
    expect(staysOf([leave, join])).toEqual([[nine, ten]]);
  });
});

describe('at one and the same millisecond', () => {
  const twoJoins = [withId('1', joined('ann', '09:00', { deviceId: 'a' })), withId('2', joined('ann', '09:00'))];

  test('ids decide between joins, and that is the order of the connections', () => {
    const facts = [...twoJoins, left('ann', '09:30'), left('ann', '10:00')];
    for (const order of permutations(facts)) {
      const connections = projectSession(order).participants[0]?.connections ?? [];
      expect(connections.map(({ joined: { id }, leftAt }) => [id, leftAt])).toEqual([
        ['1', at('09:30')],
        ['2', ten],
      ]);
    }
  });

  test('two leaves end two connections', () => {
    const leaves = [withId('1', left('ann', '10:00')), withId('2', left('ann', '10:00'))];
    for (const order of permutations([...twoJoins, ...leaves])) {
      expect(staysOf(order)).toEqual([
        [nine, ten],
        [nine, ten],
      ]);
    }
  });

  test.each([
    ['1', '2'],
    ['2', '1'],
  ])('a join comes before a leave, whatever their ids (%s, %s)', (idOfLeave, idOfJoin) => {
    const facts = [withId(idOfLeave, left('ann', '09:00')), withId(idOfJoin, joined('ann', '09:00'))];
    for (const order of permutations(facts)) expect(staysOf(order)).toEqual([[nine, nine]]);
    // The leave has found its connection, so the next one finds none.
    for (const order of permutations([...facts, left('ann', '10:00')])) expect(staysOf(order)).toEqual([[nine, nine]]);
  });
});

test.each([
  ['recorder', 'recorder'],
  ['streamer', 'streamer'],
  ['guest', 'participant'],
  ['Recorder', 'participant'],
  ['recorders', 'participant'],
])('the role %s makes a connection of a %s', (roleName, kind) => {
  const [participant] = projectSession([joined('ann', '09:00', { roleName })]).participants;
  expect(participant?.connections.map((connection) => connection.kind)).toEqual([kind]);
});

test('a join in one role and the leave of another participant have nothing to do with each other', () => {
  const facts = [joined('ann', '09:00'), joined('bob', '09:10'), left('bob', '09:20'), left('eve', '09:30')];
  expect(staysOf(facts)).toEqual([[nine, null, withSession]]);
  expect(staysOf(facts, 'bob')).toEqual([[at('09:10'), at('09:20')]]);
  expect(staysOf(facts, 'eve')).toEqual([]);
});

test('ratings stand in the order of their time, then of their id', () => {
  const ratings = [
    rated('ann', '09:10', 3),
    withId('a', rated('ann', '09:20', 4)),
    withId('b', rated('ann', '09:20', 5)),
  ];
  for (const order of permutations(ratings)) expect(projectSession(order).participants[0]?.ratings).toEqual(ratings);
});
