import * as z from 'zod/mini';

const maxRoomNameBytes = 512;
const utf8 = new TextEncoder();

/** A UUID of any version in any case; lower case from here on, so that one id has one spelling in every key. */
export const Uuid = z.pipe(
  z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID')),
  z.transform((uuid) => uuid.toLowerCase()),
);

/** A room's name: starts with `/`, 1-512 bytes of UTF-8 (it is part of index keys), no NUL and no lone surrogate. */
export const RoomName = z.string().check(
  z.startsWith('/', 'must start with "/"'),
  z.refine((name) => name.isWellFormed(), 'must be valid Unicode'),
  z.refine((name) => !name.includes('\0'), 'must not contain the NUL character'),
  z.refine(
    (name) => utf8.encode(name).length <= maxRoomNameBytes,
    `must be at most ${maxRoomNameBytes} bytes of UTF-8`,
  ),
);

const offsetDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** An ISO 8601 instant as a producer writes it, with `Z` or an offset; comes out in UTC with milliseconds and `Z`. */
export const Timestamp = z.pipe(
  z
    .string()
    .check(
      z.regex(offsetDateTime, 'must be an ISO 8601 date and time with a time zone, such as 2026-01-31T12:00:00Z'),
      z.refine(isCalendarDate, 'must be a date and time that exists, in the years 1970 to 9998'),
    ),
  z.transform((instant) => new Date(instant).toISOString()),
);

/** True for instants of the calendar: `Date` alone would roll 30 February over into March. */
function isCalendarDate(instant: string): boolean {
  const [year, month, day] = instant.slice(0, 10).split('-').map(Number) as [number, number, number];
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return !Number.isNaN(Date.parse(instant)) && year >= 1970 && year <= 9998 && day >= 1 && day <= daysInMonth;
}

/** An instant as the API writes it: UTC, milliseconds, `Z`. A pattern, since `z.iso` would add 3 KB to every function. */
export const UtcTimestamp = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/));

/** A whole number in a query string, within bounds; anything but plain digits is refused (`1.5`, `1e3`, `10abc`, ` 5`). */
export const queryInteger = (minimum: number, maximum: number) =>
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (digits) => /^\d{1,9}$/.test(digits) && Number(digits) >= minimum && Number(digits) <= maximum,
          `must be a whole number from ${minimum} to ${maximum}`,
        ),
      ),
    z.transform(Number),
  );
