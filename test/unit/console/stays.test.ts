import { describe, expect, test } from 'vitest';
import type { ParticipantSessionDetail, SessionParticipant } from '../../../client/types.ts';
import { hasRated, peopleRows } from '../../../console/views/insights/session/people-rows.ts';
import { placeOf, staysOf } from '../../../console/views/insights/session/stays.ts';

const time = (minute: number) => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();
const ms = (minute: number) => Date.parse(time(minute));

function connection(joined: number, left?: number): ParticipantSessionDetail {
  const events = [{ type: 'joined' as const, timeStamp: time(joined) }];
  return {
    ...{ displayName: 'Ada', userRole: 'participant', userAgent: '', sampleRateMs: 2000 },
    ...{ timeStamp: time(joined), samplesFrom: time(joined) },
    samples: { packetLossSend: [], packetLossRecv: [], bitrateSend: [], bitrateRecv: [] },
    events: left === undefined ? events : [...events, { type: 'left', timeStamp: time(left) }],
  };
}

describe('staysOf', () => {
  test('has a stay for each connection, in the order of joining', () => {
    const stays = staysOf([connection(20, 30), connection(0, 10)], { sessionEndedAt: time(60), leftAt: time(30) });
    expect(stays).toEqual([
      { from: ms(0), to: ms(10), hasLeave: true },
      { from: ms(20), to: ms(30), hasLeave: true },
    ]);
  });

  test('ends a stay without a leave when the participant is said to have left', () => {
    const stays = staysOf([connection(5)], { sessionEndedAt: time(60), leftAt: time(40) });
    expect(stays).toEqual([{ from: ms(5), to: ms(40), hasLeave: false }]);
  });

  test('keeps a stay open while the session goes on', () => {
    expect(staysOf([connection(5)], { sessionEndedAt: null, leftAt: null })).toEqual([
      { from: ms(5), to: undefined, hasLeave: false },
    ]);
  });

  test('has no length if the session ended before the join', () => {
    expect(staysOf([connection(70)], { sessionEndedAt: time(60), leftAt: null })).toEqual([
      { from: ms(70), to: ms(70), hasLeave: false },
    ]);
  });
});

describe('placeOf', () => {
  const window = { from: 100, to: 200 };

  test('is in percent of the window, and cut at its ends', () => {
    expect(placeOf({ from: 110, to: 120 }, window)).toEqual({ start: 10, width: 10 });
    expect(placeOf({ from: 0, to: 150 }, window)).toEqual({ start: 0, width: 50 });
    expect(placeOf({ from: 190, to: undefined }, window)).toEqual({ start: 90, width: 10 });
  });

  test('is nowhere if the window shows nothing of it', () => {
    expect(placeOf({ from: 0, to: 99 }, window)).toBeUndefined();
    expect(placeOf({ from: 0, to: 100 }, window)).toBeUndefined();
    expect(placeOf({ from: 200, to: 300 }, window)).toBeUndefined();
  });
});

describe('peopleRows', () => {
  const person = (fields: Partial<SessionParticipant>): SessionParticipant => ({
    ...{ roomSessionId: 'session', participantId: 'p', deviceId: 'd', userId: null, roleName: 'participant' },
    ...{ displayName: 'Ada', joinedAt: time(0), leftAt: null, externalId: null, rating: null, tags: [], comment: null },
    ...{ spokenSeconds: null, spokenSource: null, completeness: { state: 'observed', missing: [] }, asOf: time(0) },
    ...fields,
  });
  const people = [
    person({ participantId: 'a', displayName: 'Zoé', joinedAt: time(3), spokenSeconds: 5, rating: 1 }),
    person({ participantId: 'b', displayName: 'ada', joinedAt: time(1), externalId: 'CRM-7' }),
    person({ participantId: 'c', displayName: '\u3164', joinedAt: time(2), spokenSeconds: 50, rating: 5 }),
  ];
  const ids = (search: Parameters<typeof peopleRows>[1]) =>
    peopleRows(people, search).map((each) => each.participantId);

  test('finds by name and ids, whatever the case', () => {
    expect(ids({ find: ' ADA ' })).toEqual(['b']);
    expect(ids({ find: 'crm-7' })).toEqual(['b']);
    expect(ids({ find: 'nobody' })).toEqual([]);
  });

  test('sorts by the field of the address, with those without a value last in both directions', () => {
    expect(ids({})).toEqual(['b', 'c', 'a']);
    expect(ids({ sort: 'talk:desc' })).toEqual(['c', 'a', 'b']);
    expect(ids({ sort: 'talk:asc' })).toEqual(['a', 'c', 'b']);
    expect(ids({ sort: 'name:asc' })).toEqual(['b', 'a', 'c']);
    expect(ids({ sort: 'name:desc' })).toEqual(['a', 'b', 'c']);
    expect(ids({ sort: 'rating:asc' })).toEqual(['a', 'c', 'b']);
  });

  test('sorts by joining if the address names no field', () => {
    expect(ids({ sort: 'constructor:asc' })).toEqual(['b', 'c', 'a']);
  });

  test('tells who said something of the session', () => {
    expect(people.filter(hasRated).map((each) => each.participantId)).toEqual(['a', 'c']);
    expect(hasRated(person({ comment: 'Choppy' }))).toBe(true);
  });
});
