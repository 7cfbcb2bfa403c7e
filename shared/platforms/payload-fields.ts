import * as z from 'zod/mini';

/** The last moment that an event can have. */
const lastMs = Date.parse('9998-12-31T23:59:59.999Z');

const epoch = (unitMs: number) =>
  z.pipe(
    z.number().check(z.minimum(0, 'must not be negative'), z.maximum(lastMs / unitMs, 'must be before the year 9999')),
    z.transform((value) => new Date(value * unitMs).toISOString()),
  );

/** A time in milliseconds since 1970. The parsed value is an ISO 8601 instant. */
export const EpochMilliseconds = epoch(1);

/** A time in seconds since 1970. The parsed value is an ISO 8601 instant. */
export const EpochSeconds = epoch(1000);

/** A field that a platform may omit, or send as null. */
export const maybe = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? undefined),
  );

/** A text that may be missing. An empty text is missing, too. Numbers become texts, because ids in tokens can be numbers. */
export const MaybeText = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((value) => (value === undefined || value === null || value === '' ? undefined : String(value))),
);

/** A flag that may be missing, or be a text. Only `true` and `"true"` are true. */
export const Flag = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => value === true || value === 'true'),
);

/** The first `length` UTF-16 units of a text, as valid Unicode. */
export function clip(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
