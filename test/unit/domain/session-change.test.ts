import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '#shared/contracts/session-events.ts';
import { type RoomRecord, unknownRoom } from '#shared/domain/insight-records.ts';
import type { ParticipantRecord, Visitor } from '#shared/domain/participant-record.ts';
import {
  type CountedVisitors,
  changeOf,
  findDrift,
  type RoomState,
  type SessionChange,
  type SessionState,
} from '#shared/domain/session-change.ts';
import { noUsage, noVisitors } from '#shared/domain/usage.ts';
import { at, daily, ended, joined, later, left, rated, started } from '../../support/session-facts.ts';

type Stored = SessionState & RoomState;

const nobodyCounted: CountedVisitors = { session: [], room: [] };
const nothingStored: Stored = {
  ...{ session: undefined, participants: [], facts: [] },
  ...{ room: undefined, counted: nobodyCounted, otherStarts: { first: null, last: null } },
};

/** What is to be written where the facts are these; throws where nothing is. */
function changeFor(facts: readonly SessionEvent[], stored: Partial<Stored> = {}): SessionChange {
  const known = { ...nothingStored, ...stored, facts };
  const drift = findDrift(daily, known);
  if (!drift) throw new Error('Nothing has changed.');
  return changeOf(daily, known, drift, known);
}

/** What is stored after a change: what it writes, and what it leaves as it was. */
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

describe('the first event', () => {
  test('makes session and room known, counts who is there, and marks the start', () => {
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
      sessionVisitors: [participant('device of ann')],
      roomVisitors: [participant('device of ann')],
      movedStart: { from: null, to: at('09:00') },
    });
  });

  test.each([
    ['a start', started('09:00')],
    ['an end', ended('09:00')],
    ['a leave', left('ann', '09:00')],
    ['a rating', rated('ann', '09:00', 4)],
  ])('may be %s', (_what, event) => {
    expect(changeFor([event])).toMatchObject({
      session: { startedAt: at('09:00'), endedAt: event.type === 'room.session.ended' ? at('09:00') : null },
      room: { sessions: 1 },
      movedStart: { from: null, to: at('09:00') },
    });
  });

  test('of a room that is known is added to what the room has', () => {
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

  test('is waited for: nothing is known without facts', () => {
    expect(findDrift(daily, nothingStored)).toBeNull();
  });
});

describe('a later event', () => {
  const before = stateAfter(changeFor([started('08:50'), ...annStay]));

  test.each([
    ['nothing', [started('08:50'), ...annStay]],
    ['no facts of people', [started('08:50')]],
    ['a second start that came later', [started('08:50'), started('08:55'), ...annStay]],
    ['a leave too many', [started('08:50'), ...annStay, left('ann', '09:30')]],
  ])('that says %s new writes nothing but the session, for its version', (_what, facts) => {
    expect(changeFor(facts, before)).toEqual({
      session: before.session,
      ...{ room: null, participants: [], sessionVisitors: [], roomVisitors: [], movedStart: null },
    });
  });

  test('replaces what a participant has added to the totals, and writes nobody else', () => {
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
    expect(change).toMatchObject({ sessionVisitors: [], roomVisitors: [], movedStart: null });
  });

  test('takes away what turns out to have been too much', () => {
    const open = stateAfter(changeFor([joined('ann', '09:00'), ended('10:00')]));
    const change = changeFor([joined('ann', '09:00'), ended('10:00'), left('ann', '09:10')], open);
    expect(change.session.usage.participantMinutes).toBe(10);
    expect(change.room?.usage.participantMinutes).toBe(10);
  });

  test('that tells the end alone leaves the room as it is', () => {
    const change = changeFor([started('08:50'), ended('10:00')], before);
    expect(change).toMatchObject({ session: { endedAt: at('10:00') }, room: null, participants: [], movedStart: null });
  });

  test('that changes no total leaves the room as it is', () => {
    const change = changeFor([started('08:50'), joined('ann', '09:00'), left('ann', '09:09:59')], before);
    expect(change.participants[0]?.listed?.leftAt).toBe(at('09:09:59'));
    expect(change.room).toBeNull();
  });
});

describe('a visitor', () => {
  const again = joined('ann', '09:20', { deviceId: 'phone' });

  test('that the session has counted for somebody else is not counted again', () => {
    const counted = { session: [participant('phone')], room: [participant('phone')] };
    const change = changeFor([again], { ...stateAfter(changeFor([started('09:00')])), counted });
    expect(change).toMatchObject({ sessionVisitors: [], roomVisitors: [], session: { visitors: noVisitors } });
    expect(change.participants[0]?.visitors).toEqual([participant('phone')]);
  });

  test('whom the room knows from another session is new to this one', () => {
    const change = changeFor([again], { counted: { session: [], room: [participant('phone')] } });
    expect(change).toMatchObject({ sessionVisitors: [participant('phone')], roomVisitors: [] });
    expect(change.session.visitors).toEqual({ ...noVisitors, participant: 1 });
    expect(change.room?.visitors).toEqual(noVisitors);
  });

  test('is one of each kind', () => {
    const facts = ['guest', 'recorder', 'streamer'].map((roleName, minute) =>
      joined('ann', later('09:00', minute * 60_000), { roleName, deviceId: 'phone' }),
    );
    expect(changeFor(facts).session.visitors).toEqual({ participant: 1, recorder: 1, streamer: 1 });
  });

  test('behind two participants who are new at once is counted once', () => {
    const change = changeFor([again, joined('bob', '09:20', { deviceId: 'phone' })]);
    expect(change.sessionVisitors).toEqual([participant('phone')]);
    expect(change.participants.map(({ visitors }) => visitors)).toEqual([
      [participant('phone')],
      [participant('phone')],
    ]);
  });
});

describe('the start of a session', () => {
  const before = stateAfter(changeFor([joined('ann', '09:00')]));

  test.each([
    ['moves to an observed one, even a later one', [joined('ann', '09:00'), started('09:05')], '09:05'],
    ['moves to an earlier event', [joined('ann', '09:00'), left('bob', '08:30')], '08:30'],
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

  test('that moves between those of others is written under the version of the room all the same', () => {
    const otherStarts = { first: at('08:00'), last: at('10:00') };
    const known = stateAfter(changeFor([joined('ann', '09:00')], { otherStarts }));
    const change = changeFor([joined('ann', '09:00'), started('09:05')], { ...known, otherStarts });
    expect(change.room).toEqual(known.room);
  });

  test('that was inferred from facts of people who are not read now stays', () => {
    expect(changeFor([left('bob', '09:30')], before)).toMatchObject({
      session: { startedAt: at('09:00') },
      movedStart: null,
    });
  });
});
