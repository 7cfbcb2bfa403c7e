import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoomInsight, RoomSessionInsight } from '#shared/contracts/insights.ts';
import {
  afterCreation,
  type RoomRecord,
  toRoomInsight,
  toRoomSessionInsight,
  unknownRoom,
} from '#shared/domain/insight-records.ts';
import { noUsage, noVisitors } from '#shared/domain/usage.ts';
import { at, created, daily, permutations, withId } from '../../support/session-facts.ts';

const unknown = unknownRoom(daily);
const roomAfter = (events: readonly ReturnType<typeof created>[], room: RoomRecord = unknown) =>
  events.reduce(afterCreation, room);

describe('a room that was created', () => {
  test('is known by it, and nothing else changes', () => {
    const { organizationId, roomName } = daily;
    expect(unknown).toMatchObject({ organizationId, roomName, createdAt: null, endAt: null, sessions: 0, version: 0 });
    expect(roomAfter([created('09:00', '18:00')])).toEqual({
      ...unknown,
      createdAt: at('09:00'),
      endAt: at('18:00'),
      endAtSetBy: `${at('09:00')} ${created('09:00').id}`,
    });
  });

  test.each([
    [
      'several times',
      [created('09:00', '18:00'), created('10:00', '19:00'), created('08:00', '20:00')],
      '08:00',
      '19:00',
    ],
    ['again, without an end', [created('09:00', '18:00'), created('10:00')], '09:00', null],
    ['without an end, and then with one', [created('09:00'), created('10:00', '18:00')], '09:00', '18:00'],
    [
      'twice at one time: the larger id says when it ends',
      [withId('a', created('09:00', '18:00')), withId('b', created('09:00', '17:00'))],
      '09:00',
      '17:00',
    ],
  ] as const)('%s is the same in any order', (_how, events, createdAt, endAt) => {
    for (const order of permutations(events)) {
      expect(roomAfter(order)).toMatchObject({ createdAt: at(createdAt), endAt: endAt && at(endAt) });
      expect(roomAfter([...order, ...order])).toEqual(roomAfter(order));
    }
  });

  test('by any events in any order comes to the same', () => {
    const event = fc.record({ minute: fc.nat(5), end: fc.option(fc.nat(5)), id: fc.constantFrom('a', 'b', 'c') });
    const told = fc
      .uniqueArray(event, { maxLength: 6, selector: ({ minute, id }) => `${minute} ${id}` })
      .map((facts) =>
        facts.map(({ minute, end, id }) =>
          withId(id, created(`09:0${minute}`, end === null ? undefined : `18:0${end}`)),
        ),
      );
    const orders = told.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
    );
    fc.assert(
      fc.property(orders, ([events, order]) => {
        expect(roomAfter(order)).toEqual(roomAfter(events));
      }),
    );
  });

  test('and of which nothing new is said is the same object, so that nothing is written', () => {
    const events = [created('09:00', '18:00'), created('10:00', '19:00')];
    const room = roomAfter(events);
    for (const event of [...events, created('09:30', '17:00')]) expect(afterCreation(room, event)).toBe(room);
  });

  test('keeps what is known of its sessions', () => {
    const room = { ...unknown, sessions: 3, firstSessionStartedAt: at('08:00'), version: 7 };
    expect(roomAfter([created('09:00')], room)).toMatchObject({
      sessions: 3,
      firstSessionStartedAt: at('08:00'),
      version: 7,
    });
  });
});

describe('a room is shown', () => {
  test('as the contract says, without what only the service needs', () => {
    const room = {
      ...roomAfter([created('09:00', '18:00')]),
      ...{ firstSessionStartedAt: at('09:10'), lastSessionStartedAt: at('10:10'), sessions: 2, version: 9 },
      ...{ usage: { ...noUsage, ratings: 1, ratingThousandths: 4000 }, visitors: { ...noVisitors, recorder: 1 } },
    };
    const shown = toRoomInsight(room);
    expect(RoomInsight.parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      ...{ roomName: '/daily', createdAt: at('09:00'), endAt: at('18:00'), totalSessions: 2 },
      ...{ firstSessionStartedAt: at('09:10'), lastSessionStartedAt: at('10:10') },
      ...{ rating: 4, totalRatings: 1, totalUniqueRecorders: 1 },
    });
    expect(Object.keys(shown).sort()).toEqual(Object.keys(RoomInsight.shape).sort());
  });

  test('as created with its first session, where nothing else is known', () => {
    expect(toRoomInsight({ ...unknown, firstSessionStartedAt: at('09:10') }).createdAt).toBe(at('09:10'));
    expect(toRoomInsight({ ...unknown, createdAt: at('10:00'), firstSessionStartedAt: at('09:10') }).createdAt).toBe(
      at('10:00'),
    );
  });
});

test('a session is shown as the contract says', () => {
  const session = { ...daily, startedAt: at('09:00'), endedAt: null, usage: noUsage, visitors: noVisitors, version: 3 };
  const shown = toRoomSessionInsight(session);
  expect(RoomSessionInsight.parse(shown)).toEqual(shown);
  expect(Object.keys(shown).sort()).toEqual(Object.keys(RoomSessionInsight.shape).sort());
  expect(shown).toMatchObject({ startedAt: at('09:00'), endedAt: null, rating: null, totalRatings: 0 });
});
