import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoomInsight, RoomSessionInsight } from '#shared/contracts/insights/insights.ts';
import {
  afterCreation,
  type RoomRecord,
  toRoomInsight,
  toRoomSessionInsight,
  unknownRoom,
} from '#shared/domain/insights/insight-records.ts';
import { noUsage, noVisitors } from '#shared/domain/insights/usage.ts';
import { at, created, daily, permutations, withId } from '../../../support/insights/session-facts.ts';

const unknown = unknownRoom(daily);
const roomAfter = (events: readonly ReturnType<typeof created>[], room: RoomRecord = unknown) =>
  events.reduce(afterCreation, room);

describe('a room.created event', () => {
  test('sets when the room was created and when it ends, and nothing else', () => {
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
      'several events',
      [created('09:00', '18:00'), created('10:00', '19:00'), created('08:00', '20:00')],
      '08:00',
      '19:00',
    ],
    ['two events, the later one without an end', [created('09:00', '18:00'), created('10:00')], '09:00', null],
    ['two events, the later one with an end', [created('09:00'), created('10:00', '18:00')], '09:00', '18:00'],
    [
      'two events of one time, of which the larger id decides the end',
      [withId('a', created('09:00', '18:00')), withId('b', created('09:00', '17:00'))],
      '09:00',
      '17:00',
    ],
  ] as const)('gives the same room in any order of %s', (_how, events, createdAt, endAt) => {
    for (const order of permutations(events)) {
      expect(roomAfter(order)).toMatchObject({ createdAt: at(createdAt), endAt: endAt && at(endAt) });
      expect(roomAfter([...order, ...order])).toEqual(roomAfter(order));
    }
  });

  test('gives the same room for any events in any order', () => {
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

  test('returns the same object if it says nothing new, so that nothing is written', () => {
    const events = [created('09:00', '18:00'), created('10:00', '19:00')];
    const room = roomAfter(events);
    for (const event of [...events, created('09:30', '17:00')]) expect(afterCreation(room, event)).toBe(room);
  });

  test('keeps what the room already knows about its sessions', () => {
    const room = { ...unknown, sessions: 3, firstSessionStartedAt: at('08:00'), version: 7 };
    expect(roomAfter([created('09:00')], room)).toMatchObject({
      sessions: 3,
      firstSessionStartedAt: at('08:00'),
      version: 7,
    });
  });
});

describe('toRoomInsight', () => {
  test('returns what the contract defines, without internal fields', () => {
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

  test('shows the start of the first session as the creation time if no other is known', () => {
    expect(toRoomInsight({ ...unknown, firstSessionStartedAt: at('09:10') }).createdAt).toBe(at('09:10'));
    expect(toRoomInsight({ ...unknown, createdAt: at('10:00'), firstSessionStartedAt: at('09:10') }).createdAt).toBe(
      at('10:00'),
    );
  });
});

test('toRoomSessionInsight returns what the contract defines', () => {
  const totals = { usage: noUsage, visitors: noVisitors, talk: null, missing: [], asOf: at('09:00') };
  const session = { ...daily, ...totals, startedAt: at('09:00'), endedAt: null, version: 3, listedVersion: 2 };
  const room = { ...unknownRoom(daily), createdAt: at('08:00'), endAt: at('18:00') };
  const shown = toRoomSessionInsight(session, room);
  expect(RoomSessionInsight.parse(shown)).toEqual(shown);
  expect(Object.keys(shown).sort()).toEqual(Object.keys(RoomSessionInsight.shape).sort());
  expect(shown).toMatchObject({
    ...{ createdAt: at('08:00'), endAt: at('18:00') },
    ...{ startedAt: at('09:00'), endedAt: null, rating: null, totalRatings: 0 },
  });
});
