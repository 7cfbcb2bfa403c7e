import { describe, expect, test } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import { SessionEvent } from '#shared/contracts/insights/session-events.ts';
import { issuesOf, taken } from '../../../support/issues.ts';
import { uuid } from '../../../support/operations/records.ts';

const room = { roomName: '/daily' };
const session = { ...room, roomSessionId: uuid(3) };
const client = { ...session, participantId: 'ann' };
const required: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'room.created': room,
  'room.session.started': session,
  'room.session.ended': session,
  'room.client.joined': { ...client, deviceId: 'phone', roleName: 'guest', displayName: 'Ann' },
  'room.client.left': client,
  'room.client.rated': { ...client, rating: 4 },
};
const optional: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'room.created': { endAt: '2027-01-01T00:00:00.000Z' },
  'room.client.joined': { userId: 'u-1', externalId: 'e-1', userAgent: 'Firefox' },
  'room.client.rated': { tags: ['audio', 'video'], comment: 'Fine.' },
};
const types = Object.keys(required);
const clientTypes = types.filter((type) => type.startsWith('room.client.'));

const event = (type: string, change: object = {}, envelope: object = {}) => ({
  id: 'event-1',
  type,
  organizationId: 'acme',
  createdAt: '2026-03-01T10:10:01+01:00',
  data: { ...required[type], ...change },
  ...envelope,
});
const issues = (type: string, change: object = {}, envelope: object = {}) =>
  issuesOf(RoomEvent, event(type, change, envelope));
const units = (length: number) => 'é'.repeat(length);

describe.each(types)('the event %s', (type) => {
  test('accepts the required fields and converts createdAt to UTC', () => {
    expect(taken(RoomEvent, event(type))).toEqual({
      ...event(type),
      createdAt: '2026-03-01T09:10:01.000Z',
    });
  });

  test('accepts all optional fields', () => {
    const all = { ...required[type], ...optional[type] };
    expect(taken(RoomEvent, event(type, all)).data).toEqual(all);
  });

  test.each(Object.keys(optional[type] ?? {}))('accepts %s that is missing or null', (field) => {
    for (const missing of [undefined, null]) {
      const data: Record<string, unknown> = { ...taken(RoomEvent, event(type, { [field]: missing })).data };
      expect(data[field]).toBeUndefined();
    }
  });

  test.each(Object.keys(required[type] ?? {}))('rejects data without %s', (field) => {
    expect(issues(type, { [field]: undefined })).toEqual([`data.${field}: is required`]);
    expect(issues(type, { [field]: null })).toHaveLength(1);
  });

  test.each(['id', 'organizationId', 'createdAt', 'data'])('rejects an envelope without %s', (field) => {
    expect(issues(type, {}, { [field]: undefined })).toEqual([`${field}: is required`]);
  });

  test.each([
    [{ id: '' }, 'id'],
    [{ id: units(129) }, 'id'],
    [{ id: '\udc00' }, 'id'],
    [{ organizationId: 'a b' }, 'organizationId'],
    [{ createdAt: '2026-03-01T09:10:01' }, 'createdAt'],
    [{ createdAt: '2026-02-30T09:10:01Z' }, 'createdAt'],
    [{ createdAt: 1772356201000 }, 'createdAt'],
    [{ data: [] }, 'data'],
  ])('rejects an envelope with %j', (envelope, path) => {
    expect(issues(type, {}, envelope).map((issue) => issue.split(': ')[0])).toContain(path);
  });

  test('accepts version 1 or no version, and rejects other versions', () => {
    expect(issues(type, {}, { version: 1 })).toEqual([]);
    for (const version of [0, 2, 9, '1', null]) {
      expect(issues(type, {}, { version })).toEqual(['version: must be 1: the event format has no other version']);
    }
  });

  test('accepts unknown fields and drops them', () => {
    expect(taken(RoomEvent, event(type, { codec: 'opus' }, { trace: 'x' }))).toEqual(taken(RoomEvent, event(type)));
  });
});

test.each(types.slice(1))('SessionEvent accepts %s in the form in which it is stored', (type) => {
  const stored = taken(SessionEvent, event(type, optional[type]));
  expect(taken(SessionEvent, stored)).toEqual(stored);
});

test.each(types.slice(1))('%s converts roomSessionId to lower case and rejects other text', (type) => {
  const { data } = taken(RoomEvent, event(type, { roomSessionId: '0190ABCD-EF01-7234-8ABC-0123456789AB' }));
  expect(data).toHaveProperty('roomSessionId', '0190abcd-ef01-7234-8abc-0123456789ab');
  expect(issues(type, { roomSessionId: 'x' })).toEqual(['data.roomSessionId: must be a UUID']);
});

test.each(types)('%s accepts only a valid room name', (type) => {
  expect(issues(type, { roomName: `/${'a'.repeat(511)}` })).toEqual([]);
  expect(issues(type, { roomName: 'daily' })).toEqual(['data.roomName: must start with "/"']);
  expect(issues(type, { roomName: `/${'a'.repeat(512)}` })).toEqual([
    'data.roomName: must be at most 512 bytes of UTF-8',
  ]);
});

describe.each([
  ...clientTypes.map((type) => [type, 'participantId'] as const),
  ['room.client.joined', 'deviceId'] as const,
  ['room.client.joined', 'userId'] as const,
  ['room.client.joined', 'externalId'] as const,
])('the event %s, field %s', (type, field) => {
  test.each(['a', ' ', '#', units(128), 'a'.repeat(256)])('accepts %j', (id) => {
    expect(issues(type, { [field]: id })).toEqual([]);
  });

  test.each([
    ['', 'must not be empty'],
    ['a\0b', 'must not contain the NUL character'],
    ['\ud800', 'must be valid Unicode'],
    ['a'.repeat(257), 'must be at most 256 bytes of UTF-8'],
    [`a${units(128)}`, 'must be at most 256 bytes of UTF-8'],
    [7, 'must be a string'],
  ])('rejects %j', (id, message) => {
    expect(issues(type, { [field]: id })).toContain(`data.${field}: ${message}`);
  });
});

describe.each([
  ['room.client.joined', 'roleName', 1, 64],
  ['room.client.joined', 'displayName', 0, 256],
  ['room.client.joined', 'userAgent', 0, 1024],
  ['room.client.rated', 'comment', 0, 5000],
])('the event %s, field %s', (type, field, shortest, longest) => {
  test(`accepts ${shortest} to ${longest} characters`, () => {
    const isAccepted = (text: unknown) => issues(type, { [field]: text }).length === 0;
    expect(
      [shortest - 1, shortest, longest, longest + 1].filter((length) => length >= 0 && isAccepted(units(length))),
    ).toEqual([shortest, longest]);
    expect([7, ['a'], {}, '\ud800'].filter(isAccepted)).toEqual([]);
  });
});

describe('room.client.rated', () => {
  test.each([1, 1.5, 4.999, 5])('accepts the rating %d', (rating) => {
    expect(taken(RoomEvent, event('room.client.rated', { rating })).data).toHaveProperty('rating', rating);
  });

  test.each([0, 0.999, 5.1, -1, 1e9])('rejects the rating %d as out of range', (rating) => {
    expect(issues('room.client.rated', { rating })).toEqual(['data.rating: must be from 1 to 5']);
  });

  test.each(['4', true, [4], {}, Number.NaN, Number.POSITIVE_INFINITY])(
    'rejects the rating %j as not a number',
    (rating) => {
      expect(issues('room.client.rated', { rating })).toEqual(['data.rating: must be a number']);
    },
  );

  test.each([[[]], [['a']], [Array(50).fill(units(100))]])('accepts the tags %j', (tags) => {
    expect(taken(RoomEvent, event('room.client.rated', { tags })).data).toHaveProperty('tags', tags);
  });

  test.each([['audio'], [{}], [['']], [[null]], [[7]], [[units(101)]], [['\ud800']], [Array(51).fill('a')]])(
    'rejects the tags %j',
    (tags) => {
      expect(issues('room.client.rated', { tags })[0]).toMatch(/^data\.tags/);
    },
  );
});

test('room.created converts endAt to UTC', () => {
  const { data } = taken(RoomEvent, event('room.created', { endAt: '2027-01-01T00:00:00+01:00' }));
  expect(data).toHaveProperty('endAt', '2026-12-31T23:00:00.000Z');
  expect(issues('room.created', { endAt: 'tomorrow' })[0]).toMatch(/^data\.endAt: must be an ISO 8601/);
});

test('every issue names the field and the rule, because operators read them in the log', () => {
  const wrong = [undefined, null, 7, -1, true, '', 'x'.repeat(6000), '\ud800', 'a\0', [], [''], ['x'.repeat(101)], {}];
  for (const type of types) {
    for (const field of ['id', 'organizationId', 'createdAt', 'data', 'version']) {
      for (const value of wrong) expect(issues(type, {}, { [field]: value }).join()).not.toContain('Invalid');
    }
    for (const field of Object.keys({ ...required[type], ...optional[type] })) {
      for (const value of [...wrong, Array(51).fill('a')]) {
        expect(issues(type, { [field]: value }).join(), `${type} ${field}`).not.toContain('Invalid');
      }
    }
  }
});
