import { describe, expect, test } from 'vitest';
import { offsetOf, partsOf, ticksOf } from '../../../console/parts/time-window/ticks.ts';
import {
  extentOf,
  isWhole,
  panned,
  readWindow,
  within,
  writeWindow,
  zoomed,
} from '../../../console/parts/time-window/window.ts';

const hour = 3_600_000;
const extent = { from: Date.parse('2026-03-01T08:00:00.000Z'), to: Date.parse('2026-03-01T18:00:00.000Z') };
const at = (time: string) => Date.parse(`2026-03-01T${time}:00.000Z`);

describe('a window of time', () => {
  test('zooms around its middle', () => {
    expect(zoomed(extent, extent, 0.5)).toEqual({ from: at('10:30'), to: at('15:30') });
  });

  test('zooms around a time, which keeps its place', () => {
    expect(zoomed(extent, extent, 0.5, at('08:00'))).toEqual({ from: at('08:00'), to: at('13:00') });
  });

  test('never becomes shorter than ten seconds, or longer than the extent', () => {
    const { from, to } = zoomed({ from: at('09:00'), to: at('09:00') + 12_000 }, extent, 0.1);
    expect(to - from).toBe(10_000);
    expect(zoomed({ from: at('09:00'), to: at('17:00') }, extent, 4)).toEqual(extent);
  });

  test('moves by a part of its length, up to the ends of the extent', () => {
    const window = { from: at('09:00'), to: at('11:00') };
    expect(panned(window, extent, 0.25)).toEqual({ from: at('09:30'), to: at('11:30') });
    expect(panned(window, extent, -4)).toEqual({ from: at('08:00'), to: at('10:00') });
    expect(panned(window, extent, 40)).toEqual({ from: at('16:00'), to: at('18:00') });
  });

  test('is in the address unless it shows all', () => {
    const window = { from: at('09:00'), to: at('11:00') };
    expect(readWindow(writeWindow(window, extent), extent)).toEqual(window);
    expect(writeWindow(extent, extent)).toEqual({ from: undefined, to: undefined });
    expect(isWhole(readWindow({}, extent), extent)).toBe(true);
  });

  test.each([{ from: 'x' }, { from: '2026-03-01T12:00:00Z', to: '2026-03-01T11:00:00Z' }])(
    'is the extent if the address is wrong: %j',
    (search) => expect(readWindow(search, extent)).toEqual(extent),
  );

  test('from an address stays within the extent', () => {
    const read = readWindow({ from: '2026-03-01T17:00:00Z', to: '2026-03-01T19:00:00Z' }, extent);
    expect(read).toEqual({ from: at('16:00'), to: at('18:00') });
    expect(within({ from: 0, to: 1 }, extent)).toEqual({ from: extent.from, to: extent.from + 10_000 });
  });

  test('contains all known times', () => {
    expect(extentOf([undefined, 30_000, null, 10_000, Number.NaN])).toEqual({ from: 10_000, to: 30_000 });
    expect(extentOf([5])).toEqual({ from: 5, to: 10_005 });
    expect(extentOf([null])).toBeUndefined();
  });
});

describe('ticksOf', () => {
  test('has round times, and no more than asked for', () => {
    const { stepMs, times } = ticksOf(extent, 6, 0);
    expect(stepMs).toBe(2 * hour);
    expect(times).toEqual(['08:00', '10:00', '12:00', '14:00', '16:00', '18:00'].map(at));
  });

  test('has round times of a zone that is half an hour off', () => {
    const { times } = ticksOf(extent, 6, 5.5 * hour);
    expect(times.map((time) => ((time + 5.5 * hour) / hour) % 24)).toEqual([14, 16, 18, 20, 22]);
  });

  test('says the day at midnight, and seconds only if ticks are closer than a minute', () => {
    expect(partsOf(Date.parse('2026-03-02T00:00:00Z'), hour, 0)).toBe('day');
    expect(partsOf(at('10:00'), hour, 0)).toBe('minute');
    expect(partsOf(at('10:00'), 10_000, 0)).toBe('second');
    expect(offsetOf(at('10:00'), 'utc')).toBe(0);
  });
});
