import { describe, expect, test } from 'vitest';
import {
  readColumns,
  roomColumnIds,
  usualRoomColumns,
  writeColumns,
} from '../../../console/views/insights/rooms/room-column-ids.ts';
import { queryOf, shownSort } from '../../../console/views/insights/rooms/rooms-query.ts';
import { roomSortFields } from '../../../shared/contracts/insights/insights.ts';

describe('the query of the view rooms', () => {
  test('finds a part of a name by default', () => {
    expect(queryOf({ find: 'team' })).toEqual({ 'roomName[contains]': 'team' });
    expect(queryOf({ find: 'team', match: 'nonsense' })).toEqual({ 'roomName[contains]': 'team' });
  });

  test('finds the beginning of a name, or the name', () => {
    expect(queryOf({ find: '/a', match: 'begins' })).toEqual({ 'roomName[startsWith]': '/a' });
    expect(queryOf({ find: '/a', match: 'is' })).toEqual({ 'roomName[exact]': '/a' });
  });

  test('has period and order', () => {
    const search = { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z', sort: 'rating:asc' };
    expect(queryOf(search)).toEqual({
      'createdAt[from]': search.from,
      'createdAt[to]': search.to,
      sortBy: 'rating:asc',
    });
  });

  test('leaves out an order that the service does not have', () => {
    expect(queryOf({ sort: 'completeness:asc' })).toEqual({});
    expect(queryOf({ sort: 'rating:up' })).toEqual({});
  });

  test('shows the order that the service chooses', () => {
    expect(shownSort({})).toBe('lastSessionStartedAt:desc');
    expect(shownSort({ find: '/a', match: 'begins' })).toBe('roomName:asc');
    expect(shownSort({ from: '2026-03-01T00:00:00.000Z' })).toBe('createdAt:desc');
    expect(shownSort({ find: 'a', sort: 'rating:asc' })).toBe('rating:asc');
  });
});

describe('the columns of rooms', () => {
  test('include every field by which the service sorts', () => {
    expect(roomColumnIds).toEqual(expect.arrayContaining([...roomSortFields]));
  });

  test('are the usual ones unless the address has others', () => {
    expect(readColumns(undefined)).toEqual(usualRoomColumns);
    expect(writeColumns(usualRoomColumns)).toBeUndefined();
  });

  test('come back as they were chosen, with the name and without unknown ones', () => {
    expect(readColumns(writeColumns(['endAt', 'roomName', 'asOf']))).toEqual(['roomName', 'endAt', 'asOf']);
    expect(readColumns('rating,nonsense')).toEqual(['roomName', 'rating']);
    expect(readColumns('')).toEqual(['roomName']);
  });
});
