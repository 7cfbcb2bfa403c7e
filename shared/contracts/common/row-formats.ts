/** The media types in which a list or an array can be requested as rows, instead of JSON. */
export const rowMediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

/** A format of rows: CSV (RFC 4180), or NDJSON, which has one JSON object in each line. */
export type RowFormat = keyof typeof rowMediaTypes;

/** The header with the cursor of the next page. A page of rows has no other place for it. */
export const nextCursorHeader = 'x-next-cursor';
