import { describe, expect, test } from 'vitest';
import {
  isWorthRefreshing,
  problemOf,
  queryOf,
  roomNameOf,
  sortFieldsOf,
  sortOf,
} from '../../../console/views/transcriptions/filters.ts';
import { transcriptionSortFields } from '../../../shared/contracts/transcriptions/transcription.ts';
import { ListTranscriptions } from '../../../shared/contracts/transcriptions/transcription-operations.ts';

const session = '91981094-2029-46e9-858d-60a19d229ac9';
const [from, to] = ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'];

describe('filters of transcriptions', () => {
  test('let the service accept every address without a problem', () => {
    const filters = [{}, { state: 'failed' }, { room: 'team' }, { session }, { type: 'LIVE_TRANSCRIPTION' }];
    for (const filter of filters) {
      for (const period of [{}, { from }, { to }, { from, to }]) {
        for (const sort of [
          undefined,
          ...transcriptionSortFields.map((field) => `${field}:asc`),
          'x:asc',
          'startDate',
        ]) {
          const search = { ...filter, ...period, sort };
          expect(problemOf(search)).toBeUndefined();
          expect(ListTranscriptions.safeParse(queryOf(search)).success, JSON.stringify(search)).toBe(true);
        }
      }
    }
  });

  test.each([
    ['severalFilters', { state: 'ready', room: '/a' }],
    ['unknownState', { state: 'done' }],
    ['unknownType', { type: 'LIVE' }],
    ['notASession', { session: 'a' }],
    ['emptyPeriod', { from: to, to: from }],
  ])('explain an address that the service would refuse: %s', (problem, search) => {
    expect(problemOf(search)).toBe(problem);
  });

  test('offer only the orders that the service has', () => {
    expect(sortFieldsOf({})).toEqual(transcriptionSortFields);
    expect(sortFieldsOf({ room: '/a' })).toEqual(transcriptionSortFields);
    expect(sortFieldsOf({ room: '/a', from })).toEqual(['startDate']);
    expect(sortOf({ state: 'ready', sort: 'roomName:asc' })).toBe('startDate:desc');
    expect(sortOf({ sort: 'roomName:asc' })).toBe('roomName:asc');
  });

  test('give the name of a room its slash', () => {
    expect([' team ', '/team', ''].map(roomNameOf)).toEqual(['/team', '/team', '']);
  });

  test('ask again for a short list in which something is in progress', () => {
    const rows = (count: number, state: 'ready' | 'in_progress') => Array.from({ length: count }, () => ({ state }));
    expect([rows(2, 'in_progress'), rows(2, 'ready'), rows(301, 'in_progress')].map(isWorthRefreshing)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
