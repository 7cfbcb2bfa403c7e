import {
  participantSortFields,
  type RoomInsight,
  type RoomSessionInsight,
  roomSessionSortFields,
  roomSortFields,
  type SessionParticipant,
} from '#shared/contracts/insights/insights.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { at, sessionOf } from './insights.ts';

const ordersOf = (fields: readonly string[]) =>
  fields.flatMap((field) => (['asc', 'desc'] as const).map((direction) => [field, direction] as const));

/** Every order of the list of rooms: each field in both directions. */
export const roomOrders = ordersOf(roomSortFields);
/** Every order of the list of sessions of a room. */
export const roomSessionOrders = ordersOf(roomSessionSortFields);
/** Every order of the list of participants. */
export const participantOrders = ordersOf(participantSortFields);

type Direction = 'asc' | 'desc';

/**
 * Sorts elements as the lists promise: by the field, with ties by the identifying fields, and all of that reversed if
 * descending. Elements without a value come last, always ascending.
 */
export function sorted<Element>(
  elements: readonly Element[],
  [field, direction]: readonly [field: string, direction: Direction],
  tieBreakOf: (element: Element) => readonly string[],
): Element[] {
  const fieldOf = (element: Element) => (element as Record<string, string | number | null>)[field] ?? null;
  const byTieBreak = (one: Element, other: Element) => compareAll(tieBreakOf(one), tieBreakOf(other));
  const [known, missing] = [(each: Element) => fieldOf(each) !== null, (each: Element) => fieldOf(each) === null];
  const ascending = elements
    .filter(known)
    .toSorted((one, other) => compare(fieldOf(one), fieldOf(other)) || byTieBreak(one, other));
  return [
    ...(direction === 'asc' ? ascending : ascending.toReversed()),
    ...elements.filter(missing).toSorted(byTieBreak),
  ];
}

/** The fields that break ties in each list. */
export const tieBreaks = {
  rooms: ({ roomName }: RoomInsight) => [roomName],
  roomSessions: ({ roomSessionId }: RoomSessionInsight) => [roomSessionId],
  participants: ({ joinedAt, roomSessionId, participantId }: SessionParticipant) => [
    joinedAt,
    roomSessionId,
    participantId,
  ],
} as const;

function compareAll(ones: readonly string[], others: readonly string[]): number {
  return ones.map((one, index) => compare(one, others[index] ?? '')).find((difference) => difference !== 0) ?? 0;
}

/** Compares numbers by value and text by its UTF-8 bytes. */
function compare(one: string | number | null, other: string | number | null): number {
  if (typeof one === 'number') return one - Number(other);
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

const minute = (number: number) => at(`09:${String(number).padStart(2, '0')}`);

/**
 * One session that differs from its neighbours in every figure and ties with others in each. Its number decides how many
 * people join, how long they stay, who records and streams, who rates, and whether the session ends.
 */
export function variedSession(organizationId: string, roomName: string, number: number): PlatformEvent[] {
  const session = sessionOf(organizationId, { roomName });
  const [start, people] = [number % 4, number % 3];
  const machines = [...(number % 2 === 0 ? ['recorder'] : []), ...(number % 5 < 2 ? ['streamer'] : [])];
  const stays = Array.from({ length: people }, (_, index) => [
    session.joined(`p-${index}`, minute(start), { externalId: `crm-${number % 7}`, userId: `user-${index}` }),
    ...(index === 1 && number % 4 === 1 ? [] : [session.left(`p-${index}`, minute(start + 1 + ((number * 7) % 5)))]),
  ]);
  const machineStays = machines.map((roleName) => [
    session.joined(roleName, minute(start), { roleName }),
    session.left(roleName, minute(start + 1 + (number % 3))),
  ]);
  const ratings = Array.from({ length: (number * 5) % 3 }, (_, index) =>
    session.rated('p-0', minute(start + 1), 1 + ((number + index) % 4) + (index === 0 ? 0 : 0.5)),
  );
  const end = number % 3 === 2 ? [] : [session.ended(minute(30 + (number % 5)))];
  return [session.started(minute(start)), ...stays.flat(), ...machineStays.flat(), ...ratings, ...end];
}

/** Rooms that differ in their sessions. Some have no session, some no creation and some no end. */
export function variedRooms(organizationId: string, count: number): PlatformEvent[] {
  const rooms = Array.from({ length: count }, (_, number) => {
    const roomName = `/room-${String((number * 11) % count).padStart(2, '0')}`;
    const sessions = Array.from({ length: number % 4 }, (_, index) =>
      variedSession(organizationId, roomName, number * 3 + index),
    );
    const endAt = number % 3 === 0 ? undefined : `1${number % 2}:00`;
    const creation = sessionOf(organizationId, { roomName }).created(`08:0${number % 5}`, endAt);
    return [...(number % 4 !== 0 && number % 5 === 3 ? [] : [creation]), ...sessions.flat()];
  });
  return rooms.flat();
}
