import * as z from 'zod/mini';

/** The location of a file in a row. Less strict than the event's, so that a row from before a rule of keys stays readable. */
export const StoredLocation = z.object({ bucket: z.string(), key: z.string() });
