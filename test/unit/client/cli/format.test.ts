import { expect, test } from 'vitest';
import { details, duration, minutes, plain, rounded, time } from '#client/cli/output/format.ts';
import { printable } from '#client/cli/output/text.ts';

test.each([
  [0, '0 s'],
  [31, '31 s'],
  [60, '1:00'],
  [245, '4:05'],
  [3599, '59:59'],
  [3751, '1:02:31'],
  [360_000, '100:00:00'],
])('duration formats %i seconds as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test.each([
  [83, '83'],
  [83.04, '83'],
  [83.45, '83.5'],
  [100, '100'],
  [0, '0'],
  [null, '-'],
])('minutes formats %s as %s', (value, text) => {
  expect(minutes(value)).toBe(text);
});

test('unknown values are shown as a dash', () => {
  expect([time(null), plain(null), plain(''), rounded(null)]).toEqual(['-', '-', '-', '-']);
  expect([time('2026-03-02T09:00:31.000Z'), plain(0), rounded(0)]).toEqual(['2026-03-02 09:00', '0', '0.0']);
});

test('values can neither control a terminal nor add lines', () => {
  const shown = details([
    ['Room', '/a\u001b]0;title\u0007\nState  ready'],
    ['State', 'failed'],
  ]);
  expect(shown).toBe('Room   /a\ufffd]0;title\ufffd State  ready\nState  failed');
  expect(printable('One\r\n\tTwo\u001b[2J\u009b')).toBe('One\ufffd\n\tTwo\ufffd[2J\ufffd');
});
