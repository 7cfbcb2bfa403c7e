import type { ListRoomInsights } from '../../../../client/types.ts';
import { sortFieldsOfRooms } from '../../../contract.ts';

/** The search parameters of the view. */
export type RoomsSearch = {
  readonly [name in 'sort' | 'find' | 'match' | 'from' | 'to' | 'columns']?: string | undefined;
};

/** The ways to compare names, and the parameter of the service for each. The first one is the usual one. */
export const matches = {
  contains: 'roomName[contains]',
  begins: 'roomName[startsWith]',
  is: 'roomName[exact]',
} as const;
/** A way to compare names. */
export type Match = keyof typeof matches;

/** The way to compare names that an address asks for. */
export function matchOf({ match }: RoomsSearch): Match {
  return match === 'begins' || match === 'is' ? match : 'contains';
}

/** Whether the search narrows the list. */
export function isFiltered({ find, from, to }: RoomsSearch): boolean {
  return find !== undefined || from !== undefined || to !== undefined;
}

/** The order of the list. Without a valid one, the service chooses: see `shownSort`. */
function sortOf({ sort }: RoomsSearch): ListRoomInsights['sortBy'] {
  const [field, direction] = sort?.split(':') ?? [];
  const isValid = sortFieldsOfRooms.includes(field ?? '') && (direction === 'asc' || direction === 'desc');
  return isValid ? (sort as ListRoomInsights['sortBy']) : undefined;
}

/** The order that the table shows: the one that is asked for, or the usual one of the service for these filters. */
export function shownSort(search: RoomsSearch): string {
  const asked = sortOf(search);
  if (asked !== undefined) return asked;
  if (search.find !== undefined && matchOf(search) === 'begins') return 'roomName:asc';
  return search.from !== undefined || search.to !== undefined ? 'createdAt:desc' : 'lastSessionStartedAt:desc';
}

/** What the service is asked for. */
export function queryOf(search: RoomsSearch): ListRoomInsights {
  const { find, from, to } = search;
  const sortBy = sortOf(search);
  return {
    ...(find !== undefined && { [matches[matchOf(search)]]: find }),
    ...(from !== undefined && { 'createdAt[from]': from }),
    ...(to !== undefined && { 'createdAt[to]': to }),
    ...(sortBy !== undefined && { sortBy }),
  };
}
