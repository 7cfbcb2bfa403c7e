import { describe, expect, test } from 'vitest';
import { SessionParticipant } from '#shared/contracts/insights/insights.ts';
import type { ClientEvent, SessionFact } from '#shared/contracts/insights/session-events.ts';
import { asNonParticipant } from '#shared/domain/insights/connection-kind.ts';
import {
  distinct,
  erasedPrefix,
  participantRecords,
  type Visitor,
} from '#shared/domain/insights/participant-record.ts';
import { noUsage } from '#shared/domain/insights/usage.ts';
import {
  at,
  daily,
  ended,
  joined,
  later,
  left,
  permutations,
  rated,
  retracted,
  updated,
  withId,
} from '../../../support/insights/session-facts.ts';
import { viewOf } from '../../../support/insights/session-views.ts';

/** The record of the one participant in the facts. Checks that every order of the facts gives the same record. */
function recordOf(...facts: readonly SessionFact[]) {
  const [record, ...others] = permutations(facts).map((order) => {
    const [participant, ...more] = viewOf(order).participants;
    if (!participant || more.length > 0) throw new Error('The facts do not name one participant.');
    return participant;
  });
  for (const other of others) expect(other).toEqual(record);
  if (!record) throw new Error('There are no facts.');
  return record;
}

const listedOf = (...facts: readonly SessionFact[]) => recordOf(...facts).listed;
const usageOf = (...facts: readonly SessionFact[]) => recordOf(...facts).usage;

describe('the minutes of a participant', () => {
  test.each([
    [0, 0],
    [1, 1],
    [59_999, 1],
    [60_000, 1],
    [60_001, 2],
    [3_600_000, 60],
    [86_400_001, 1441],
  ])('after a connection of %d ms are %d', (ms, minutes) => {
    expect(usageOf(joined('ann', '09:00'), left('ann', later('09:00', ms)))).toEqual({
      ...noUsage,
      participantMinutes: minutes,
    });
  });

  test('are rounded up per connection and then summed', () => {
    const stays = [joined('ann', '09:00'), left('ann', '09:00:01'), joined('ann', '09:00:02'), left('ann', '09:00:03')];
    expect(usageOf(...stays).participantMinutes).toBe(2);
  });

  test('include an open connection once it ends', () => {
    expect(usageOf(joined('ann', '09:00'))).toEqual(noUsage);
    expect(usageOf(joined('ann', '09:00'), ended('09:30')).participantMinutes).toBe(30);
  });

  test('count for the role of each connection: participant, recorder or streamer', () => {
    const as = (roleName: string, from: string, to: string) => [joined('ann', from, { roleName }), left('ann', to)];
    expect(
      usageOf(
        ...as('recorder', '09:00', '09:03'),
        ...as('streamer', '09:10', '09:15'),
        ...as('host', '09:20', '09:27'),
      ),
    ).toEqual({ ...noUsage, recorderMinutes: 3, streamerMinutes: 5, participantMinutes: 7 });
  });
});

test('who is no participant has no minutes and no visitor, and is not listed', () => {
  const record = recordOf(asNonParticipant(joined('ann', '09:00')), left('ann', '09:30'));
  expect(record).toMatchObject({ usage: noUsage, visitors: [], listed: null, earliestAt: at('09:00') });
});

describe('the ratings of a participant', () => {
  test('are all counted, in thousandths', () => {
    const ratings = [rated('ann', '09:00', 4.0004), rated('ann', '09:01', 4.0006), rated('ann', '09:02', 1)];
    expect(usageOf(...ratings)).toEqual({ ...noUsage, ratingThousandths: 4000 + 4001 + 1000, ratings: 3 });
  });

  test('count for a recorder too, who is not listed', () => {
    const record = recordOf(joined('ann', '09:00', { roleName: 'recorder' }), rated('ann', '09:10', 2));
    expect(record).toMatchObject({ usage: { ratings: 1, ratingThousandths: 2000 }, listed: null });
  });

  test('count before the join, but the participant is listed only after it', () => {
    expect(recordOf(rated('ann', '09:10', 2), left('ann', '09:00'))).toMatchObject({
      usage: { ratings: 1, ratingThousandths: 2000 },
      visitors: [],
      earliestAt: at('09:00'),
      listed: null,
    });
  });

  test('show only the latest rating, without a comment if it has none', () => {
    const first = rated('ann', '09:10', 2, { tags: ['audio'], comment: 'Bad.' });
    const last = rated('ann', '09:20', 4.5);
    const shown = { rating: 2, tags: ['audio'], comment: 'Bad.' };
    expect(listedOf(joined('ann', '09:00'), first)).toMatchObject(shown);
    expect(listedOf(joined('ann', '09:00'), first, last)).toMatchObject({ rating: 4.5, tags: [], comment: null });
    const ties = [withId('a', rated('ann', '09:10', 1)), withId('b', first)];
    expect(listedOf(joined('ann', '09:00'), ...ties)).toMatchObject(shown);
  });
});

test('the talk time of a participant is the sum of all updates, of which a later one replaces those with its id', () => {
  const talkOf = (...updates: readonly SessionFact[]) => recordOf(joined('ann', '09:00'), ...updates).talk;
  const told = (ms: number) => ({ ms, source: 'platform' });
  const spoke = (id: string, time: string, spokenSeconds: number) =>
    withId(id, updated('ann', time, { spokenSeconds }));
  expect(talkOf()).toBeNull();
  expect(talkOf(spoke('a', '09:10', 1.5), spoke('b', '09:20', 2))).toEqual(told(3500));
  expect(talkOf(spoke('a', '09:10', 60), spoke('b', '09:20', 2), spoke('a', '09:30', 1.5))).toEqual(told(3500));
  const device = withId('a', updated('ann', '09:40', { deviceId: 'phone' }));
  expect(talkOf(spoke('a', '09:10', 1.5), device)).toEqual(told(1500));
});

describe('the visitors of a participant', () => {
  const visitor = (kind: Visitor['kind'], visitorId: string): Visitor => ({ kind, visitorId });

  test('are the users, or else the devices, once for each kind, in the order of their joins', () => {
    const record = recordOf(
      joined('ann', '09:00', { deviceId: 'phone' }),
      joined('ann', '09:10', { deviceId: 'phone', userId: 'u-1' }),
      joined('ann', '09:20', { deviceId: 'laptop', userId: 'u-1' }),
      joined('ann', '09:30', { deviceId: 'laptop', userId: 'u-1', roleName: 'recorder' }),
      joined('ann', '09:40', { deviceId: 'phone' }),
    );
    const three = [visitor('participant', 'phone'), visitor('participant', 'u-1'), visitor('recorder', 'u-1')];
    expect(record.visitors).toEqual(three);
  });

  test('are the same only if kind and id are the same', () => {
    const four = [
      visitor('recorder', 'a'),
      visitor('streamer', 'a'),
      visitor('streamer', 'b'),
      visitor('recorder', 'b'),
    ];
    expect(distinct([...four, ...four.toReversed()])).toEqual(four);
    expect(distinct([])).toEqual([]);
  });

  test('do not include one whose only join was taken back', () => {
    const [phone, laptop] = [joined('ann', '09:00', { deviceId: 'phone' }), joined('ann', '09:10')];
    expect(recordOf(phone, laptop, retracted(phone))).toMatchObject({
      visitors: [visitor('participant', 'device of ann')],
      earliestAt: at('09:10'),
    });
    expect(recordOf(phone, joined('ann', '09:20', { deviceId: 'phone' }), retracted(phone)).visitors).toHaveLength(1);
  });
});

describe('a participant in several rooms', () => {
  const events: readonly ClientEvent[] = [
    joined('ann', '09:00'),
    joined('ann', '09:10', { roomName: '/other', displayName: 'Anna' }),
    left('ann', '09:30', { roomName: '/other' }),
    left('ann', '09:40'),
    rated('ann', '09:50', 4),
  ];
  const frameOf = () => ({ endedAt: null, retractedIds: new Set<string>() });

  test('has one record in each of them, from the events of the room', () => {
    const { records, exceeded } = participantRecords(daily, 'ann', { events, talk: [] }, frameOf);
    expect(records).toMatchObject([
      { roomName: '/daily', usage: { participantMinutes: 40, ratings: 1 }, listed: { displayName: 'ann' } },
      { roomName: '/other', usage: { participantMinutes: 20, ratings: 0 }, listed: { displayName: 'Anna' } },
    ]);
    expect(exceeded).toEqual([]);
  });

  test('has only the first joins and leaves of all rooms together', () => {
    const most = { connections: 2, ratings: 1, updates: 1 };
    const { records, exceeded } = participantRecords(daily, 'ann', { events, talk: [] }, frameOf, most);
    expect(records.map(({ listed }) => listed?.leftAt)).toEqual([at('09:10'), at('09:10')]);
    expect(records[0]?.usage).toMatchObject({ participantMinutes: 10, ratings: 1 });
    expect(exceeded).toEqual([{ participantId: 'ann', limit: 'connections', lastAt: at('09:10') }]);
  });
});

describe('leftAt of a participant', () => {
  test.each([
    ['is null for one who is still connected', [joined('ann', '09:00')], null],
    [
      'is the end of the session for one whom it has disconnected',
      [joined('ann', '09:00'), ended('09:30')],
      at('09:30'),
    ],
    ['is the join for one who joined after the end', [joined('ann', '09:31'), ended('09:30')], at('09:31')],
    [
      'is null for one with one open connection of two',
      [joined('ann', '09:00'), joined('ann', '09:10'), left('ann', '09:20')],
      null,
    ],
    [
      'is the leave of one who left before the end',
      [joined('ann', '09:00'), left('ann', '09:30'), ended('10:00')],
      at('09:30'),
    ],
  ])('%s', (_who, facts, leftAt) => {
    expect(recordOf(...facts)).toMatchObject({ listed: { leftAt } });
  });
});

describe('a listed participant', () => {
  test('is not one whose person was erased, who still counts', () => {
    const erased = `${erasedPrefix}1`;
    const record = recordOf({
      ...joined('ann', '09:00'),
      data: { ...joined('ann', '09:00').data, participantId: erased },
    });
    expect(record).toMatchObject({ listed: null, visitors: [{ visitorId: 'device of ann' }] });
  });

  test('has the fields of the contract', () => {
    const listed = listedOf(joined('ann', '09:00', { userId: 'u-1' }), rated('ann', '09:10', 5), left('ann', '09:20'));
    expect(listed).toEqual({
      ...{ roomSessionId: daily.roomSessionId, participantId: 'ann', deviceId: 'device of ann', userId: 'u-1' },
      ...{ roleName: 'guest', displayName: 'ann', joinedAt: at('09:00'), leftAt: at('09:20'), externalId: null },
      ...{ rating: 5, tags: [], comment: null, spokenSeconds: null, spokenSource: null },
      ...{ completeness: { state: 'observed', missing: [] }, asOf: at('09:20') },
    });
    expect(SessionParticipant.safeParse(listed).success).toBe(true);
  });

  test('has the data of the latest join and the latest external id', () => {
    const first = { userId: 'u-1', roleName: 'host', displayName: 'Ann', deviceId: 'phone', externalId: 'e-1' };
    const listed = listedOf(
      joined('ann', '09:00', first),
      joined('ann', '09:10', { externalId: 'e-2', displayName: 'Anna' }),
      joined('ann', '09:20', { roleName: 'guest', displayName: 'Annie', deviceId: 'laptop' }),
    );
    expect(listed).toMatchObject({ userId: null, roleName: 'guest', displayName: 'Annie', deviceId: 'laptop' });
    expect(listed).toMatchObject({ externalId: 'e-2', joinedAt: at('09:00') });
  });

  test('is shown from the first join to the end of the last connection', () => {
    const facts = [joined('ann', '09:00'), joined('ann', '09:10'), left('ann', '09:20')];
    expect(listedOf(...facts)).toMatchObject({ joinedAt: at('09:00'), leftAt: null });
    expect(listedOf(...facts, left('ann', '09:40'))).toMatchObject({ leftAt: at('09:40') });
    expect(listedOf(...facts, ended('09:15'))).toMatchObject({ leftAt: at('09:20') });
    expect(listedOf(...facts, ended('10:00'))).toMatchObject({ leftAt: at('10:00') });
  });

  test('has no data from connections as a recorder or a streamer', () => {
    const before = joined('ann', '08:00', { roleName: 'recorder', displayName: 'Rec', externalId: 'e-9' });
    const listed = listedOf(
      before,
      joined('ann', '09:00'),
      left('ann', '09:10'),
      joined('ann', '09:30', { roleName: 'streamer', displayName: 'Live', externalId: 'e-8' }),
    );
    // The leave ends the recorder's connection, open the longest. The end of the session ends the guest's.
    expect(listed).toMatchObject({ displayName: 'ann', joinedAt: at('09:00'), leftAt: null, externalId: null });
    expect(listedOf(before)).toBeNull();
  });
});
