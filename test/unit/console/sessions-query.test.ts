import { describe, expect, test } from 'vitest';
import type { RoomSessionInsight } from '../../../client/types.ts';
import {
  chartQuery,
  sessionSeries,
  sessionSort,
  sessionsQuery,
} from '../../../console/views/insights/room/sessions-query.ts';

const from = '2026-03-01T00:00:00.000Z';

function session(changes: Partial<RoomSessionInsight>): RoomSessionInsight {
  return {
    startedAt: from,
    endedAt: null,
    totalParticipantMinutes: 0,
    totalUniqueParticipants: 0,
    ...changes,
  } as RoomSessionInsight;
}

describe('the query of the view room', () => {
  test('sorts by a field of the service', () => {
    expect(sessionsQuery({ name: '/a', sort: 'rating:asc' })).toEqual({ roomName: '/a', sortBy: 'rating:asc' });
    expect(sessionSort({ sort: 'spokenSeconds:asc' })).toBe('startedAt:desc');
  });

  test('sorts by the start only if it has a period, because the service refuses others', () => {
    expect(sessionsQuery({ name: '/a', sort: 'rating:asc', from })).toEqual({
      roomName: '/a',
      'startedAt[from]': from,
      sortBy: 'startedAt:desc',
    });
    expect(sessionSort({ sort: 'startedAt:asc', to: from })).toBe('startedAt:asc');
  });

  test('of the chart is in the order of time, whatever the order of the table', () => {
    expect(chartQuery({ name: '/a', sort: 'rating:asc' })).toEqual({ roomName: '/a', sortBy: 'startedAt:desc' });
  });
});

describe('sessionSeries', () => {
  test('has the earliest session first', () => {
    const late = session({
      startedAt: '2026-03-02T00:00:00.000Z',
      totalParticipantMinutes: 7,
      totalUniqueParticipants: 2,
    });
    const early = session({ totalParticipantMinutes: 5, totalUniqueParticipants: 1 });
    const { x, series } = sessionSeries([late, early]);
    expect(x).toEqual([Date.parse(from) / 1000, Date.parse(from) / 1000 + 86_400]);
    expect(series.map(({ values }) => values)).toEqual([
      [5, 7],
      [1, 2],
    ]);
  });
});
