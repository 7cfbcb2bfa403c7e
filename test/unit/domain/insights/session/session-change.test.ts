import { describe, expect, test } from 'vitest';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { missingOf, nothingMissing } from '#shared/domain/insights/completeness.ts';
import { unknownRoom } from '#shared/domain/insights/insight-records.ts';
import type { Visitor } from '#shared/domain/insights/participant-record.ts';
import { fingerprintOf, type VisitorSegment } from '#shared/domain/insights/room-visitors.ts';
import type { RoomChange } from '#shared/domain/insights/session/session-change.ts';
import { noUsage, noVisitors } from '#shared/domain/insights/usage.ts';
import {
  at,
  daily,
  ended,
  joined,
  later,
  left,
  rated,
  retracted,
  started,
} from '../../../../support/insights/session-facts.ts';
import { sessionLedger } from '../../../../support/insights/session-ledger.ts';
import { uuid } from '../../../../support/operations/records.ts';

const participant = (visitorId: string): Visitor => ({ kind: 'participant', visitorId });
const annStay = [joined('ann', '09:00'), left('ann', '09:10')];

/** The fact in another session of the room. */
function elsewhere<Fact extends SessionFact>(fact: Fact, session = 4): Fact {
  return { ...fact, data: { ...fact.data, roomSessionId: uuid(session) } };
}

/** The ledger after these blocks of the default session. */
function ledgerAfter(...blocks: readonly (readonly SessionFact[])[]) {
  const ledger = sessionLedger();
  for (const facts of blocks) ledger.count(facts);
  return {
    ...ledger,
    /** The change of the default room by the next block of the default session. */
    next: (...facts: readonly SessionFact[]): RoomChange => changeOf(ledger.count(facts)),
    inOther: (facts: readonly SessionFact[], session = 4): RoomChange =>
      changeOf(
        ledger.count(
          facts.map((fact) => elsewhere(fact, session)),
          uuid(session),
        ),
      ),
  };
}

function changeOf([change]: readonly RoomChange[]): RoomChange {
  if (!change) throw new Error('The session has no room.');
  return change;
}

/** The change of the default room by the first block of its first session. */
const firstChange = (...facts: readonly SessionFact[]) => ledgerAfter().next(...facts);

/** How often the room counts a visitor after a change. Undefined if the change does not move the visitor. */
function sessionsOf(visitor: Visitor, { segments }: RoomChange): number | undefined {
  return segments.flatMap(({ sessions }) => sessions.get(fingerprintOf(visitor)) ?? [])[0];
}

describe('the first event of a session', () => {
  test('writes session, room, visitors and the start', () => {
    expect(firstChange(joined('ann', '09:00'))).toEqual({
      session: {
        ...{ ...daily, startedAt: at('09:00'), endedAt: null, usage: noUsage, version: 0, listedVersion: 0 },
        visitors: { ...noVisitors, participant: 1 },
        ...{ talk: null, missing: ['start'], asOf: at('09:00') },
      },
      room: {
        ...unknownRoom(daily),
        ...{ firstSessionStartedAt: at('09:00'), lastSessionStartedAt: at('09:00'), sessions: 1 },
        visitors: { ...noVisitors, participant: 1 },
        ...{ missing: { ...nothingMissing, start: 1 }, asOf: at('09:00') },
      },
      segments: [
        {
          ...{ shard: expect.any(Number), number: 1, version: 0 },
          sessions: new Map([[fingerprintOf(participant('device of ann')), 1]]),
        },
      ],
      movedStart: { from: null, to: at('09:00') },
      notice: null,
    });
  });

  test.each([
    ['a start', started('09:00')],
    ['an end', ended('09:00')],
    ['a leave', left('ann', '09:00')],
    ['a rating', rated('ann', '09:00', 4)],
  ])('can be %s', (_what, event) => {
    expect(firstChange(event)).toMatchObject({
      session: { startedAt: at('09:00'), endedAt: event.type === 'room.session.ended' ? at('09:00') : null },
      room: { sessions: 1 },
      movedStart: { from: null, to: at('09:00') },
    });
  });

  test('that was taken back before it arrived starts no session', () => {
    const taken = joined('ann', '09:00');
    expect(firstChange(retracted(taken), taken)).toMatchObject({
      session: { startedAt: null, visitors: noVisitors },
      room: { sessions: 0, createdAt: null, firstSessionStartedAt: null },
      ...{ segments: [], movedStart: null },
    });
  });

  test('adds to the totals of a room that exists already', () => {
    const { rooms, next } = ledgerAfter();
    const room = {
      ...{ ...unknownRoom(daily), createdAt: at('08:00'), sessions: 4, version: 7 },
      ...{ usage: { ...noUsage, participantMinutes: 100 }, visitors: { ...noVisitors, participant: 9 } },
    };
    rooms.set(daily.roomName, room);
    expect(next(...annStay).room).toEqual({
      ...{ ...room, sessions: 5, firstSessionStartedAt: at('09:00'), lastSessionStartedAt: at('09:00') },
      ...{ usage: { ...noUsage, participantMinutes: 110 }, visitors: { ...noVisitors, participant: 10 } },
      ...{ missing: { ...nothingMissing, start: 1 }, asOf: at('09:10') },
    });
  });
});

describe('a later event of a session', () => {
  const known = [started('08:50'), ...annStay];

  test.each([
    ['nothing', known],
    ['a second, later start', [started('08:55')]],
    ['a retraction of nothing', [retracted(joined('bob', '09:30'))]],
  ])('that adds %s writes only the version of the session', (_what, facts) => {
    const { next, sessions } = ledgerAfter(known);
    const [session] = [...sessions.values()];
    expect(next(...facts)).toEqual({ session, room: null, segments: [], movedStart: null, notice: null });
  });

  test("replaces the participant's share of the totals", () => {
    const { next } = ledgerAfter(known, [joined('bob', '09:00'), left('bob', '09:03')]);
    const change = next(joined('ann', '09:30'), left('ann', '09:35'), rated('ann', '09:36', 4.5));
    const usage = { ...noUsage, participantMinutes: 10 + 5 + 3, ratings: 1, ratingThousandths: 4500 };
    expect(change).toMatchObject({ session: { usage, version: 2 }, room: { usage, sessions: 1, version: 2 } });
    expect(change).toMatchObject({ segments: [], movedStart: null });
  });

  test('lowers the totals if an earlier event counted too much', () => {
    const change = ledgerAfter([joined('ann', '09:00'), ended('10:00')]).next(left('ann', '09:10'));
    expect(change.session.usage.participantMinutes).toBe(10);
    expect(change.room?.usage.participantMinutes).toBe(10);
  });

  test('that only ends the session writes the room only for its latest event', () => {
    const change = ledgerAfter(known).next(ended('10:00'));
    expect(change).toMatchObject({ session: { endedAt: at('10:00') }, movedStart: null });
    expect(change.room).toMatchObject({ asOf: at('10:00'), sessions: 1, usage: { participantMinutes: 10 } });
  });

  test('that changes no total and is not the latest does not write the room', () => {
    const change = ledgerAfter([started('08:50'), joined('ann', '09:00'), left('ann', '09:10')]);
    expect(change.next(ended('09:09:59'))).toMatchObject({ session: { endedAt: at('09:09:59') }, room: null });
  });

  test('that was the latest and is taken back leaves its time in the room', () => {
    const { next } = ledgerAfter(known);
    const last = rated('ann', '09:30', 4);
    expect(next(last)).toMatchObject({ session: { asOf: at('09:30') }, room: { asOf: at('09:30') } });
    expect(next(retracted(last))).toMatchObject({ session: { asOf: at('09:10') }, room: { asOf: at('09:30') } });
  });
});

describe('what a room misses', () => {
  const ofRoom = ({ room }: RoomChange) => room && missingOf(room.missing);

  test('is what any of its sessions misses, until the platform tells', () => {
    const { inOther, next } = ledgerAfter([joined('ann', '09:00')]);
    expect(ofRoom(inOther([started('09:00'), joined('bob', '09:01'), ended('09:30')]))).toEqual(['start', 'leave']);
    expect(ofRoom(inOther([left('bob', '09:30')]))).toEqual(['start']);
    expect(ofRoom(next(started('08:59')))).toEqual([]);
  });

  test('is not what a session missed of which every event was taken back', () => {
    const { next } = ledgerAfter([joined('ann', '09:00')]);
    expect(ofRoom(next(retracted(joined('ann', '09:00'))))).toEqual([]);
  });
});

describe('a visitor', () => {
  const phone = participant('phone');
  const again = joined('ann', '09:20', { deviceId: 'phone' });
  const bob = joined('bob', '09:30', { deviceId: 'phone' });

  test('is not counted again if the session counted them for another participant', () => {
    const change = ledgerAfter([again]).next(bob);
    expect(change).toMatchObject({ segments: [], session: { visitors: { participant: 1 } } });
    expect(change.room?.visitors).toEqual({ ...noVisitors, participant: 1 });
  });

  test('from another session of the room is new to this session, not to the room', () => {
    const { inOther, next } = ledgerAfter();
    for (const session of [4, 5, 6]) inOther([again], session);
    const change = next(again);
    expect(sessionsOf(phone, change)).toBe(4);
    expect(change.session.visitors).toEqual({ ...noVisitors, participant: 1 });
    expect(change.room?.visitors).toEqual({ ...noVisitors, participant: 1 });
  });

  test('is counted once for each kind', () => {
    const facts = ['guest', 'recorder', 'streamer'].map((roleName, minute) =>
      joined('ann', later('09:00', minute * 60_000), { roleName, deviceId: 'phone' }),
    );
    expect(firstChange(...facts).session.visitors).toEqual({ participant: 1, recorder: 1, streamer: 1 });
  });

  test('of two new participants is counted once', () => {
    const change = firstChange(again, bob);
    expect(sessionsOf(phone, change)).toBe(1);
    expect(change).toMatchObject({ session: { visitors: { participant: 1 } }, room: { visitors: { participant: 1 } } });
  });

  test('is counted until every join was taken back: in the session, and then in the room', () => {
    const { inOther, next, count } = ledgerAfter([again, bob]);
    inOther([again]);
    expect(next(retracted(again))).toMatchObject({ session: { visitors: { participant: 1 } }, segments: [] });
    const gone = next(retracted(bob));
    expect([gone.session.visitors, sessionsOf(phone, gone)]).toEqual([noVisitors, 1]);
    expect(gone.room?.visitors).toEqual({ ...noVisitors, participant: 1 });
    const [last] = count([elsewhere(retracted(again))], uuid(4));
    expect(last?.room?.visitors).toEqual(noVisitors);
  });

  test.each<[string, (segment: VisitorSegment) => VisitorSegment]>([
    ['is stored no more', (segment) => ({ ...segment, sessions: new Map() })],
    ['is counted by no session', (segment) => ({ ...segment, sessions: new Map([[fingerprintOf(phone), 0]]) })],
  ])('whom an erasure has removed from the room stays removed if the visitor %s', (_how, erase) => {
    const { next, segments, rooms } = ledgerAfter([again]);
    for (const [name, segment] of segments) segments.set(name, erase(segment));
    const change = next(retracted(again));
    expect(change.segments).toEqual([]);
    expect(rooms.get(daily.roomName)?.visitors.participant).toBe(1);
  });
});

describe('the start of a session', () => {
  const others = [started('08:45'), started('09:02')];
  const first = joined('ann', '09:00');

  test.each([
    ['moves to an observed start, even a later one', started('09:05'), '09:05'],
    ['moves to an earlier event if it was inferred', left('bob', '08:30'), '08:30'],
  ])('%s', (_how, fact, startedAt) => {
    const { inOther, next } = ledgerAfter([first]);
    for (const [index, other] of others.entries()) inOther([other], 4 + index);
    const starts = [startedAt, '08:45', '09:02'].map(at).toSorted();
    expect(next(fact)).toMatchObject({
      session: { startedAt: at(startedAt) },
      movedStart: { from: at('09:00'), to: at(startedAt) },
      room: { firstSessionStartedAt: starts[0], lastSessionStartedAt: starts[2], sessions: 3 },
    });
  });

  test('requires the version of the room even if it moves between the starts of other sessions', () => {
    const { inOther, next, rooms } = ledgerAfter([first]);
    for (const [index, time] of ['08:00', '10:00'].entries()) inOther([started(time)], 4 + index);
    const before = rooms.get(daily.roomName);
    expect(next(started('09:05')).room).toEqual({ ...before, missing: { ...nothingMissing, start: 0 } });
  });

  test('stays if a later event arrives', () => {
    expect(ledgerAfter([first]).next(left('bob', '09:30'))).toMatchObject({
      session: { startedAt: at('09:00') },
      movedStart: null,
    });
  });

  test('disappears with the last event, and with it the session', () => {
    const { inOther, next } = ledgerAfter([first]);
    inOther([started('09:02')]);
    expect(next(retracted(first))).toMatchObject({
      session: { startedAt: null, visitors: noVisitors },
      room: { sessions: 1, firstSessionStartedAt: at('09:02'), lastSessionStartedAt: at('09:02') },
      movedStart: { from: at('09:00'), to: null },
    });
  });
});
