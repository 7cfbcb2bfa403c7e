import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ListRoomInsights } from '#shared/contracts/insights/insight-operations.ts';
import { type RoomSortField, roomSortFields } from '#shared/contracts/insights/insights.ts';
import { toRoomInsight } from '#shared/domain/insights/insight-records.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { toRoomRow } from '#shared/storage/insights/rows.ts';
import { roomRecord } from '../../../support/insights/insight-records.ts';
import { at } from '../../../support/insights/session-facts.ts';
import { organizationId } from '../../../support/operations/records.ts';
import { fakeIndex } from '../../../support/storage/fake-index.ts';

type Query = Readonly<Record<string, string | undefined>>;
const acme = organizationId();
const tableOf = (rows: readonly object[]) => fakeIndex([attributeNames.organizationRoom], rows as never);
const listOf = (table: ReturnType<typeof tableOf>) => (query: Query) =>
  roomLister(table.documents, 'rooms')(acme, ListRoomInsights.parse(query));

/** All pages of a query. */
async function pagesOf(list: ReturnType<typeof listOf>, query: Query) {
  const pages = [await list(query)];
  for (let cursor = pages[0]?.cursor; cursor; cursor = pages.at(-1)?.cursor)
    pages.push(await list({ ...query, cursor }));
  return pages;
}

describe('filtered rooms', () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'A', '/', '😀', '\u{10ffff}'), { maxLength: 4 });
  const minute = fc.nat(5).map((number) => at(`09:0${number}`));
  const room = fc.record({
    roomName: names.map((parts) => `/${parts.join('')}`),
    createdAt: fc.option(minute),
    firstSessionStartedAt: fc.option(minute),
    sessions: fc.nat(3),
  });
  const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const filters = fc.record({
    exact: maybe(room.map(({ roomName }) => roomName)),
    startsWith: maybe(room.map(({ roomName }) => roomName)),
    contains: maybe(fc.constantFrom('a', '/', 'ab', '😀', 'A')),
    from: maybe(minute),
    to: maybe(minute),
  });
  const fields = fc.constantFrom<RoomSortField>(
    'roomName',
    'createdAt',
    'firstSessionStartedAt',
    'totalSessions',
    'rating',
  );

  test('are exactly the matching ones, in the order of the list, whatever the filters, the order and the limit', async () => {
    const rooms = fc.uniqueArray(room, { maxLength: 12, selector: ({ roomName }) => roomName });
    const directions = fc.constantFrom('asc' as const, 'desc' as const);
    await fc.assert(
      fc.asyncProperty(
        rooms,
        filters,
        fields,
        directions,
        fc.integer({ min: 1, max: 5 }),
        async (some, wanted, ...order) => {
          const [field, direction, limit] = order;
          fc.pre(wanted.from === undefined || wanted.to === undefined || wanted.from < wanted.to);
          const query = {
            ...(wanted.exact !== undefined && { 'roomName[exact]': wanted.exact }),
            ...(wanted.startsWith !== undefined && { 'roomName[startsWith]': wanted.startsWith }),
            ...(wanted.contains !== undefined && { 'roomName[contains]': wanted.contains }),
            ...(wanted.from !== undefined && { 'createdAt[from]': wanted.from }),
            ...(wanted.to !== undefined && { 'createdAt[to]': wanted.to }),
          };
          const list = listOf(tableOf(some.map((each) => toRoomRow(roomRecord(each)))));
          const sortBy = `${field}:${direction}`;
          const pages = await pagesOf(list, { ...query, sortBy, limit: String(limit) });
          const all = await list({ sortBy, limit: '100' });
          expect(all.results).toHaveLength(some.filter((each) => each.createdAt ?? each.firstSessionStartedAt).length);
          const matching = all.results.map(toRoomInsight).filter(({ roomName, createdAt }) => {
            const isNamed =
              (wanted.exact ?? roomName) === roomName &&
              roomName.startsWith(wanted.startsWith ?? '') &&
              roomName.includes(wanted.contains ?? '');
            return isNamed && createdAt >= (wanted.from ?? '') && createdAt < (wanted.to ?? '~');
          });
          expect(pages.flatMap(({ results }) => results.map(toRoomInsight))).toEqual(matching);
          expect(pages).toHaveLength(Math.max(1, Math.ceil(matching.length / limit)));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a filter that no index serves', () => {
  /** 1 600 rooms, of which every 400th by name has `needle` in its name and was created early. */
  const rows = Array.from({ length: 1_600 }, (_, index) => {
    const isNeedle = index % 400 === 399;
    const roomName = `/room-${String(index).padStart(4, '0')}${isNeedle ? '-needle' : ''}`;
    return toRoomRow(roomRecord({ roomName, createdAt: at(isNeedle ? '08:00' : '09:00') }));
  });
  const needles = ['/room-0399-needle', '/room-0799-needle', '/room-1199-needle', '/room-1599-needle'];

  test.each(['roomName:asc', 'roomName:desc', 'totalSessions:asc', 'endAt:desc'])(
    'reads at most 1 000 entries in a call, and goes on by its cursor: %s',
    async (sortBy) => {
      for (const filter of [{ 'roomName[contains]': 'needle' }, { 'createdAt[to]': at('08:30') }]) {
        const table = tableOf(rows);
        const read: number[] = [];
        const send = async (command: never) => {
          const answer = (await table.documents.send(command)) as { readonly Items?: readonly object[] };
          read.push((read.pop() ?? 0) + (answer.Items?.length ?? 0));
          return answer;
        };
        const list = listOf({ ...table, documents: { send } as unknown as typeof table.documents });
        const pages = await pagesOf(
          (query) => {
            read.push(0);
            return list(query);
          },
          { ...filter, sortBy },
        );
        const shown = pages.flatMap(({ results }) => results.map(({ roomName }) => roomName));
        expect(shown).toEqual(sortBy === 'roomName:desc' ? needles.toReversed() : needles);
        expect(pages.length).toBeGreaterThan(1);
        expect(Math.max(...read)).toBeLessThanOrEqual(1_000);
        expect(read.length).toBeLessThanOrEqual(3);
      }
    },
  );

  test('can find nothing in a call although there is a next page', async () => {
    const list = listOf(tableOf(rows));
    const query = { 'roomName[contains]': '1599', sortBy: 'roomName:asc' };
    const first = await list(query);
    expect(first.results).toEqual([]);
    expect(first.cursor).not.toBeNull();
    const second = await list({ ...query, cursor: String(first.cursor) });
    expect(second).toMatchObject({ results: [{ roomName: '/room-1599-needle' }], cursor: null });
  });

  test('reads no more than an unfiltered page does if most rooms match', async () => {
    const table = tableOf(rows);
    await listOf(table)({ 'createdAt[from]': at('08:30'), sortBy: 'totalSessions:asc' });
    expect(table.queries.map(({ Limit }) => Limit)).toEqual([11, 11, 11, 11]);
  });

  test('binds its cursor to the filters, in either spelling', async () => {
    const list = listOf(tableOf(rows));
    const of = (filter: Query) => ({ ...filter, sortBy: 'rating:asc', limit: '1' });
    const { cursor } = await list(of({ 'roomName[startsWith]': '/room', 'createdAt[from]': at('08:30') }));
    const same = await list({ ...of({ createdAtFrom: at('08:30'), roomNamePrefix: '/room' }), cursor: String(cursor) });
    expect(same.results).toHaveLength(1);
    for (const another of [{}, { 'roomName[contains]': '/room' }, { 'roomName[startsWith]': '/room' }])
      await expect(list({ ...of(another), cursor: String(cursor) })).rejects.toThrow(InvalidRequest);
  });
});

test.each(roomSortFields)(
  'a room that changed since its index entry is not shown if it no longer matches: %s',
  async (field) => {
    const table = tableOf([toRoomRow(roomRecord({ roomName: '/a', createdAt: at('09:00') }))]);
    const send = async (command: never) => {
      if ((command as object).constructor.name === 'BatchGetCommand')
        table.items.splice(0, 1, toRoomRow(roomRecord({ roomName: '/a', createdAt: at('08:00') })));
      return table.documents.send(command);
    };
    const list = roomLister({ send } as unknown as typeof table.documents, 'rooms');
    const query = ListRoomInsights.parse({ 'createdAt[from]': at('08:30'), sortBy: `${field}:asc` });
    expect((await list(acme, query)).results).toEqual([]);
  },
);

describe('a room by its exact name', () => {
  const rows = ['/a', '/A', '/a/b'].map((roomName) => toRoomRow(roomRecord({ roomName })));
  const hidden = toRoomRow(roomRecord({ roomName: '/hidden', createdAt: null }));

  test.each([
    ['/a', ['/a']],
    ['/A', ['/A']],
    ['/nowhere', []],
    ['/hidden', []],
  ])('%s is one read by key', async (exact, expected) => {
    const table = tableOf([...rows, hidden]);
    const { results, cursor } = await listOf(table)({ 'roomName[exact]': exact });
    expect([results.map(({ roomName }) => roomName), cursor]).toEqual([expected, null]);
    expect([table.queries.length, table.reads.map(({ length }) => length)]).toEqual([0, [1]]);
  });

  test('is found only within the same organization, and takes no cursor', async () => {
    const table = tableOf(rows);
    const query = ListRoomInsights.parse({ 'roomName[exact]': '/a' });
    expect((await roomLister(table.documents, 'rooms')(organizationId('other'), query)).results).toEqual([]);
    const { cursor } = await listOf(table)({ limit: '1' });
    await expect(listOf(table)({ 'roomName[exact]': '/a', cursor: String(cursor) })).rejects.toThrow(InvalidRequest);
  });
});
