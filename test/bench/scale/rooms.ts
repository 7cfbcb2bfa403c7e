import type { SortDirection } from '#shared/contracts/common/fields.ts';
import type { RoomSortField } from '#shared/contracts/insights/insights.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { sortAttributeName } from '#shared/runtime/names.ts';
import { encodeCursor } from '#shared/storage/common/cursor.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { toRoomRow } from '#shared/storage/insights/rows.ts';
import { type Rows, storedRoom } from '../../support/insights/stored-rooms.ts';
import type { CapacityMeter } from '../../support/storage/capacity-meter.ts';
import type { Filling } from '../filled-database.ts';
import { depth, pageSize, type Size, type SizedLists } from './sized-lists.ts';

type Tables = Readonly<Record<string, string>>;

const roomFields: readonly RoomSortField[] = ['lastSessionStartedAt', 'createdAt', 'totalParticipantMinutes'];
const directions: readonly SortDirection[] = ['asc', 'desc'];
const smallRooms = 1_000;

const organizations = {
  small: OrganizationId.parse('bench-scale-small'.padEnd(26, '-')), // as long as a client ID of Cognito
  large: OrganizationId.parse('bench-scale-large'.padEnd(26, '-')),
};
/** Rows of a table, of which the sort attributes tell where a deep page begins. */
const roomRows = (size: Size, count: number): Rows => ({
  count,
  make: (index) => toRoomRow(storedRoom(organizations[size], index)),
});

/** The rows that the measurements read: an organization with `rooms` rooms, and a small one. */
export function fillingsOf(rooms: number): Filling[] {
  return [
    { table: 'rooms', name: 'rooms', ...roomRows('small', smallRooms) },
    { table: 'rooms', name: 'rooms', ...roomRows('large', rooms) },
  ];
}

/** The rooms of both organizations, in six orders. */
export function roomLists({ documents }: CapacityMeter, tables: Tables, rooms: number): SizedLists {
  const counts = { small: smallRooms, large: rooms };
  const orders = roomFields.flatMap((field) => directions.map((direction) => `${field}:${direction}`));
  const list = roomLister(documents, tables.rooms ?? '');
  const positions = deepPositions(
    { small: roomRows('small', smallRooms), large: roomRows('large', rooms) },
    roomFields,
  );
  return {
    ...{ elements: 'rooms', counts, orders },
    read: (size, order, cursor) => list(organizations[size], { limit: pageSize, sortBy: sortOf(order), cursor }),
    deepCursor: async (size, order) => {
      const { field, direction } = sortOf(order);
      return encodeCursor(['rooms', field, direction], positions[size](field, direction));
    },
  };
}

/** The field and the direction of an order. */
function sortOf(order: string): { readonly field: RoomSortField; readonly direction: SortDirection } {
  const [field, direction] = order.split(':');
  return { field, direction } as { field: RoomSortField; direction: SortDirection };
}

type Position = (field: string, direction: SortDirection) => string;

/** The positions before a page at 99 % depth, which has another page after it. */
function deepPositions(
  rows: Readonly<Record<Size, Rows>>,
  fields: readonly string[],
): Readonly<Record<Size, Position>> {
  const ofSize = ({ count, make }: Rows): Position => {
    const values = new Map(fields.map((field) => [field, [] as string[]]));
    for (let index = 0; index < count; index += 1) {
      const row = make(index);
      for (const [field, all] of values) all.push(String(row[sortAttributeName(field)]));
    }
    for (const all of values.values()) all.sort();
    const before = Math.floor(count * depth) - pageSize;
    return (field, direction) => values.get(field)?.at(direction === 'asc' ? before - 1 : -before) ?? '';
  };
  return { small: ofSize(rows.small), large: ofSize(rows.large) };
}
