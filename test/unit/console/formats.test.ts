import { describe, expect, test } from 'vitest';
import { formatDuration, formatPosition } from '../../../console/parts/formats.ts';

describe('formatDuration', () => {
  test.each([
    [0, '0 s'],
    [48.4, '48 s'],
    [600, '10 min'],
    [646, '10 min 46 s'],
    [3599.6, '1 h'],
    [3720, '1 h 2 min'],
    [3749, '1 h 2 min'],
    [86_400, '24 h'],
    [4_000_000, '1,111 h 7 min'],
    [-5, '0 s'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

test.each([
  [48, '0:48'],
  [3725, '1:02:05'],
])('formatPosition writes the moment after %d seconds as %s', (seconds, text) => {
  expect(formatPosition(seconds)).toBe(text);
});
