import * as z from 'zod/mini';
import { shortened } from './ids.ts';

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

/** A field without which the webhook still has a meaning. A value of another form is as good as none. */
export const perhaps = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(maybe(schema), undefined);

/** A text that a webhook needs. A long one is shortened, so that no translation takes long. */
export const RequiredText = z.pipe(
  z.string().check(z.minLength(1, 'must not be empty')),
  z.transform((text) => shortened(text)),
);

/**
 * A text that may be missing. A long one is shortened. An empty text is missing, too, and so is a value of another form. Numbers become
 * texts, because ids in tokens can be numbers. JSON keeps whole numbers apart up to 2^53, so the id of a larger one could be that of
 * somebody else: it is missing.
 */
export const MaybeText = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => {
    if (typeof value === 'string' && value !== '') return shortened(value);
    return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : undefined;
  }),
);

/** A flag that may be missing, or be a text. Only `true` and `"true"` are true. */
export const Flag = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => value === true || value === 'true'),
);
