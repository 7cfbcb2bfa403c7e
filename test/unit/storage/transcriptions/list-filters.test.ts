import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SortDirection } from '#shared/contracts/common/fields.ts';
import { ListRoomInsights, ListRoomSessionInsights } from '#shared/contracts/insights/insight-operations.ts';
import { transcriptionFilters } from '#shared/contracts/transcriptions/transcription.ts';
import { ListTranscriptions } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { encodeCursor } from '#shared/storage/common/cursor.ts';
import { organizationShards } from '#shared/storage/insights/keys.ts';
import { roomSessionLister } from '#shared/storage/insights/lists.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { toRoomRow, toSessionRow } from '#shared/storage/insights/rows.ts';
import { namesBeginningWith } from '#shared/storage/insights/sort-attributes.ts';
import { transcriptionLister } from '#shared/storage/transcriptions/list.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { roomRecord, sessionRecord } from '../../../support/insights/insight-records.ts';
import { at, daily } from '../../../support/insights/session-facts.ts';
import { compareBytes } from '../../../support/media/byte-order.ts';
import { organizationId, transcriptionRecord, uuid } from '../../../support/operations/records.ts';
import { fakeIndex } from '../../../support/storage/fake-index.ts';

const acme = organizationId();
const other = organizationId('other');
const second = (number: number) => at(`09:00:0${number}`);

type Page<Element> = { readonly results: readonly Element[]; readonly cursor: string | null };
type Query = Readonly<Record<string, string>>;

/** The items of all pages of a list. */
async function pagesOf<Element>(list: (query: Query) => Promise<Page<Element>>, query: Query): Promise<Element[]> {
  const shown: Element[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list({ ...query, ...(cursor && { cursor }) });
    if (shown.push(...page.results) > 200) throw new Error('The list has no end.');
    cursor = page.cursor;
  }
  return shown;
}

const directions = fc.constantFrom<SortDirection>('asc', 'desc');
const limits = fc.integer({ min: 1, max: 5 }).map(String);
const bounds = fc
  .tuple(fc.option(fc.nat(5), { nil: undefined }), fc.option(fc.nat(5), { nil: undefined }))
  .filter(([from, to]) => from === undefined || to === undefined || from < to);
const inOrder = <Element>(ascending: readonly Element[], direction: SortDirection) =>
  direction === 'asc' ? ascending : ascending.toReversed();

/** The first and last characters of every UTF-8 length, and the neighbours of the surrogates. */
const characters = fc.constantFrom(
  ...['\u0001', 'a', 'b', '\u007f', '\u0080', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff'],
  ...['\u{10000}', '😀', '\u{10fffe}', '\u{10ffff}'],
);
const names = fc.array(characters, { maxLength: 3 }).map((some) => `/${some.join('')}`);

describe('the range of a name prefix', () => {
  test('contains exactly the names that start with the prefix', () => {
    fc.assert(
      fc.property(names, names, (prefix, name) => {
        const [first, last] = namesBeginningWith(prefix);
        const isWithin = compareBytes(first, name) <= 0 && compareBytes(name, last) <= 0;
        expect(isWithin).toBe(name.startsWith(prefix));
      }),
      { numRuns: 5_000 },
    );
  });

  test('contains the longest names, and its bounds fit into a key', () => {
    const longest = `/${'\u{10ffff}'.repeat(127)}`;
    for (const prefix of ['/', longest.slice(0, -2), longest, `/${'a'.repeat(511)}`]) {
      const [, last] = namesBeginningWith(prefix);
      const filled = prefix + '\u{10ffff}'.repeat(Math.floor((512 - Buffer.byteLength(prefix)) / 4));
      expect(compareBytes(filled, last)).toBeLessThanOrEqual(0);
      expect(Buffer.byteLength(last)).toBeLessThanOrEqual(1024);
    }
  });

  test('lists the rooms, page by page', async () => {
    const lists = fc.uniqueArray(names, { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lists, names, directions, limits, async (some, roomNamePrefix, direction, limit) => {
        const rows = some.map((roomName) => toRoomRow(roomRecord({ roomName })));
        const foreign = toRoomRow(roomRecord({ organizationId: other, roomName: `${roomNamePrefix}x` }));
        const table = fakeIndex([attributeNames.organizationRoom], [...rows, foreign]);
        const list = (query: Query) => roomLister(table.documents, 'rooms')(acme, ListRoomInsights.parse(query));
        const shown = await pagesOf(list, { roomNamePrefix, sortBy: `roomName:${direction}`, limit });
        const expected = some.filter((name) => name.startsWith(roomNamePrefix)).toSorted(compareBytes);
        expect(shown.map(({ roomName }) => roomName)).toEqual(inOrder(expected, direction));
        expect(new Set(table.queries.map(({ IndexName }) => IndexName))).toEqual(new Set(['by-room-name']));
        const pages = Math.max(1, Math.ceil(expected.length / Number(limit)));
        expect(table.queries).toHaveLength(pages * organizationShards(acme).length);
      }),
    );
  });
});

test('all rooms by name are listed, except those whose events were all taken back', async () => {
  const rows = ['/b', '/a', '/c'].map((roomName) => toRoomRow(roomRecord({ roomName })));
  rows.push(toRoomRow(roomRecord({ roomName: '/hidden', createdAt: null })));
  const table = fakeIndex([attributeNames.organizationRoom], rows);
  const list = (query: Query) => roomLister(table.documents, 'rooms')(acme, ListRoomInsights.parse(query));

  const shown = await pagesOf(list, { sortBy: 'roomName:desc', limit: '2' });

  expect(shown.map(({ roomName }) => roomName)).toEqual(['/c', '/b', '/a']);
  expect(table.reads.map((keys) => keys.length)).toEqual([2, 1]);
});

const rangeQuery = (field: string, [from, to]: readonly (number | undefined)[]): Query => ({
  ...(from !== undefined && { [`${field}From`]: second(from) }),
  ...(to !== undefined && { [`${field}To`]: second(to) }),
});
const isIn = (time: string, [from, to]: readonly (number | undefined)[]) =>
  (from === undefined || time >= second(from)) && (to === undefined || time < second(to));
const times = fc.array(fc.nat(5).map(second), { maxLength: 12 });

describe('a range of time', () => {
  test('returns the rooms that were created in it', async () => {
    await fc.assert(
      fc.asyncProperty(times, bounds, directions, limits, async (some, range, direction, limit) => {
        const rows = some.map((createdAt, index) => toRoomRow(roomRecord({ createdAt, roomName: `/${index + 10}` })));
        const table = fakeIndex([attributeNames.organizationRoom], rows);
        const list = (query: Query) => roomLister(table.documents, 'rooms')(acme, ListRoomInsights.parse(query));
        const sortBy = `createdAt:${direction}`;
        const all = await pagesOf(list, { sortBy, limit: '100' });
        const shown = await pagesOf(list, { sortBy, limit, ...rangeQuery('createdAt', range) });
        expect(shown).toEqual(all.filter(({ createdAt }) => isIn(String(createdAt), range)));
      }),
    );
  });

  test("returns the room's sessions that started in it", async () => {
    await fc.assert(
      fc.asyncProperty(times, bounds, directions, limits, async (some, range, direction, limit) => {
        const rows = some.map((startedAt, index) =>
          toSessionRow(sessionRecord({ startedAt, roomSessionId: uuid(index) })),
        );
        const key = [attributeNames.organizationRoom, attributeNames.roomSessionId];
        const { documents } = fakeIndex(key, rows, { rooms: [toRoomRow(roomRecord())] });
        const lister = roomSessionLister(documents, { rooms: 'rooms', roomSessions: 'sessions' });
        const list = (query: Query) => lister(acme, ListRoomSessionInsights.parse({ roomName: '/daily', ...query }));
        const sortBy = `startedAt:${direction}`;
        const all = await pagesOf(list, { sortBy, limit: '100' });
        const shown = await pagesOf(list, { sortBy, limit, ...rangeQuery('startedAt', range) });
        expect(shown).toEqual(all.filter(({ startedAt }) => isIn(startedAt ?? '', range)));
      }),
    );
  });
});

const { roomName } = daily;
const anyTranscription = fc.record({
  organizationId: fc.constantFrom(acme, other),
  state: fc.constantFrom('in_progress' as const, 'ready' as const, 'failed' as const),
  type: fc.constantFrom('LIVE_TRANSCRIPTION' as const, 'RECORDING_TRANSCRIPTION' as const),
  roomSessionId: fc.nat(1).map(uuid),
  recordingId: fc.option(fc.nat(1).map(uuid), { nil: undefined }),
  roomName: fc.constantFrom(roomName, '/'),
  startDate: fc.nat(5).map(second),
});

test('a filter of transcriptions, with or without a range, returns exactly the matching ones', async () => {
  const lists = fc.array(anyTranscription, { minLength: 1, maxLength: 16 });
  const filters = fc.constantFrom(...transcriptionFilters);
  await fc.assert(
    fc.asyncProperty(lists, filters, bounds, directions, limits, async (some, name, range, direction, limit) => {
      const records = some.map((facts, index) => transcriptionRecord({ ...facts, transcriptionId: uuid(100 + index) }));
      const value = records[0]?.[name];
      fc.pre(value !== undefined);
      const table = wholeIndex(records.map(toRow));
      const list = (query: Query) => transcriptionLister(table.documents, 'x')(acme, ListTranscriptions.parse(query));
      const query = { [name]: value, ...rangeQuery('startDate', range), sortBy: `startDate:${direction}`, limit };
      const expected = records
        .filter((record) => record.organizationId === acme && record[name] === value && isIn(record.startDate, range))
        .toSorted((one, two) => compareBytes(keyOf(one), keyOf(two)));
      expect((await pagesOf(list, query)).map(keyOf)).toEqual(inOrder(expected, direction).map(keyOf));
      expect(table.queries).toHaveLength(Math.max(1, Math.ceil(expected.length / Number(limit))));
    }),
    { numRuns: 300 },
  );
});

const keyOf = ({ startDate, transcriptionId }: { readonly startDate: string; readonly transcriptionId: string }) =>
  `${startDate} ${transcriptionId}`;

/** An index that projects whole items, as those of the transcriptions do. */
function wholeIndex(rows: readonly Record<string, unknown>[]) {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return fakeIndex(keys, rows);
}

describe('a cursor', () => {
  const rows = [1, 2, 3, 4, 5].map((number) =>
    toRow(transcriptionRecord({ transcriptionId: uuid(number), startDate: second(number) })),
  );
  const list = (query: Query) =>
    transcriptionLister(wholeIndex(rows).documents, 'x')(acme, ListTranscriptions.parse(query));

  test('issued before filters existed is still accepted', async () => {
    const cursor = encodeCursor(['startDate', 'asc', null], String(rows[2]?.[attributeNames.startDateSort]));
    const { results } = await list({ sortBy: 'startDate:asc', cursor });
    expect(results.map(({ startDate }) => startDate)).toEqual([second(4), second(5)]);
  });

  test.each<Query>([
    {},
    { state: 'ready' },
    { state: 'in_progress', startDateFrom: second(1) },
    { type: 'RECORDING_TRANSCRIPTION' },
    { roomName },
    { startDateTo: second(5) },
  ])('of one filter is refused for %j', async (query) => {
    const { cursor } = await list({ state: 'in_progress', limit: '1' });
    await expect(list({ ...query, cursor: String(cursor) })).rejects.toThrow(InvalidRequest);
  });

  test.each(['0', second(1), `${second(2)}`.slice(0, -1), `${second(4)}\0`, ':', '\u{10ffff}'])(
    'forged with a position outside its range, %j, is refused',
    async (position) => {
      const range = { startDateFrom: second(2), startDateTo: second(4) };
      const cursor = encodeCursor(['startDate', 'desc', null, ...Object.entries(range)], position);
      await expect(list({ ...range, cursor })).rejects.toThrow(InvalidRequest);
    },
  );

  test('forged with a position at a bound of its range stays within the range', async () => {
    const range = { startDateFrom: second(2), startDateTo: second(4) };
    const startsAt = async (direction: SortDirection, position: string) => {
      const cursor = encodeCursor(['startDate', direction, null, ...Object.entries(range)], position);
      const { results } = await list({ ...range, sortBy: `startDate:${direction}`, cursor });
      return results.map(({ startDate }) => startDate);
    };
    expect(await startsAt('asc', second(2))).toEqual([second(2), second(3)]);
    expect(await startsAt('desc', second(4))).toEqual([second(3), second(2)]);
    expect(await startsAt('desc', second(2))).toEqual([]);
  });
});
