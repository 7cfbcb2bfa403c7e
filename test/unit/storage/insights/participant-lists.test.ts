import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SortDirection } from '#shared/contracts/common/fields.ts';
import { participantSortFields, type SessionParticipant } from '#shared/contracts/insights/insights.ts';
import type { ParticipantRecord } from '#shared/domain/insights/participant-record.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { encodeCursor } from '#shared/storage/common/cursor.ts';
import type { SortField } from '#shared/storage/insights/participant-items.ts';
import { readParticipants } from '#shared/storage/insights/participant-lists.ts';
import { participantRecord } from '../../../support/insights/insight-records.ts';
import { participantTable } from '../../../support/insights/participant-table.ts';
import { at, daily, later } from '../../../support/insights/session-facts.ts';
import { compareBytes } from '../../../support/media/byte-order.ts';

type Order = { readonly field: SortField; readonly direction: SortDirection };
type Shown = { readonly record: ParticipantRecord; readonly listed: SessionParticipant };

const listOf = ({ field, direction }: Order, limit: number, cursor?: string) => ({
  ...{ name: ['participants', field, direction], tableName: 'participants', session: daily },
  ...{ field, direction, limit, cursor },
});

/** Participants of two rooms, many with the same times and with similar ids. Some are not listed. */
const anyParticipants = fc.uniqueArray(
  fc
    .record({
      id: fc.oneof(fc.nat(20).map(String), fc.constantFrom('1a', '\u0001', '\uffee', '😀', '😀a')),
      roomName: fc.constantFrom('/a', '/b'),
      joined: fc.nat(5),
      left: fc.option(fc.nat(5)),
      isListed: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
    })
    .map(({ id, roomName, joined, left, isListed }) => {
      const leftAt = left === null ? null : later('10:00', left);
      // The room is shown as the display name, because an element does not name it.
      const listed = { joinedAt: later('09:00', joined), leftAt, displayName: roomName };
      return participantRecord(id, isListed ? listed : null, roomName);
    }),
  { selector: nameOf, maxLength: 40 },
);
const anyOrder: fc.Arbitrary<Order> = fc.record({
  field: fc.constantFrom(...participantSortFields),
  direction: fc.constantFrom<SortDirection>('asc', 'desc'),
});
const anyLimit = fc.integer({ min: 1, max: 45 });

function nameOf({ roomName, participantId }: Pick<ParticipantRecord, 'roomName' | 'participantId'>): string {
  return `${roomName} ${participantId}`;
}
const nameOfElement = ({ participantId, displayName }: SessionParticipant) =>
  nameOf({ roomName: displayName, participantId });

/**
 * Compares by the value, then by the join, the id and the room. Descending order is the reverse of ascending order, but those without a
 * value come last in ascending order.
 */
const compareIn =
  ({ field, direction }: Order) =>
  (one: Shown, other: Shown): number => {
    const [a, b] = [one.listed[field], other.listed[field]];
    if ((a === null) !== (b === null)) return a === null ? 1 : -1;
    const ascending =
      compareBytes(a ?? '', b ?? '') ||
      compareBytes(one.listed.joinedAt, other.listed.joinedAt) ||
      compareBytes(one.listed.participantId, other.listed.participantId) ||
      compareBytes(one.record.roomName, other.record.roomName);
    return direction === 'desc' && a !== null ? -ascending : ascending;
  };

const sorted = (participants: readonly ParticipantRecord[], order: Order): Shown[] =>
  participants
    .flatMap((record) => (record.listed ? [{ record, listed: record.listed }] : []))
    .toSorted(compareIn(order));

/** The names on every page. `between` runs after each of them. */
async function pagesOf(
  { documents }: ReturnType<typeof participantTable>,
  order: Order,
  limit: number,
  between: (page: number) => void = () => {},
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await readParticipants(documents, listOf(order, limit, cursor));
    pages.push(page.results.map(nameOfElement));
    cursor = page.cursor;
    between(pages.length);
    if (pages.length > 100) throw new Error('The list has no end.');
  }
  return pages;
}

describe('the pages of a list', () => {
  test('are the sorted participants, whoever they are and whatever was removed before', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyParticipants,
        anyParticipants,
        anyOrder,
        anyLimit,
        async (earlier, participants, order, limit) => {
          const table = participantTable(earlier);
          table.change(earlier, participants);
          const pages = await pagesOf(table, order, limit);
          const expected = sorted(participants, order).map(({ record }) => nameOf(record));
          expect(pages.flat()).toEqual(expected);
          expect(pages.length).toBe(Math.max(1, Math.ceil(expected.length / limit)));
          expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('continue after the last one that was shown, whoever comes, goes or moves between two pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        ...([anyParticipants, anyParticipants, anyOrder, anyLimit] as const),
        fc.integer({ min: 1, max: 4 }),
        async (before, after, order, limit, changesAfter) => {
          const table = participantTable(before);
          const pages = await pagesOf(table, order, limit, (page) => {
            if (page === changesAfter) table.change(before, after);
          });
          const seen = pages.slice(0, changesAfter).flat();
          const first = sorted(before, order);
          expect(seen).toEqual(first.slice(0, seen.length).map(({ record }) => nameOf(record)));
          const last = first[seen.length - 1];
          if (!last || pages.length <= changesAfter) return;
          const rest = sorted(after, order).filter((each) => compareIn(order)(last, each) < 0);
          expect(pages.slice(changesAfter).flat()).toEqual(rest.map(({ record }) => nameOf(record)));
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** People who join a second apart. The first ones have left. */
const people = (count: number, gone: number) =>
  Array.from({ length: count }, (_, index) => {
    const leftAt = index < gone ? later('10:00', index * 1000) : null;
    return participantRecord(
      `p${String(index).padStart(3, '0')}`,
      { joinedAt: later('09:00', index * 1000), leftAt, displayName: '/a' },
      '/a',
    );
  });

describe('the reads of a page', () => {
  const queriesOf = async (order: Order, { gone = 200 } = {}) => {
    const table = participantTable(people(200, gone));
    const counts: number[] = [];
    let before = 0;
    await pagesOf(table, order, 20, () => {
      counts.push(table.queries.length - before);
      before = table.queries.length;
    });
    expect(table.reads).toEqual([]);
    for (const query of table.queries) expect(query).not.toHaveProperty('FilterExpression');
    return counts;
  };

  test('are one query of the table, and one more with a cursor in ascending order', async () => {
    expect(await queriesOf({ field: 'joinedAt', direction: 'asc' })).toEqual([1, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    const descending = await queriesOf({ field: 'joinedAt', direction: 'desc' });
    expect(Math.max(...descending)).toBe(1);
  });

  test('are one query more in descending order where the missing values begin', async () => {
    const counts = await queriesOf({ field: 'leftAt', direction: 'desc' }, { gone: 50 });
    expect(counts.slice(0, 3)).toEqual([1, 1, 2]);
    expect(Math.max(...counts)).toBe(2);
  });

  test('are as many as needed if pages have few participants', async () => {
    const table = participantTable();
    const everyone = people(200, 0);
    table.change(everyone, []); // only empty items
    table.change([], everyone.slice(-1), 2);
    const pages = await pagesOf(table, { field: 'joinedAt', direction: 'asc' }, 5);
    expect(pages).toEqual([['/a p199']]);
    expect(table.queries.length).toBeGreaterThan(3);
  });
});

test('a participant who moves during a read appears once', async () => {
  const before = people(40, 0);
  const [first] = before;
  if (!first?.listed) throw new Error('The first one is listed.');
  const moved = { ...first, listed: { ...first.listed, joinedAt: at('11:00') } };
  const table = participantTable(before);
  let calls = 0;
  const slowly = async (command: { readonly input: object }) => {
    Object.assign(command.input, { Limit: 1 });
    const answer = await table.documents.send(command as never);
    calls += 1;
    if (calls === 1) table.change(before, [moved, ...before.slice(1)]);
    return answer;
  };
  const { results } = await readParticipants(
    { send: slowly } as never,
    listOf({ field: 'joinedAt', direction: 'asc' }, 100),
  );
  expect(results.map(nameOfElement)).toEqual(before.map(nameOf));
});

test('a session without participants has one empty page', async () => {
  expect(await pagesOf(participantTable(), { field: 'leftAt', direction: 'desc' }, 10)).toEqual([[]]);
});

test('a cursor of another list is refused', async () => {
  const { documents } = participantTable(people(30, 0));
  const { cursor } = await readParticipants(documents, listOf({ field: 'joinedAt', direction: 'asc' }, 10));
  const other = listOf({ field: 'joinedAt', direction: 'desc' }, 10, cursor ?? '');
  await expect(readParticipants(documents, other)).rejects.toThrow(InvalidRequest);
});

test.each([
  ['beyond all values', '3'],
  ['before all values', '\u0001'],
  ['too long for the key of a page', `0${'x'.repeat(1_005)}`],
])('a cursor with a position that is %s is refused', async (_, position) => {
  const { documents } = participantTable();
  const list = listOf({ field: 'leftAt', direction: 'asc' }, 10);
  const cursor = encodeCursor(list.name, position);
  await expect(readParticipants(documents, { ...list, cursor })).rejects.toThrow(InvalidRequest);
});
