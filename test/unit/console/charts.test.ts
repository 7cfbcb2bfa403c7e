import { describe, expect, test } from 'vitest';
import { axisLabels } from '../../../console/parts/charts/axis-labels.ts';
import { stacked } from '../../../console/parts/charts/stacked.ts';
import { drawnRange, wholeRange, zoomed } from '../../../console/parts/charts/zoom-range.ts';

describe('stacked', () => {
  test('puts each series on those before it', () => {
    expect(
      stacked([
        [1, 2],
        [10, 0],
      ]),
    ).toEqual([
      [1, 2],
      [11, 2],
    ]);
    expect(stacked([])).toEqual([]);
  });
});

describe('zoomed', () => {
  const all = [0, 100] as const;

  test('halves and doubles the range around its middle', () => {
    expect(zoomed([40, 60], 'in', all)).toEqual([45, 55]);
    expect(zoomed([40, 60], 'out', all)).toEqual([30, 70]);
  });

  test('moves by half of the range, and no further than the data', () => {
    expect(zoomed([40, 60], 'back', all)).toEqual([30, 50]);
    expect(zoomed([40, 60], 'forth', all)).toEqual([50, 70]);
    expect(zoomed([4, 24], 'back', all)).toEqual([0, 20]);
    expect(zoomed([75, 95], 'forth', all)).toEqual([80, 100]);
  });

  test('shows all, and never more than that', () => {
    expect(zoomed([40, 60], 'all', all)).toEqual([0, 100]);
    expect(zoomed([10, 80], 'out', all)).toEqual([0, 100]);
    expect(zoomed([0, 20], 'out', all)).toEqual([0, 40]);
  });
});

describe('wholeRange', () => {
  test('has room for one bar at both ends', () => {
    expect(wholeRange([1000, 2000], 60)).toEqual([940, 2060]);
    expect(wholeRange([500], 60)).toEqual([440, 560]);
  });
});

describe('drawnRange', () => {
  test('is that of the bars, also of a single one, of which the chart asks for 1,000 days', () => {
    const [at, day] = [Date.parse('2026-03-02T00:00:00Z') / 1000, 86_400];
    expect(drawnRange([at - 500 * day, at + 500 * day], [at], [at - day, at + day])).toEqual([at - day, at + day]);
    expect(drawnRange([at, at + 9 * day], [at, at + 9 * day], [at - day, at + 10 * day])).toEqual([
      at - day,
      at + 10 * day,
    ]);
    expect(drawnRange([at, at + day], [at, at + 9 * day], [at - day, at + 10 * day])).toEqual([at, at + day]);
  });
});

describe('axisLabels', () => {
  const at = (time: string) => Date.parse(time) / 1000;

  test('are days if a step is a day or more', () => {
    expect(axisLabels([at('2026-03-02T00:00:00Z'), at('2026-03-03T00:00:00Z')], 86_400, 'utc')).toEqual([
      'Mar 2',
      'Mar 3',
    ]);
  });

  test('are times of day, with the day where a new one begins', () => {
    const times = ['2026-03-02T22:00:00Z', '2026-03-02T23:00:00Z', '2026-03-03T00:00:00Z'].map(at);
    expect(axisLabels(times, 3600, 'utc')).toEqual(['22:00\nMar 2', '23:00', '00:00\nMar 3']);
  });
});
