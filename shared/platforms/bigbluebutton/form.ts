/** How JSON of an object begins. A form has it as `%7B`. */
const openingBrace = '{'.charCodeAt(0);

/**
 * The fields of a form. Undefined if it repeats one: a checksum of the last value and a reader of the first would let a stranger put
 * another value before a signed one. Undefined also for JSON, which version 2 signs in place of the form: a name in it can look like fields.
 * The signature and the reader both take the fields from here.
 */
export function fieldsOf(rawBody: Buffer): ReadonlyMap<string, string> | undefined {
  if (rawBody.at(0) === openingBrace) return undefined;
  const pairs = [...new URLSearchParams(rawBody.toString())];
  const fields = new Map(pairs);
  return fields.size === pairs.length ? fields : undefined;
}
