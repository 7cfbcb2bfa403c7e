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
  z.string().check(
    z.regex(offsetDateTime, {
      error: 'must be an ISO 8601 date and time with a time zone, such as 2026-01-31T12:00:00Z',
      abort: true,
    }),
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

const maxIdentifierBytes = 256;

/** An id that the platform chose: 1-256 bytes of UTF-8 (it is part of keys), no NUL and no lone surrogate. */
export const Identifier = z.string().check(
  z.minLength(1, 'must not be empty'),
  z.refine((id) => id.isWellFormed(), 'must be valid Unicode'),
  z.refine((id) => !id.includes('\0'), 'must not contain the NUL character'),
  z.refine(
    (id) => utf8.encode(id).length <= maxIdentifierBytes,
    `must be at most ${maxIdentifierBytes} bytes of UTF-8`,
  ),
);

/** One of these words; what it is not is told with the list of them. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

/** The two directions of a sort order. */
export type SortDirection = 'asc' | 'desc';
const directions: readonly SortDirection[] = ['asc', 'desc'];

/** A sort order as clients write it, `<field>:<direction>`, by one of these fields; comes out in its two parts. */
export function sortOrder<Field extends string>(fields: readonly Field[]) {
  const orders = fields.flatMap((field) => directions.map((direction) => `${field}:${direction}` as const));
  return z.pipe(
    oneOf(orders),
    z.transform((order) => {
      const [field, direction] = order.split(':') as [Field, SortDirection];
      return { field, direction };
    }),
  );
}

/** A page of a list: its elements, and the cursor of the next page, which is null on the last. */
export function pageOf<Element extends z.ZodMiniType>(element: Element) {
  return z.object({ results: z.array(element), cursor: z.nullable(z.string()) });
}
