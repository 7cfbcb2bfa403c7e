import * as z from 'zod/mini';

const utf8 = new TextEncoder();

/** Refuses text with lone surrogates, which UTF-8 cannot carry. */
export const wellFormed = z.refine<string>((value) => value.isWellFormed(), 'must be valid Unicode');

/** Refuses text of more than `maximum` bytes of UTF-8. JSON Schema can only express the same number of characters. */
export const maxBytes = (maximum: number) => {
  const error = `must be at most ${maximum} bytes of UTF-8`;
  return [
    z.maxLength(maximum, { error, abort: true }),
    z.refine<string>((value) => utf8.encode(value).length <= maximum, error),
  ] as const;
};

const withoutNulMessage = 'must not contain the NUL character';
const withoutNul = z.refine<string>((value) => !value.includes('\0'), withoutNulMessage);

/** A UUID of any version and case. The parsed value is lower case, so that an id has one spelling in every key. */
export const Uuid = z.pipe(
  z.string().check(z.regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be a UUID')),
  z.transform((uuid) => uuid.toLowerCase()),
);

/** In the description, client generators do not understand two patterns of one value, so this is one for both rules. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is refused; in the description, other languages take \0 for octal
const nameOfRoom = z.regex(/^\/[^\x00]{0,511}$/, {
  error: ({ input }) => (String(input).startsWith('/') ? withoutNulMessage : 'must start with "/"'),
});

/** A room name: starts with `/`, has 1-512 bytes of UTF-8 (it is part of index keys), no NUL and no lone surrogate. */
export const RoomName = z.string().check(...maxBytes(512), nameOfRoom, wellFormed);

const offsetDateTime =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})$/;

/** A part of a room name: 1-512 bytes of UTF-8, no NUL and no lone surrogate. */
export const PartOfRoomName = z
  .string()
  .check(z.minLength(1, 'must not be empty'), wellFormed, withoutNul, ...maxBytes(512));

/** The years of UTC, both included, in which a time of a query or an event must be. */
export const acceptedYears = [1970, 9998] as const;

/** True for a time whose `+` a URL turned into a space. No such time is long, and the pattern takes long for a long text. */
const losesItsPlus = (text: string) => text.length <= 50 && /T\S+ \d{2}:?\d{2}$/.test(text);

/** The moment of an instant. Python and others write offsets without a colon (`+0000`), which JavaScript need not understand. */
const momentOf = (instant: string) => new Date(instant.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));

/** An ISO 8601 instant with `Z` or an offset. The parsed value is in UTC with milliseconds and `Z`. */
export const Timestamp = z.pipe(
  z.string().check(
    z.regex(offsetDateTime, {
      error: ({ input }) =>
        `must be an ISO 8601 date and time with a time zone, such as 2026-01-31T12:00:00Z${
          losesItsPlus(String(input)) ? '. Write + as %2B in a URL' : ''
        }`,
      abort: true,
    }),
    z.refine(isCalendarDate, `must be a date and time that exists, in the years ${acceptedYears.join(' to ')}`),
  ),
  z.transform((instant) => momentOf(instant).toISOString()),
);

/** True for dates that exist. `Date` alone would turn 30 February into a day in March. */
function isCalendarDate(instant: string): boolean {
  const [year, month, day] = instant.slice(0, 10).split('-').map(Number) as [number, number, number];
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const yearInUtc = momentOf(instant).getUTCFullYear(); // NaN for an invalid date. A stored value must parse again
  const [first, last] = acceptedYears;
  return yearInUtc >= first && yearInUtc <= last && day >= 1 && day <= daysInMonth;
}

/** An instant in the format of API responses: UTC, milliseconds, `Z`. A pattern, because `z.iso` would add 3 KB to every function. */
export const UtcTimestamp = z
  .string()
  .check(z.regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/));

/** A whole number in a query string, within bounds. Refuses everything but plain digits (`1.5`, `1e3`, `10abc`, ` 5`). */
export const queryInteger = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.pipe(
    z.pipe(z.string().check(z.regex(/^[0-9]{1,9}$/, message)), z.transform(Number)),
    z.int().check(z.minimum(minimum, message), z.maximum(maximum, message)),
  );
};

/** An id that the platform chose: 1-256 bytes of UTF-8 (it is part of keys), no NUL and no lone surrogate. */
export const Identifier = z
  .string()
  .check(z.minLength(1, 'must not be empty'), wellFormed, withoutNul, ...maxBytes(256));

/** One of these words. The error message for any other value lists them. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

/** The two directions of a sort order. */
export type SortDirection = 'asc' | 'desc';
const directions: readonly SortDirection[] = ['asc', 'desc'];

/** A sort order `<field>:<direction>` by one of these fields. The parsed value has the two parts. */
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

/** A page of a list: its elements and the cursor of the next page, which is null on the last page. */
export function pageOf<Element extends z.ZodMiniType>(element: Element) {
  return z.object({ results: z.array(element), cursor: z.nullable(z.string()) });
}
