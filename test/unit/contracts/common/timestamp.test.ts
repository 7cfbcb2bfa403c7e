import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Timestamp, UtcTimestamp } from '#shared/contracts/common/fields.ts';
import { issuesOf, taken } from '../../../support/issues.ts';

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z'],
  ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123Z'],
  ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T12:00:00-09:30', '2026-01-31T21:30:00.000Z'],
  ['2026-01-31T12:00:00.000000+0000', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00-0930', '2026-01-31T21:30:00.000Z'],
  ['2026-01-01T00:30:00+14:00', '2025-12-31T10:30:00.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ['9998-12-31T23:59:59.999Z', '9998-12-31T23:59:59.999Z'],
])('Timestamp converts %s to UTC with milliseconds', (instant, utc) => {
  expect(taken(Timestamp, instant)).toBe(utc);
});

test.each([
  '',
  'now',
  '1772323200000',
  '2026-01-31',
  '2026-01-31T12:00:00',
  '2026-01-31 12:00:00Z',
  '2026-01-31T12:00:00 Z',
  '2026-01-31T12:00:00z',
  '2026-01-31T12:00:00+02',
  '2026-1-31T12:00:00Z',
  '20260131T120000Z',
  '+002026-01-31T12:00:00Z',
  '12026-01-31T12:00:00Z',
  '2026-01-31T12:00:00Z\n',
  '2026-01-31T12:00:00Z[Europe/Oslo]',
  'Sat, 31 Jan 2026 12:00:00 GMT',
])('Timestamp rejects %j because it is not a date and time with a time zone', (instant) => {
  expect(issuesOf(Timestamp, instant)).toContain(
    ': must be an ISO 8601 date and time with a time zone, such as 2026-01-31T12:00:00Z',
  );
});

test.each(['2026-01-31T12:00:00 0000', '2026-01-31T12:00:00.5 02:00'])(
  'Timestamp tells how to write the plus that a URL has made a space in %j',
  (instant) => {
    expect(issuesOf(Timestamp, instant)).toEqual([
      ': must be an ISO 8601 date and time with a time zone, such as 2026-01-31T12:00:00Z. Write + as %2B in a URL',
    ]);
  },
);

test.each([
  ['30 February', '2026-02-30T12:00:00Z'],
  ['before 1970 in UTC', '1970-01-01T00:30:00+01:00'],
  ['after 9998 in UTC', '9998-12-31T23:30:00-01:00'],
  ['29 February of a common year', '2026-02-29T12:00:00Z'],
  ['29 February 1900-style', '2100-02-29T12:00:00Z'],
  ['31 April', '2026-04-31T12:00:00Z'],
  ['day 0', '2026-01-00T12:00:00Z'],
  ['month 0', '2026-00-10T12:00:00Z'],
  ['month 13', '2026-13-10T12:00:00Z'],
  ['hour 25', '2026-01-31T25:00:00Z'],
  ['minute 60', '2026-01-31T12:60:00Z'],
  ['a leap second', '2016-12-31T23:59:60Z'],
  ['an offset of 99 hours', '2026-01-31T12:00:00+99:00'],
  ['an offset of 60 minutes', '2026-01-31T12:00:00+01:60'],
  ['an offset of 99 hours without a colon', '2026-01-31T12:00:00+9900'],
  ['before 1970 in UTC, without a colon', '1970-01-01T00:30:00+0100'],
  ['the year 0', '0000-01-01T00:00:00Z'],
  ['the year before 1970', '1969-12-31T23:59:59Z'],
  ['the year 9999', '9999-01-01T00:00:00Z'],
])('Timestamp rejects %s', (_name, instant) => {
  expect(issuesOf(Timestamp, instant)).toEqual([': must be a date and time that exists, in the years 1970 to 9998']);
});

test('Timestamp keeps every instant in a form that sorts as text', () => {
  const instants = fc.date({
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('9998-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (instant) => {
      const written = taken(Timestamp, instant.toISOString());
      expect(written).toBe(instant.toISOString());
      expect(taken(UtcTimestamp, written)).toBe(written);
    }),
  );
});

test('Timestamp accepts or rejects any text and never throws', () => {
  const almost = fc.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,12})?(Z|[+-]\d{2}:\d{2})$/);
  fc.assert(
    fc.property(fc.oneof(almost, fc.string()), (text) => {
      if (issuesOf(Timestamp, text).length === 0) expect(issuesOf(UtcTimestamp, taken(Timestamp, text))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
