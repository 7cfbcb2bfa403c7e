import type { SortDirection } from '#shared/contracts/fields.ts';
import type { RoomSortField, roomSessionSortFields } from '#shared/contracts/insights.ts';
import { OrganizationId } from '#shared/contracts/organization.ts';
import { sortAttributeName } from '#shared/names.ts';
import { encodeCursor } from '#shared/storage/cursor.ts';
import { roomSessionLister } from '#shared/storage/insights/lists.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { toRoomRow, toSessionRow } from '#shared/storage/insights/rows.ts';
import type { CapacityMeter } from '../../support/capacity-meter.ts';
import { type Rows, storedRoom, storedSession } from '../../support/stored-rooms.ts';
import type { Filling } from '../filled-database.ts';
import { depth, pageSize, type Size, type SizedLists } from './sized-lists.ts';

type SessionField = (typeof roomSessionSortFields)[number];
type Tables = Readonly<Record<string, string>>;

const roomFields: readonly RoomSortField[] = ['lastSessionStartedAt', 'createdAt', 'totalParticipantMinutes'];
const sessionFields: readonly SessionField[] = ['startedAt', 'totalParticipantMinutes'];
const directions: readonly SortDirection[] = ['asc', 'desc'];
const sessionCounts = { small: 1_000, large: 100_000 };
const smallRooms = 1_000;

const organizations = {
  small: OrganizationId.parse('bench-scale-small'.padEnd(26, '-')), // as long as a client ID of Cognito
  large: OrganizationId.parse('bench-scale-large'.padEnd(26, '-')),
};
/** The rooms with many sessions are of an organization of their own, which has no other rooms. */
const sessionRooms = {
  small: { organizationId: OrganizationId.parse('bench-scale-sessions'.padEnd(26, '-')), roomName: '/some-sessions' },
  large: { organizationId: OrganizationId.parse('bench-scale-sessions'.padEnd(26, '-')), roomName: '/many-sessions' },
};

/** Rows of a table, of which the sort attributes tell where a deep page begins. */
const roomRows = (size: Size, count: number): Rows => ({
  count,
  make: (index) => toRoomRow(storedRoom(organizations[size], index)),
});
const sessionRows = (size: Size): Rows => ({
  count: sessionCounts[size],
  make: (index) => toSessionRow(storedSession(sessionRooms[size], index)),
});

/** The rows that the measurements read: an organization with `rooms` rooms, a room with 100 000 sessions, and a small one of each. */
export function fillingsOf(rooms: number): Filling[] {
  const own = Object.values(sessionRooms).map((key) => toRoomRow({ ...storedRoom(key.organizationId, 0), ...key }));
  return [
    { table: 'rooms', name: 'rooms', ...roomRows('small', smallRooms) },
    { table: 'rooms', name: 'rooms', ...roomRows('large', rooms) },
    { table: 'rooms', name: 'rooms with sessions', count: own.length, make: (index) => own[index] ?? {} },
    { table: 'roomSessions', name: 'sessions', ...sessionRows('small') },
    { table: 'roomSessions', name: 'sessions', ...sessionRows('large') },
  ];
}

/** The rooms of both organizations, in six orders. */
export function roomLists({ documents }: CapacityMeter, tables: Tables, rooms: number): SizedLists {
  const counts = { small: smallRooms, large: rooms };
  const list = roomLister(documents, tables.rooms ?? '');
  const positions = deepPositions(
    { small: roomRows('small', smallRooms), large: roomRows('large', rooms) },
    roomFields,
  );
  return {
    ...{ elements: 'rooms', counts, orders: ordersOf(roomFields) },
    read: (size, order, cursor) => list(organizations[size], { limit: pageSize, sortBy: sortOf(order), cursor }),
    deepCursor: async (size, order) => {
      const { field, direction } = sortOf<RoomSortField>(order);
      return encodeCursor(['rooms', field, direction], positions[size](field, direction));
    },
  };
}

/** The sessions of both rooms, in four orders. */
export function sessionLists({ documents }: CapacityMeter, tables: Tables): SizedLists {
  const { rooms = '', roomSessions = '' } = tables;
  const list = roomSessionLister(documents, { rooms, roomSessions });
  const positions = deepPositions({ small: sessionRows('small'), large: sessionRows('large') }, sessionFields);
  return {
    ...{ elements: 'sessions of a room', counts: sessionCounts, orders: ordersOf(sessionFields) },
    read: (size, order, cursor) => {
      const { organizationId, roomName } = sessionRooms[size];
      return list(organizationId, { roomName, limit: pageSize, sortBy: sortOf<SessionField>(order), cursor });
    },
    deepCursor: async (size, order) => {
      const { field, direction } = sortOf<SessionField>(order);
      const name = ['room-sessions', sessionRooms[size].roomName, field, direction];
      return encodeCursor(name, positions[size](field, direction));
    },
  };
}

/** All orders by these fields. */
export function ordersOf(fields: readonly string[]): string[] {
  return fields.flatMap((field) => directions.map((direction) => `${field}:${direction}`));
}

/** The field and the direction of an order. */
export function sortOf<Field extends string>(
  order: string,
): { readonly field: Field; readonly direction: SortDirection } {
  const [field, direction] = order.split(':');
  return { field, direction } as { field: Field; direction: SortDirection };
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
