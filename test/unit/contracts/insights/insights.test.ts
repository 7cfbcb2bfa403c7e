import { describe, expect, test } from 'vitest';
import {
  GetParticipant,
  ListParticipants,
  ListRoomInsights,
  ListRoomSessionInsights,
  roomOrder,
} from '#shared/contracts/insights/insight-operations.ts';
import {
  mayBeMissing,
  ParticipantSessionDetail,
  participantSortFields,
  RoomInsight,
  RoomSessionInsight,
  roomSessionSortFields,
  roomSortFields,
  SessionParticipant,
} from '#shared/contracts/insights/insights.ts';
import { issuesOf, taken } from '../../../support/issues.ts';
import { uuid } from '../../../support/operations/records.ts';

const roomSessionId = uuid(3);
const lists = [
  {
    name: 'rooms',
    List: ListRoomInsights,
    required: {},
    fields: roomSortFields as readonly string[],
    defaultOrder: 'lastSessionStartedAt:desc',
  },
  {
    name: 'room sessions',
    List: ListRoomSessionInsights,
    required: { roomName: '/daily' },
    fields: roomSessionSortFields as readonly string[],
    defaultOrder: 'startedAt:desc',
  },
  {
    name: 'participants',
    List: ListParticipants,
    required: { roomSessionId },
    fields: participantSortFields as readonly string[],
    defaultOrder: 'joinedAt:asc',
  },
];

describe.each(lists)('the query of the list of $name', ({ List, required, fields, defaultOrder }) => {
  const orders = fields.flatMap((field) => [`${field}:asc`, `${field}:desc`]);

  test('defaults to the first ten elements in the default order', () => {
    const [field, direction] = defaultOrder.split(':');
    const { sortBy, ...rest } = taken<typeof List>(List, required);
    expect(rest).toEqual({ ...required, limit: 10 });
    expect(sortBy ?? roomOrder(rest)).toEqual({ field, direction });
  });

  test.each(orders)('sorts by %s', (sortBy) => {
    const [field, direction] = sortBy.split(':');
    expect(taken(List, { ...required, sortBy }).sortBy).toEqual({ field, direction });
  });

  test.each([
    '',
    'rating',
    ':asc',
    `${fields[0]}:`,
    `${fields[0]}:ASC`,
    `${fields[0]}:up`,
    `${fields[0]}:asc:x`,
    ` ${fields[0]}:asc`,
    'roomSessionId:asc',
    'displayName:asc',
    'constructor:asc',
    'totalMinutes:desc',
  ])('rejects sortBy %j and names the valid orders', (sortBy) => {
    expect(issuesOf(List, { ...required, sortBy })).toEqual([`sortBy: must be one of ${orders.join(', ')}`]);
  });

  test.each(['1', '10', '100'])('accepts the limit %s', (limit) => {
    expect(taken(List, { ...required, limit }).limit).toBe(Number(limit));
  });

  test.each(['0', '101', '-1', '1.5', '1e1', '', ' 5', 'ten'])('rejects the limit %j', (limit) => {
    expect(issuesOf(List, { ...required, limit })).toEqual(['limit: must be a whole number from 1 to 100']);
  });

  test('rejects unknown parameters, and names them and the known ones', () => {
    expect(issuesOf(List, { ...required, room: '/daily', Limit: '5' })).toEqual([
      expect.stringMatching(/^room: is not a known parameter\. The parameters are .*cursor, limit/),
      expect.stringMatching(/^Limit: is not a known parameter\. The parameters are .*cursor, limit/),
    ]);
  });

  test('accepts a cursor', () => {
    expect(taken(List, { ...required, cursor: 'abc' }).cursor).toBe('abc');
  });
});

/** How much is known of an element. A list cannot be sorted by it. */
const known = ['asOf', 'completeness'] as const;

test.each([
  ['rooms', RoomInsight, roomSortFields, known],
  // All sessions of a list have the name and the times of one room.
  [
    'room sessions',
    RoomSessionInsight,
    roomSessionSortFields,
    ['roomName', 'createdAt', 'endAt', 'roomSessionId', ...known, 'spokenSeconds', 'spokenSource'],
  ],
] as const)(
  'every number and time in an element of %s is a sort field, except talk time and how much is known',
  (_listName, Element, fields, names) => {
    expect([...fields, ...names].sort()).toEqual(Object.keys(Element.shape).sort());
  },
);

test('every time of a participant is a sort field', () => {
  expect(Object.keys(SessionParticipant.shape).filter((name) => name.endsWith('At'))).toEqual([
    ...participantSortFields,
  ]);
});

describe('the query for the sessions of a room', () => {
  test.each([
    [{}, 'roomName: is required'],
    [{ roomSessionId }, 'roomName: is required'],
    [{ roomName: 'daily' }, 'roomName: must start with "/"'],
    [{ roomName: `/${'a'.repeat(512)}` }, 'roomName: must be at most 512 bytes of UTF-8'],
    [{ roomName: '/daily', roomSessionId: 'x' }, 'roomSessionId: must be a UUID'],
  ])('rejects %j', (query, issue) => {
    expect(issuesOf(ListRoomSessionInsights, query)).toEqual([issue]);
  });

  test('converts roomSessionId to lower case', () => {
    const query = { roomName: '/daily', roomSessionId: '0190ABCD-EF01-7234-8ABC-0123456789AB' };
    expect(taken(ListRoomSessionInsights, query).roomSessionId).toBe('0190abcd-ef01-7234-8abc-0123456789ab');
  });
});

describe('the query for participants', () => {
  test.each([{ roomSessionId }, { externalId: 'e-1' }, { roomSessionId, externalId: 'e-1' }])('accepts %j', (query) => {
    expect(taken(ListParticipants, query)).toMatchObject(query);
  });

  test.each([
    [{}, 'roomSessionId: is required, unless externalId is given'],
    [{ limit: '5' }, 'roomSessionId: is required, unless externalId is given'],
    [{ externalId: '' }, 'externalId: must not be empty'],
    [{ externalId: 'a'.repeat(257) }, 'externalId: must be at most 256 bytes of UTF-8'],
    [{ externalId: 'a\0' }, 'externalId: must not contain the NUL character'],
    [{ roomSessionId: 'x', externalId: 'e-1' }, 'roomSessionId: must be a UUID'],
    [{ roomSessionId: '' }, 'roomSessionId: must be a UUID'],
  ])('rejects %j', (query, issue) => {
    expect(issuesOf(ListParticipants, query)).toEqual([issue]);
  });
});

describe('the query for one participant', () => {
  const ann = { roomSessionId, participantId: 'ann' };
  const noon = '2026-03-01T12:00:00.000Z';

  test.each([
    [ann, ann],
    [
      { ...ann, from: '2026-03-01T13:00:00+01:00' },
      { ...ann, from: noon },
    ],
    [
      { ...ann, to: noon },
      { ...ann, to: noon },
    ],
    [
      { ...ann, from: noon, to: '2026-03-01T12:00:00.001Z' },
      { ...ann, from: noon, to: '2026-03-01T12:00:00.001Z' },
    ],
  ])('accepts %j and converts times to UTC', (query, expected) => {
    expect(taken(GetParticipant, query)).toEqual(expected);
  });

  test.each([
    [{ participantId: 'ann' }, 'roomSessionId: is required'],
    [{ roomSessionId }, 'participantId: is required'],
    [{ roomSessionId, participantId: '' }, 'participantId: must not be empty'],
    [{ roomSessionId: 'x', participantId: 'ann' }, 'roomSessionId: must be a UUID'],
    [{ ...ann, from: noon, to: noon }, 'to: must be later than from'],
    // The times are compared as instants: 13:00 at +02:00 is an hour before 12:00 UTC.
    [{ ...ann, from: noon, to: '2026-03-01T13:00:00+02:00' }, 'to: must be later than from'],
    [{ ...ann, from: '2026-03-01T12:00:00' }, expect.stringMatching(/^from: must be an ISO 8601/)],
    [{ ...ann, to: '2026-02-30T00:00:00Z' }, expect.stringMatching(/^to: must be a date and time/)],
    [
      { ...ann, limit: '5' },
      'limit: is not a known parameter. The parameters are roomSessionId, participantId, from, to',
    ],
    [
      { ...ann, cursor: 'abc' },
      'cursor: is not a known parameter. The parameters are roomSessionId, participantId, from, to',
    ],
  ])('rejects %j', (query, issue) => {
    expect(issuesOf(GetParticipant, query)).toEqual([issue]);
  });
});

test('the four series of samples consist of numbers and nulls, and all four are required', () => {
  const series = { packetLossSend: [0, null], packetLossRecv: [0.5], bitrateSend: [], bitrateRecv: [1e12] };
  const detail = {
    ...{ displayName: 'Ann', userRole: 'guest', userAgent: '', sampleRateMs: 2000, samples: series },
    ...{ timeStamp: '2026-03-01T12:00:00.000Z', samplesFrom: '2026-03-01T12:00:00.000Z' },
    events: [],
  };
  expect(taken(ParticipantSessionDetail, detail)).toEqual(detail);
  const { bitrateRecv: _, ...three } = series;
  expect(issuesOf(ParticipantSessionDetail, { ...detail, samples: three })).toEqual([
    'samples.bitrateRecv: is required',
  ]);
});

test.each([
  ['rooms', RoomInsight, roomSortFields, ['endAt', 'firstSessionStartedAt', 'lastSessionStartedAt', 'rating']],
  ['room sessions', RoomSessionInsight, roomSessionSortFields, ['endedAt', 'rating']],
  ['participants', SessionParticipant, participantSortFields, ['leftAt']],
] as const)(
  'mayBeMissing returns true for exactly those sort fields of %s that can be null',
  (_listName, element, fields, missing) => {
    expect(fields.filter((field) => mayBeMissing(element as typeof RoomInsight, field as 'endAt'))).toEqual(missing);
  },
);
