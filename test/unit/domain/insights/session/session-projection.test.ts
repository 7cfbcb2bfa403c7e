import { describe, expect, test } from 'vitest';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { asNonParticipant } from '#shared/domain/insights/connection-kind.ts';
import {
  at,
  ended,
  inferred,
  joined,
  later,
  left,
  permutations,
  rated,
  retracted,
  started,
  withId,
} from '../../../../support/insights/session-facts.ts';
import { stayIn } from '../../../../support/insights/session-views.ts';

/** The participant's connections in short: start and end. */
function staysOf(facts: readonly SessionFact[], participantId = 'ann') {
  return stayIn(facts, participantId).connections.map(({ joined: { createdAt }, leftAt }) => [createdAt, leftAt]);
}

const [nine, ten] = [at('09:00'), at('10:00')];

type Case = readonly [what: string, facts: readonly SessionFact[], stays: readonly (readonly (string | null)[])[]];

/** Facts of one participant and of the session in any order, and the connections that they give. */
function meanInAnyOrder(cases: readonly Case[]) {
  test.each(cases)('%s', (_what, facts, stays) => {
    const whole = stayIn(facts);
    expect(staysOf(facts)).toEqual(stays);
    for (const order of permutations(facts)) expect(stayIn(order)).toEqual(whole);
  });
}

describe('a connection', () => {
  meanInAnyOrder([
    ['lasts from the join to the leave', [joined('ann', '09:00'), left('ann', '10:00')], [[nine, ten]]],
    ['is open without a leave', [started('08:59'), joined('ann', '09:00')], [[nine, null]]],
    ['ends with the session', [joined('ann', '09:00'), ended('10:00')], [[nine, ten]]],
    [
      'ends with the latest of several ends',
      [joined('ann', '09:00'), ended('09:30'), ended('10:00'), ended('09:45')],
      [[nine, ten]],
    ],
    [
      'lasts until its leave if that is after the end of the session',
      [joined('ann', '09:00'), ended('09:30'), left('ann', '10:00')],
      [[nine, ten]],
    ],
    [
      'has no length if it began after the end of the session',
      [ended('08:00'), joined('ann', '09:00')],
      [[nine, nine]],
    ],
    [
      'counts if it began and ended with a leave after the end of the session',
      [ended('08:00'), joined('ann', '09:00'), left('ann', '10:00')],
      [[nine, ten]],
    ],
    ['has no length if it began at the end of the session', [joined('ann', '09:00'), ended('09:00')], [[nine, nine]]],
    [
      'has no length if join and leave are at the same time',
      [joined('ann', '09:00'), left('ann', '09:00')],
      [[nine, nine]],
    ],
  ]);
});

const one = { connectionId: 'one' };
const two = { connectionId: 'two' };
const alone = { connectionId: 'two', exclusive: true };

describe('with ids of connections', () => {
  meanInAnyOrder([
    [
      'a leave ends the connection with its id, and not the one that has been open the longest',
      [joined('ann', '09:00', one), joined('ann', '09:10', two), left('ann', '09:30', two), left('ann', '10:00', one)],
      [
        [nine, ten],
        [at('09:10'), at('09:30')],
      ],
    ],
    [
      'a leave ends the connection with its id, and not an older one without an id',
      [joined('ann', '09:00'), joined('ann', '09:10', two), left('ann', '09:30', two), ended('10:00')],
      [
        [nine, ten],
        [at('09:10'), at('09:30')],
      ],
    ],
    [
      'a leave ends no connection with another id',
      [joined('ann', '09:00', one), left('ann', '09:30', two), ended('10:00')],
      [[nine, ten]],
    ],
    [
      'a leave ends a connection without an id if it knows no other',
      [joined('ann', '09:00'), left('ann', '09:30', two), ended('10:00')],
      [[nine, at('09:30')]],
    ],
    [
      'a leave without an id ends the connection that has been open the longest',
      [joined('ann', '09:00', one), joined('ann', '09:10', two), left('ann', '09:30'), ended('10:00')],
      [
        [nine, at('09:30')],
        [at('09:10'), ten],
      ],
    ],
    [
      'an exclusive join ends the connection whose leave was lost',
      [joined('ann', '09:00', one), joined('ann', '09:20', alone), left('ann', '10:00', two)],
      [
        [nine, at('09:20')],
        [at('09:20'), ten],
      ],
    ],
    [
      'a leave after an exclusive join ends its own connection',
      [
        joined('ann', '09:00', one),
        joined('ann', '09:20', alone),
        left('ann', '09:21', one),
        left('ann', '10:00', two),
      ],
      [
        [nine, at('09:21')],
        [at('09:20'), ten],
      ],
    ],
    [
      'a leave just before its join ends its connection, also if an exclusive join comes then',
      [
        joined('ann', '09:00:00.800', one),
        left('ann', '09:00', one),
        joined('ann', '09:00:03', alone),
        left('ann', '10:00', two),
      ],
      [
        [at('09:00:00.800'), at('09:00:00.800')],
        [at('09:00:03'), ten],
      ],
    ],
    [
      'an inferred join counts beside and during an observed connection with another id',
      [
        joined('ann', '09:00', one),
        inferred(joined('ann', '09:00:02', two)),
        left('ann', '09:10', two),
        left('ann', '10:00', one),
      ],
      [
        [nine, ten],
        [at('09:00:02'), at('09:10')],
      ],
    ],
    [
      'an inferred join during the observed connection with its id does not count',
      [joined('ann', '09:00', one), inferred(joined('ann', '09:20', one)), left('ann', '10:00', one)],
      [[nine, ten]],
    ],
  ]);

  test('the end by an exclusive join is no leave of the platform', () => {
    const { connections } = stayIn([joined('ann', '09:00', one), joined('ann', '09:20', alone)]);
    expect(connections).toMatchObject([{ hasLeave: false, missesLeave: true }, { missesLeave: false }]);
  });
});

describe('with several connections of one participant,', () => {
  meanInAnyOrder([
    [
      'each of two in a row has its own end',
      [joined('ann', '09:00'), left('ann', '09:10'), joined('ann', '09:20'), left('ann', '10:00')],
      [
        [nine, at('09:10')],
        [at('09:20'), ten],
      ],
    ],
    [
      'the first leave ends the one that has been open the longest',
      [joined('ann', '09:00'), joined('ann', '09:10'), left('ann', '09:20'), left('ann', '10:00')],
      [
        [nine, at('09:20')],
        [at('09:10'), ten],
      ],
    ],
    [
      'the next leave ends the one whose leave was lost, and the session ends the next one',
      [joined('ann', '09:00'), joined('ann', '09:10'), left('ann', '09:20'), ended('10:00')],
      [
        [nine, at('09:20')],
        [at('09:10'), ten],
      ],
    ],
    [
      'a join at the time of a leave comes before the leave',
      [joined('ann', '09:00'), left('ann', '09:30'), joined('ann', '09:30'), left('ann', '10:00')],
      [
        [nine, at('09:30')],
        [at('09:30'), ten],
      ],
    ],
  ]);

  test('five reconnects give six connections in any order of the facts', () => {
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

describe('a leave', () => {
  meanInAnyOrder([
    ['creates no connection', [left('ann', '09:00')], []],
    [
      'leaves the connection open if it is long before the join',
      [left('ann', '08:00'), joined('ann', '09:00')],
      [[nine, null]],
    ],
    [
      'ends the connection at once if it is 5 seconds before the join',
      [left('ann', '08:59:55'), joined('ann', '09:00')],
      [[nine, nine]],
    ],
    [
      'leaves the connection open if it is more than 5 seconds before the join',
      [left('ann', '08:59:54.999'), joined('ann', '09:00')],
      [[nine, null]],
    ],
    [
      'changes nothing if every connection has its own leave',
      [left('ann', '08:59:58'), joined('ann', '09:00'), left('ann', '10:00')],
      [[nine, ten]],
    ],
    [
      'changes nothing if it is a second, surplus leave',
      [joined('ann', '09:00'), left('ann', '10:00'), left('ann', '10:00:01')],
      [[nine, ten]],
    ],
    [
      'ends the first of two joins that follow it, and the next leave ends the other',
      [left('ann', '08:59:58'), joined('ann', '09:00'), joined('ann', '09:00:01'), left('ann', '10:00')],
      [
        [nine, nine],
        [at('09:00:01'), ten],
      ],
    ],
    [
      'is moved by up to 5 seconds, past a join and a leave in between',
      [left('ann', '08:59:58'), joined('ann', '09:00'), left('ann', '09:00:01'), joined('ann', '09:30')],
      [
        [nine, at('09:00:01')],
        [at('09:30'), null],
      ],
    ],
    [
      'is not moved if it ended a connection, even if another stays open',
      [joined('ann', '09:00'), left('ann', '09:29:58'), joined('ann', '09:30')],
      [
        [nine, at('09:29:58')],
        [at('09:30'), null],
      ],
    ],
    [
      'ends one join each if there are two',
      [left('ann', '08:59:57'), left('ann', '08:59:58'), joined('ann', '09:00'), joined('ann', '09:00:01')],
      [
        [nine, nine],
        [at('09:00:01'), at('09:00:01')],
      ],
    ],
    [
      'ends the join after it, even if the session ended before both',
      [ended('08:00'), left('ann', '08:59:58'), joined('ann', '09:00')],
      [[nine, nine]],
    ],
  ]);

  test('ends its connection as soon as the join arrives', () => {
    const [join, leave] = [joined('ann', '09:00'), left('ann', '10:00')];
    expect(staysOf([leave])).toEqual([]);
    expect(staysOf([leave, join])).toEqual([[nine, ten]]);
  });
});

describe('within the same millisecond,', () => {
  const twoJoins = [withId('1', joined('ann', '09:00', { deviceId: 'a' })), withId('2', joined('ann', '09:00'))];

  test('joins, and so connections, are ordered by event id', () => {
    const facts = [...twoJoins, left('ann', '09:30'), left('ann', '10:00')];
    for (const order of permutations(facts)) {
      const { connections } = stayIn(order);
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
  ])('a join comes before a leave for any ids (%s, %s)', (idOfLeave, idOfJoin) => {
    const facts = [withId(idOfLeave, left('ann', '09:00')), withId(idOfJoin, joined('ann', '09:00'))];
    for (const order of permutations(facts)) expect(staysOf(order)).toEqual([[nine, nine]]);
    // The first leave has ended the connection, so the next one ends none.
    for (const order of permutations([...facts, left('ann', '10:00')])) expect(staysOf(order)).toEqual([[nine, nine]]);
  });
});

test('each connection is of the kind of its join', () => {
  const joins = [joined('ann', '09:00', { roleName: 'recorder' }), asNonParticipant(joined('ann', '09:01'))];
  expect(stayIn(joins).connections.map(({ kind }) => kind)).toEqual(['recorder', 'other']);
});

describe('of a participant with more joins and leaves than count,', () => {
  const most = { connections: 5, ratings: 1, updates: 1 };
  const leavesOf = (facts: readonly SessionFact[]) =>
    stayIn(facts, 'ann', most).connections.map(({ leftAt }) => leftAt);
  const facts = [joined('ann', '09:00'), joined('ann', '09:10'), left('ann', '09:20'), joined('ann', '09:30')];

  test('open connections end at the last event that counts, whenever the session ends', () => {
    const events = [...facts, rated('ann', '09:35', 4), joined('ann', '09:40'), left('ann', '09:50')];
    for (const others of [[], [ended('09:15')], [ended('23:00')]])
      expect(leavesOf([...events, ...others])).toEqual([at('09:20'), at('09:40'), at('09:40'), at('09:40')]);
  });

  test('the last event that counts is so even if it was taken back', () => {
    const taken = joined('ann', '09:40');
    const leaves = leavesOf([...facts, taken, left('ann', '09:50'), ended('23:00'), retracted(taken)]);
    expect(leaves).toEqual([at('09:20'), at('09:40'), at('09:40')]);
  });

  test('open connections end with the session if no event is left out, or only a rating', () => {
    const events = [...facts, joined('ann', '09:40'), rated('ann', '09:41', 4), rated('ann', '09:42', 4)];
    expect(leavesOf([...events, ended('23:00')])).toEqual([at('09:20'), at('23:00'), at('23:00'), at('23:00')]);
  });
});

test('the leave of one participant never ends the connection of another', () => {
  const facts = [joined('ann', '09:00'), joined('bob', '09:10'), left('bob', '09:20'), left('eve', '09:30')];
  expect(staysOf(facts)).toEqual([[nine, null]]);
  expect(staysOf(facts, 'bob')).toEqual([[at('09:10'), at('09:20')]]);
  expect(staysOf(facts, 'eve')).toEqual([]);
});

test('ratings are ordered by time, then by id', () => {
  const ratings = [
    rated('ann', '09:10', 3),
    withId('a', rated('ann', '09:20', 4)),
    withId('b', rated('ann', '09:20', 5)),
  ];
  for (const order of permutations(ratings)) expect(stayIn(order).ratings).toEqual(ratings);
});
