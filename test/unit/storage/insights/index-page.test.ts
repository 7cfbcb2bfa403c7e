import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SortDirection } from '#shared/contracts/common/fields.ts';
import { roomSortFields } from '#shared/contracts/insights/insights.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { attributeNames, sortAttributeName, sortIndexName } from '#shared/runtime/names.ts';
import { type IndexList, readPage } from '#shared/storage/insights/index-page.ts';
import { organizationShards } from '#shared/storage/insights/keys.ts';
import { toRoomRow } from '#shared/storage/insights/rows.ts';
import { roomRecord } from '../../../support/insights/insight-records.ts';
import { at, daily } from '../../../support/insights/session-facts.ts';
import { organizationId } from '../../../support/operations/records.ts';
import { fakeIndex } from '../../../support/storage/fake-index.ts';

const tableKey = [attributeNames.organizationRoom];
const shards = organizationShards(daily.organizationId);
type Order = { readonly field?: string; readonly direction?: SortDirection; readonly limit?: number };

const listOf = ({ field = 'endAt', direction = 'asc', limit = 2 }: Order, cursor?: string): IndexList => ({
  ...{
    name: ['rooms', field, direction],
    tableName: 'rooms',
    index: sortIndexName(field),
    sortKey: sortAttributeName(field),
    tableKey,
  },
  ...{
    partition: [attributeNames.organizationShard, ...shards],
    hasMissing: field === 'endAt',
    direction,
    limit,
    cursor,
  },
});
const nameOf = ({ roomNameSort }: Record<string, unknown>) => String(roomNameSort);

/** One room per letter, which ends at that minute or never, and one room of another organization. */
const roomsOf = (minutes: readonly (number | null)[]) => [
  ...minutes.map((minute, index) =>
    toRoomRow(
      roomRecord({
        roomName: `/${'abcdefghijklmnop'[index]}`,
        endAt: minute === null ? null : at(`18:${10 + minute}`),
      }),
    ),
  ),
  toRoomRow(roomRecord({ organizationId: organizationId('other'), roomName: '/foreign' })),
];

/** The names on every page. `between` runs after the first page. */
async function pagesOf(table: ReturnType<typeof fakeIndex>, order: Order, between = () => {}): Promise<string[]> {
  const pages: string[] = [];
  for (let cursor: string | undefined, isLast = false; !isLast; ) {
    const page = await readPage(table.documents, listOf(order, cursor));
    if (pages.push(page.results.map(nameOf).join('')) === 1) between();
    cursor = page.cursor ?? undefined;
    isLast = cursor === undefined;
    if (pages.length > 50) throw new Error('The list has no end.');
  }
  return pages;
}

describe('the pages of a list', () => {
  const minutes = [3, null, 1, 2, null, 1];

  test.each<[SortDirection, number, readonly string[]]>([
    ['asc', 10, ['/c/f/d/a/b/e']],
    ['asc', 2, ['/c/f', '/d/a', '/b/e']],
    ['asc', 3, ['/c/f/d', '/a/b/e']],
    ['asc', 4, ['/c/f/d/a', '/b/e']],
    ['asc', 5, ['/c/f/d/a/b', '/e']],
    ['asc', 6, ['/c/f/d/a/b/e']],
    ['desc', 10, ['/a/d/f/c/b/e']],
    ['desc', 1, ['/a', '/d', '/f', '/c', '/b', '/e']],
    ['desc', 2, ['/a/d', '/f/c', '/b/e']],
    ['desc', 3, ['/a/d/f', '/c/b/e']],
    ['desc', 4, ['/a/d/f/c', '/b/e']],
    ['desc', 5, ['/a/d/f/c/b', '/e']],
    ['desc', 6, ['/a/d/f/c/b/e']],
  ])('in %s order with a limit of %d have items without a value last', async (direction, limit, pages) => {
    expect(await pagesOf(fakeIndex(tableKey, roomsOf(minutes)), { direction, limit })).toEqual(pages);
  });

  test.each<[string, readonly (number | null)[], SortDirection, readonly string[]]>([
    ['no items', [], 'asc', ['']],
    ['no items', [], 'desc', ['']],
    ['only missing values', [null, null, null], 'asc', ['/a/b', '/c']],
    ['only missing values', [null, null, null], 'desc', ['/a/b', '/c']],
    ['no missing values', [1, 2, 3], 'desc', ['/c/b', '/a']],
    ['only ties', [1, 1, 1], 'asc', ['/a/b', '/c']],
    ['only ties', [1, 1, 1], 'desc', ['/c/b', '/a']],
  ])('end for a list with %s (%j, %s)', async (_what, some, direction, pages) => {
    expect(await pagesOf(fakeIndex(tableKey, roomsOf(some)), { direction })).toEqual(pages);
  });

  test('have each item once for any values, order and limit', async () => {
    const lists = fc.array(fc.option(fc.nat(4)), { maxLength: 12 });
    const direction = fc.constantFrom<SortDirection>('asc', 'desc');
    await fc.assert(
      fc.asyncProperty(lists, direction, fc.integer({ min: 1, max: 13 }), async (some, way, limit) => {
        const pages = await pagesOf(fakeIndex(tableKey, roomsOf(some)), { direction: way, limit });
        const [whole] = await pagesOf(fakeIndex(tableKey, roomsOf(some)), { direction: way, limit: 100 });
        expect(pages.join('')).toBe(whole);
        expect(whole?.length).toBe(some.length * 2);
        expect(pages.length).toBe(Math.max(1, Math.ceil(some.length / limit)));
      }),
    );
  });
});

describe('if the list changes between two pages', () => {
  const table = () => fakeIndex(tableKey, roomsOf([1, 2, 3, 4, null]));

  test.each<[SortDirection, endAt: string, readonly string[]]>([
    ['asc', '18:00', ['/a/b', '/c/d', '/e']],
    ['desc', '19:00', ['/d/c', '/b/a', '/e']],
  ])(
    'in %s order, items added or removed before the position do not affect the next page',
    async (direction, endAt, pages) => {
      const rooms = table();
      const come = toRoomRow(roomRecord({ roomName: '/0', endAt: at(endAt) }));
      const isFirst = (item: object) => nameOf({ ...item }) === pages[0]?.slice(0, 2);
      const between = () => {
        rooms.items.splice(rooms.items.findIndex(isFirst), 1, come);
      };
      expect(await pagesOf(rooms, { direction }, between)).toEqual(pages);
    },
  );

  test('the item at the end of the page can be removed', async () => {
    const rooms = table();
    const pages = await pagesOf(rooms, {}, () => void rooms.items.splice(1, 1));
    expect(pages).toEqual(['/a/b', '/c/d', '/e']);
  });
});

test('an item that is deleted before it is read is omitted, and the list continues', async () => {
  const rooms = fakeIndex(tableKey, roomsOf([1, 2, 3]));
  const send = async (command: never) => {
    const isRead = (command as object).constructor.name === 'BatchGetCommand';
    if (isRead) rooms.items.splice(0, 1);
    return rooms.documents.send(command);
  };
  const documents = { send } as unknown as typeof rooms.documents;
  const page = await readPage(documents, listOf({}));
  expect(page.results.map(nameOf)).toEqual(['/b']);
  expect(page.cursor).not.toBeNull();
});

test('an item that gets its value between the two queries is read once and listed once', async () => {
  const rooms = fakeIndex(tableKey, roomsOf([1, null, null]));
  const [, moving] = rooms.items;
  const reads: number[] = [];
  type Input = {
    readonly RequestItems?: Record<string, { Keys: object[] }>;
    readonly ExpressionAttributeValues?: Record<string, unknown>;
  };
  const send = async (command: { readonly input: Input }) => {
    const answer = await rooms.documents.send(command as never);
    const keys = command.input.RequestItems?.rooms?.Keys;
    if (keys) reads.push(new Set(keys.map((key) => JSON.stringify(key))).size - keys.length);
    const found = (answer as { Items?: object[] }).Items;
    const isInShard = command.input.ExpressionAttributeValues?.[':partition'] === moving?.organizationShard;
    return found && moving && isInShard ? { ...answer, Items: [...new Set([...found, moving])] } : answer;
  };
  const page = await readPage({ send } as never, listOf({ direction: 'desc', limit: 10 }));
  expect(reads).toEqual([0]); // DynamoDB refuses a batch with a duplicate key
  expect(page.results.map(nameOf).toSorted()).toEqual(['/a', '/b', '/c']);
});

describe('the reads of a page', () => {
  const shardOf = ({ ExpressionAttributeValues }: { readonly ExpressionAttributeValues: Record<string, string> }) =>
    ExpressionAttributeValues[':partition'];

  test.each(
    roomSortFields.flatMap((field) => [
      { field, direction: 'asc' as const },
      { field, direction: 'desc' as const },
    ]),
  )(
    'by $field $direction are one query of each shard for one key more than the limit and one batch read of the listed items',
    async (order) => {
      const rooms = fakeIndex(tableKey, roomsOf([1, 2, 3, 4, 5, 6]));
      for (const row of rooms.items)
        for (const field of roomSortFields) row[sortAttributeName(field)] = `0${row[sortAttributeName(field)]}`;
      const { cursor } = await readPage(rooms.documents, listOf(order));
      await readPage(rooms.documents, listOf(order, cursor ?? ''));
      expect(rooms.queries.map(shardOf)).toEqual([...shards, ...shards]);
      expect(rooms.reads.map(({ length }) => length)).toEqual([2, 2]);
      for (const query of rooms.queries) {
        expect(query).toMatchObject({ TableName: 'rooms', IndexName: sortIndexName(order.field), Limit: 3 });
        expect(query).not.toHaveProperty('FilterExpression');
      }
    },
  );

  test('in descending order include a second query of each shard, for the rest, only where the missing values begin', async () => {
    const limitsOf = async (order: Order, minutes: readonly (number | null)[]) => {
      const rooms = fakeIndex(tableKey, roomsOf(minutes));
      await readPage(rooms.documents, listOf({ direction: 'desc', ...order }));
      const rounds = Map.groupBy(rooms.queries.entries(), ([index]) => Math.floor(index / shards.length));
      return [...rounds.values()].map((round) => {
        expect(round.map(([, query]) => shardOf(query))).toEqual(shards);
        expect(new Set(round.map(([, { Limit }]) => Limit)).size).toBe(1);
        return round[0]?.[1].Limit;
      });
    };
    expect(await limitsOf({}, [1, 2, 3, null])).toEqual([3]);
    expect(await limitsOf({}, [1, null, null])).toEqual([3, 2]);
    expect(await limitsOf({}, [null, null, null])).toEqual([3, 3]);
    expect(await limitsOf({ direction: 'asc' }, [1, null])).toEqual([3]);
    // Every room has a value for a count.
    expect(await limitsOf({ field: 'totalSessions' }, [1])).toEqual([3]);
  });
});

test('a cursor of another list is refused', async () => {
  const rooms = fakeIndex(tableKey, roomsOf([1, 2, 3]));
  const { cursor } = await readPage(rooms.documents, listOf({}));
  const other = listOf({ direction: 'desc' }, cursor ?? '');
  await expect(readPage(rooms.documents, other)).rejects.toThrow(InvalidRequest);
});
