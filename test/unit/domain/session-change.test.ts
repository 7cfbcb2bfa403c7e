import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '#shared/contracts/session-events.ts';
import { type RoomRecord, unknownRoom } from '#shared/domain/insight-records.ts';
import { countedVisitors, type ParticipantRecord, type Visitor } from '#shared/domain/participant-record.ts';
import { changeOf, type MarkedVisitors, type RoomState, type SessionChange } from '#shared/domain/session-change.ts';
import { findDrift, type SessionState } from '#shared/domain/session-drift.ts';
import { noUsage, noVisitors } from '#shared/domain/usage.ts';
import { presentVisitor } from '../../support/insight-records.ts';
import { at, daily, ended, joined, later, left, rated, started } from '../../support/session-facts.ts';

type Stored = SessionState & RoomState;

const noneCounted: MarkedVisitors = { session: [], room: [] };
const nothingStored: Stored = {
  ...{ session: undefined, participants: [], facts: [] },
  ...{ room: undefined, counted: noneCounted, stillPresent: [], otherStarts: { first: null, last: null } },
};

/** The change that these facts require. Throws if they require none. */
function changeFor(facts: readonly SessionEvent[], stored: Partial<Stored> = {}): SessionChange {
  const known = { ...nothingStored, ...stored, facts };
  const drift = findDrift(daily, known);
  if (!drift) throw new Error('Nothing has changed.');
  return changeOf(daily, known, drift, known);
}

/** The stored state after a change: what it writes, and what it leaves alone. */
function stateAfter({ session, room, participants }: SessionChange, before: Stored = nothingStored): Stored {
  const isReplaced = ({ participantId }: ParticipantRecord) =>
    participants.some((record) => record.participantId === participantId);
  return {
    ...nothingStored,
    session: { ...session, version: session.version + 1 },
    room: room ? { ...room, version: room.version + 1 } : before.room,
    participants: [...before.participants.filter((record) => !isReplaced(record)), ...participants],
  };
}

const participant = (visitorId: string): Visitor => ({ kind: 'participant', visitorId });
const annStay = [joined('ann', '09:00'), left('ann', '09:10')];

describe('the first event of a session', () => {
  test('writes session, room, participant, visitors and the start', () => {
    const change = changeFor([joined('ann', '09:00')]);
    expect(change).toEqual({
      session: {
        ...{ ...daily, startedAt: at('09:00'), endedAt: null, usage: noUsage, version: 0 },
        visitors: { ...noVisitors, participant: 1 },
      },
      room: {
        ...unknownRoom(daily),
        ...{ firstSessionStartedAt: at('09:00'), lastSessionStartedAt: at('09:00'), sessions: 1 },
        visitors: { ...noVisitors, participant: 1 },
      },
      participants: [expect.objectContaining({ participantId: 'ann' })],
      sessionVisitors: [{ ...participant('device of ann'), participantId: 'ann' }],
      goneParticipants: [],
      goneVisitors: [],
      roomMarks: [{ visitor: participant('device of ann'), from: 0, to: 1 }],
      movedStart: { from: null, to: at('09:00') },
    });
  });

  test.each([
    ['a start', started('09:00')],
    ['an end', ended('09:00')],
    ['a leave', left('ann', '09:00')],
    ['a rating', rated('ann', '09:00', 4)],
  ])('can be %s', (_what, event) => {
    expect(changeFor([event])).toMatchObject({
      session: { startedAt: at('09:00'), endedAt: event.type === 'room.session.ended' ? at('09:00') : null },
      room: { sessions: 1 },
      movedStart: { from: null, to: at('09:00') },
    });
  });

  test('adds to the totals of a room that exists already', () => {
    const room: RoomRecord = {
      ...unknownRoom(daily),
      ...{ createdAt: at('08:00'), sessions: 4, version: 7, lastSessionStartedAt: at('08:30') },
      ...{ usage: { ...noUsage, participantMinutes: 100 }, visitors: { ...noVisitors, participant: 9 } },
    };
    const otherStarts = { first: at('08:10'), last: at('08:30') };
    const change = changeFor(annStay, { room, otherStarts });
    expect(change.room).toEqual({
      ...room,
      ...{ sessions: 5, firstSessionStartedAt: at('08:10'), lastSessionStartedAt: at('09:00') },
      ...{ usage: { ...noUsage, participantMinutes: 110 }, visitors: { ...noVisitors, participant: 10 } },
    });
  });

  test('is required: without facts there is no change', () => {
    expect(findDrift(daily, nothingStored)).toBeNull();
  });
});

describe('a later event of a session', () => {
  const before = stateAfter(changeFor([started('08:50'), ...annStay]));

  test.each([
    ['nothing', [started('08:50'), ...annStay]],
    ['nothing about participants', [started('08:50')]],
    ['a second, later start', [started('08:50'), started('08:55'), ...annStay]],
    ['a leave without a connection', [started('08:50'), ...annStay, left('ann', '09:30')]],
  ])('that adds %s writes only the version of the session', (_what, facts) => {
    expect(changeFor(facts, before)).toEqual({
      session: before.session,
      ...{ room: null, participants: [], goneParticipants: [], movedStart: null },
      ...{ sessionVisitors: [], goneVisitors: [], roomMarks: [] },
    });
  });

  test("replaces the participant's share of the totals and writes no other participant", () => {
    const bobThere = stateAfter(
      changeFor([started('08:50'), joined('bob', '09:00'), left('bob', '09:03')], before),
      before,
    );
    const facts = [
      started('08:50'),
      ...annStay,
      joined('ann', '09:30'),
      left('ann', '09:35'),
      rated('ann', '09:36', 4.5),
    ];
    const change = changeFor(facts, bobThere);
    const usage = { ...noUsage, participantMinutes: 10 + 5 + 3, ratings: 1, ratingThousandths: 4500 };
    expect(change).toMatchObject({ session: { usage, version: 2 }, room: { usage, sessions: 1, version: 2 } });
    expect(change.participants.map(({ participantId }) => participantId)).toEqual(['ann']);
    expect(change).toMatchObject({ sessionVisitors: [], roomMarks: [], movedStart: null });
  });

  test('lowers the totals if an earlier event counted too much', () => {
    const open = stateAfter(changeFor([joined('ann', '09:00'), ended('10:00')]));
    const change = changeFor([joined('ann', '09:00'), ended('10:00'), left('ann', '09:10')], open);
    expect(change.session.usage.participantMinutes).toBe(10);
    expect(change.room?.usage.participantMinutes).toBe(10);
  });

  test('that only ends the session does not write the room', () => {
    const change = changeFor([started('08:50'), ended('10:00')], before);
    expect(change).toMatchObject({ session: { endedAt: at('10:00') }, room: null, participants: [], movedStart: null });
  });

  test('that changes no total does not write the room', () => {
    const change = changeFor([started('08:50'), joined('ann', '09:00'), left('ann', '09:09:59')], before);
    expect(change.participants[0]?.listed?.leftAt).toBe(at('09:09:59'));
    expect(change.room).toBeNull();
  });
});

describe('a visitor', () => {
  const again = joined('ann', '09:20', { deviceId: 'phone' });

  test('is not counted again if the session counted them for another participant', () => {
    const counted = { session: [participant('phone')], room: [{ ...participant('phone'), sessions: 1 }] };
    const change = changeFor([again], { ...stateAfter(changeFor([started('09:00')])), counted });
    expect(change).toMatchObject({ sessionVisitors: [], roomMarks: [], session: { visitors: noVisitors } });
    expect(change.participants[0]?.counted).toEqual(countedVisitors([presentVisitor('participant', 'phone')]));
  });

  test('from another session of the room is new to this session, not to the room', () => {
    const change = changeFor([again], { counted: { session: [], room: [{ ...participant('phone'), sessions: 3 }] } });
    expect(change).toMatchObject({ sessionVisitors: [participant('phone')], roomMarks: [{ from: 3, to: 4 }] });
    expect(change.session.visitors).toEqual({ ...noVisitors, participant: 1 });
    expect(change.room?.visitors).toEqual(noVisitors);
  });

  test('is counted once for each kind', () => {
    const facts = ['guest', 'recorder', 'streamer'].map((roleName, minute) =>
      joined('ann', later('09:00', minute * 60_000), { roleName, deviceId: 'phone' }),
    );
    expect(changeFor(facts).session.visitors).toEqual({ participant: 1, recorder: 1, streamer: 1 });
  });

  test('of two new participants is counted once', () => {
    const change = changeFor([again, joined('bob', '09:20', { deviceId: 'phone' })]);
    expect(change.sessionVisitors).toEqual([{ ...participant('phone'), participantId: 'ann' }]);
    const counted = countedVisitors([presentVisitor('participant', 'phone')]);
    expect(change.participants.map((record) => record.counted)).toEqual([counted, counted]);
  });
});

describe('the start of a session', () => {
  const before = stateAfter(changeFor([joined('ann', '09:00')]));

  test.each([
    ['moves to an observed start, even a later one', [joined('ann', '09:00'), started('09:05')], '09:05'],
    ['moves to an earlier event if it was inferred', [joined('ann', '09:00'), left('bob', '08:30')], '08:30'],
  ])('%s', (_how, facts, startedAt) => {
    const others = { first: at('08:45'), last: at('09:02') };
    const change = changeFor(facts, { ...before, otherStarts: others });
    expect(change).toMatchObject({
      session: { startedAt: at(startedAt) },
      movedStart: { from: at('09:00'), to: at(startedAt) },
      room: {
        firstSessionStartedAt: [at(startedAt), others.first].toSorted()[0],
        lastSessionStartedAt: [at(startedAt), others.last].toSorted()[1],
        sessions: 1,
      },
    });
  });

  test('requires the version of the room even if it moves between the starts of other sessions', () => {
    const otherStarts = { first: at('08:00'), last: at('10:00') };
    const known = stateAfter(changeFor([joined('ann', '09:00')], { otherStarts }));
    const change = changeFor([joined('ann', '09:00'), started('09:05')], { ...known, otherStarts });
    expect(change.room).toEqual(known.room);
  });

  test('stays if it was inferred from participants that are not read now', () => {
    expect(changeFor([left('bob', '09:30')], before)).toMatchObject({
      session: { startedAt: at('09:00') },
      movedStart: null,
    });
  });
});
