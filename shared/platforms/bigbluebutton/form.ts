/**
 * The fields of a form. Undefined if it repeats one: a checksum of the last value and a reader of the first would let a stranger put
 * another value before a signed one. The signature and the reader both take the fields from here.
 */
export function fieldsOf(rawBody: Buffer): ReadonlyMap<string, string> | undefined {
  const pairs = [...new URLSearchParams(rawBody.toString())];
  const fields = new Map(pairs);
  return fields.size === pairs.length ? fields : undefined;
}
