import { describe, expect, test } from 'vitest';
import { ListRoomInsights, ListRoomSessionInsights, roomOrder } from '#shared/contracts/insights/insight-operations.ts';
import { transcriptionFilters } from '#shared/contracts/transcriptions/transcription.ts';
import { ListTranscriptions } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { jsonSchema } from '#tools/description/json-schema.ts';
import { issuesOf, taken } from '../../../support/issues.ts';
import { uuid } from '../../../support/operations/records.ts';

const [early, late] = ['2026-03-01T09:00:00.000Z', '2026-03-02T09:00:00.000Z'];
const room = { roomName: '/daily' };
const exact = {
  roomName: '/daily',
  state: 'ready',
  type: 'LIVE_TRANSCRIPTION',
  roomSessionId: uuid(3),
  recordingId: uuid(2),
} as const;

const ranges = [
  { name: 'transcriptions', List: ListTranscriptions, more: {}, field: 'startDate', another: 'durationInSeconds' },
  { name: 'rooms', List: ListRoomInsights, more: {}, field: 'createdAt', another: 'rating' },
  { name: 'room sessions', List: ListRoomSessionInsights, more: room, field: 'startedAt', another: 'rating' },
] as const;

describe.each(ranges)('the range of $field in the list of $name', ({ name, List, more, field, another }) => {
  const [from, to] = [`${field}From`, `${field}To`];

  test.each([
    [{ [from]: early }, { [from]: early }],
    [{ [to]: late }, { [to]: late }],
    [
      { [from]: early, [to]: late },
      { [from]: early, [to]: late },
    ],
    [{ [from]: '2026-03-01T10:30:00+01:30' }, { [from]: early }],
    [
      { [from]: '2026-03-01T09:00:00-01:00', [to]: '2026-03-01T09:00:00-02:00' },
      { [from]: '2026-03-01T10:00:00.000Z' },
    ],
  ])('accepts %j and converts its bounds to UTC', (query, expected) => {
    expect(taken(List, { ...more, ...query })).toMatchObject(expected);
  });

  test.each([
    [early, early],
    [late, early],
    ['2026-03-01T09:00:00Z', '2026-03-01T10:00:00+01:00'],
    ['2026-03-01T09:00:00-01:00', '2026-03-01T09:30:00Z'],
  ])('rejects the empty range from %s to %s', (first, last) => {
    expect(issuesOf(List, { ...more, [from]: first, [to]: last })).toEqual([`${to}: must be later than ${from}`]);
  });

  test.each(['', '2026-03-01', '2026-03-01T09:00:00', '1772355600000', 'yesterday'])(
    'rejects the lower bound %j',
    (text) => {
      expect(issuesOf(List, { ...more, [from]: text })).toEqual([
        expect.stringContaining(`${from}: must be an ISO 8601`),
      ]);
    },
  );

  test('has two spellings, which exclude each other', () => {
    const [bracketFrom, bracketTo] = [`${field}[from]`, `${field}[to]`];
    const plain = taken(List as typeof ListRoomInsights, { ...more, [from]: early, [to]: late });
    for (const query of [
      { [bracketFrom]: early, [bracketTo]: late },
      { [from]: early, [bracketTo]: late },
      { [bracketFrom]: early, [to]: late },
    ]) {
      const parsed = taken(List as typeof ListRoomInsights, { ...more, ...query });
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(plain)); // in one order: cursors depend on it
    }
    for (const [one, other] of [
      [bracketFrom, from],
      [bracketTo, to],
    ] as const)
      expect(issuesOf(List, { ...more, [one]: early, [other]: early })).toEqual([
        `${one}: cannot be combined with ${other}`,
      ]);
    expect(issuesOf(List, { ...more, [bracketFrom]: late, [to]: early })).toEqual([
      `${to}: must be later than ${bracketFrom}`,
    ]);
    expect(issuesOf(List, { ...more, [from]: late, [bracketTo]: early })).toEqual([
      `${bracketTo}: must be later than ${from}`,
    ]);
  });

  test.each([from, to])('with %s, allows its own field as the only sort field, except for rooms', (bound) => {
    for (const direction of ['asc', 'desc']) {
      const { sortBy } = taken<typeof ListRoomInsights>(List as never, {
        ...more,
        [bound]: early,
        sortBy: `${field}:${direction}`,
      });
      expect(sortBy).toEqual({ field, direction });
    }
    const refusal = `sortBy: must be ${field}:asc or ${field}:desc with ${bound}`;
    expect(issuesOf(List, { ...more, [bound]: early, sortBy: `${another}:asc` })).toEqual(
      name === 'rooms' ? [] : [refusal],
    );
  });
});

describe('the list of transcriptions', () => {
  test.each(transcriptionFilters)('accepts the filter %s together with a range, newest first', (name) => {
    expect(taken(ListTranscriptions, { [name]: exact[name], startDateFrom: early })).toEqual({
      ...{ [name]: exact[name], startDateFrom: early, limit: 50 },
      sortBy: { field: 'startDate', direction: 'desc' },
    });
  });

  const pairs = transcriptionFilters.flatMap((one, index) =>
    transcriptionFilters.slice(index + 1).map((other) => [one, other] as const),
  );
  test.each(pairs)('rejects the filter %s combined with %s', (one, other) => {
    const issues = issuesOf(ListTranscriptions, { [other]: exact[other], [one]: exact[one] });
    expect(issues).toEqual([expect.stringMatching(new RegExp(`^${other}: cannot be combined with ${one}$`))]);
  });

  test('accepts roomName[exact] for roomName, with the same rules', () => {
    const query = { 'roomName[exact]': '/daily', sortBy: 'roomName:asc' };
    expect(taken(ListTranscriptions, query)).toMatchObject({ roomName: '/daily' });
    expect(issuesOf(ListTranscriptions, { ...query, roomName: '/daily' })).toEqual([
      'roomName[exact]: cannot be combined with roomName',
    ]);
    expect(issuesOf(ListTranscriptions, { 'roomName[exact]': '/daily', state: 'ready' })).toEqual([
      'state: cannot be combined with roomName[exact]',
    ]);
  });

  test('reports every filter after the first', () => {
    expect(issuesOf(ListTranscriptions, exact).map((issue) => issue.split(':')[0])).toEqual([
      ...transcriptionFilters.slice(1),
    ]);
  });

  test.each(transcriptionFilters.slice(1))('with the filter %s, sorts only by startDate', (name) => {
    for (const field of ['roomName', 'durationInSeconds']) {
      expect(issuesOf(ListTranscriptions, { [name]: exact[name], sortBy: `${field}:asc` })).toEqual([
        `sortBy: must be startDate:asc or startDate:desc with ${name}`,
      ]);
    }
  });

  test.each(['roomName:asc', 'durationInSeconds:desc'])('with the filter roomName, still sorts by %s', (sortBy) => {
    expect(issuesOf(ListTranscriptions, { roomName: '/daily', sortBy })).toEqual([]);
  });

  test.each([
    [{ state: 'done' }, 'state: must be one of in_progress, ready, failed'],
    [{ state: 'READY' }, 'state: must be one of in_progress, ready, failed'],
    [{ state: '' }, 'state: must be one of in_progress, ready, failed'],
    [{ type: 'LIVE' }, 'type: must be one of LIVE_TRANSCRIPTION, RECORDING_TRANSCRIPTION'],
    [{ roomSessionId: 'x' }, 'roomSessionId: must be a UUID'],
    [{ recordingId: '' }, 'recordingId: must be a UUID'],
  ])('rejects %j', (query, issue) => {
    expect(issuesOf(ListTranscriptions, query)).toEqual([issue]);
  });
});

describe('the list of rooms', () => {
  const orderOf = (query: object) => Object.values(roomOrder(taken(ListRoomInsights, query))).join(':');

  test.each([
    [{}, 'lastSessionStartedAt:desc'],
    [{ roomNamePrefix: '/team' }, 'roomName:asc'],
    [{ createdAtFrom: early }, 'createdAt:desc'],
    [{ createdAtTo: early }, 'createdAt:desc'],
    [{ roomNamePrefix: '/team', sortBy: 'roomName:desc' }, 'roomName:desc'],
    [{ createdAtTo: early, sortBy: 'createdAt:asc' }, 'createdAt:asc'],
    [{ sortBy: 'roomName:asc' }, 'roomName:asc'],
    [{ 'roomName[startsWith]': '/team', 'createdAt[from]': early }, 'roomName:asc'],
    [{ 'roomName[contains]': 'team', 'createdAt[to]': early }, 'createdAt:desc'],
    [{ 'roomName[contains]': 'team' }, 'lastSessionStartedAt:desc'],
    [{ 'roomName[exact]': '/team' }, 'lastSessionStartedAt:desc'],
    [{ 'roomName[startsWith]': '/team', sortBy: 'rating:desc' }, 'rating:desc'],
  ])('for the query %j, sorts by %s', (query, order) => {
    expect(orderOf(query)).toBe(order);
  });

  test.each([
    [
      { roomNamePrefix: '/a', 'roomName[startsWith]': '/a' },
      'roomName[startsWith]: cannot be combined with roomNamePrefix',
    ],
    [{ 'roomName[exact]': 'team' }, 'roomName[exact]: must start with "/"'],
    [{ 'roomName[startsWith]': '' }, 'roomName[startsWith]: must start with "/"'],
    [{ 'roomName[contains]': '' }, 'roomName[contains]: must not be empty'],
    [{ 'roomName[contains]': 'a\0' }, 'roomName[contains]: must not contain the NUL character'],
    [{ 'roomName[contains]': '\ud800' }, 'roomName[contains]: must be valid Unicode'],
    [{ 'roomName[contains]': 'é'.repeat(257) }, 'roomName[contains]: must be at most 512 bytes of UTF-8'],
    [{ roomNamePrefix: '' }, 'roomNamePrefix: must start with "/"'],
    [{ roomNamePrefix: 'team' }, 'roomNamePrefix: must start with "/"'],
    [{ roomNamePrefix: '/\0' }, 'roomNamePrefix: must not contain the NUL character'],
    [{ roomNamePrefix: `/${'a'.repeat(512)}` }, 'roomNamePrefix: must be at most 512 bytes of UTF-8'],
  ])('rejects %j', (query, issue) => {
    expect(issuesOf(ListRoomInsights, query)).toEqual([issue]);
  });
});

test.each(['roomName[endsWith]', 'roomName', 'createdAt'])('the list of rooms does not know %s', (name) => {
  expect(issuesOf(ListRoomInsights, { [name]: '/a' })).toEqual([
    expect.stringMatching(/: is not a known parameter\. The parameters are roomName\[exact\], /),
  ]);
});

test('the list of sessions requires roomName in one of its two spellings', () => {
  expect(taken(ListRoomSessionInsights, { 'roomName[exact]': '/daily' })).toEqual(taken(ListRoomSessionInsights, room));
  expect(issuesOf(ListRoomSessionInsights, {})).toEqual(['roomName: is required']);
  expect(issuesOf(ListRoomSessionInsights, { 'roomName[exact]': 'daily' })).toEqual([
    'roomName[exact]: must start with "/"',
  ]);
  expect(issuesOf(ListRoomSessionInsights, { ...room, 'roomName[exact]': '/daily' })).toEqual([
    'roomName[exact]: cannot be combined with roomName',
  ]);
  expect(jsonSchema(ListRoomSessionInsights, 'input').required).toEqual(['roomName']);
});

test('the list of sessions rejects a range combined with roomSessionId', () => {
  const query = { ...room, roomSessionId: uuid(3) };
  for (const bound of ['startedAtFrom', 'startedAtTo']) {
    expect(issuesOf(ListRoomSessionInsights, { ...query, [bound]: early })).toEqual([
      `roomSessionId: cannot be combined with ${bound}`,
    ]);
  }
});
