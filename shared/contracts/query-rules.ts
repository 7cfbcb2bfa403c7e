import * as z from 'zod/mini';

/** What rules see of a query: each of its parameters that is given, as its own schema made it. */
type Query = Readonly<Record<string, unknown>> & { readonly sortBy?: { readonly field: string } | undefined };

const rule = (path: string, error: (query: Query) => string, holds: (query: Query) => boolean) =>
  z.refine<Query>(holds, { error: ({ input }) => error(input as Query), path: [path] });

const givenOf = (query: Query, names: readonly string[]) => names.filter((name) => query[name] !== undefined);
const hasNone = (query: Query, names: readonly string[]) => givenOf(query, names).length === 0;

/** Where both are given, the time `to` is later than the time `from`. */
export function isLater(to: string, from: string) {
  return rule(
    to,
    () => `must be later than ${from}`,
    ({ [from]: first, [to]: last }) => first === undefined || last === undefined || String(first) < String(last),
  );
}

/** The parameter is not given together with any of the others. */
export function excludes(name: string, others: readonly string[]) {
  return rule(
    name,
    (query) => `cannot be combined with ${givenOf(query, others).join(', ')}`,
    (query) => hasNone(query, [name]) || hasNone(query, others),
  );
}

/** A list that any of these parameters narrows comes in the order of `field`, in either direction. */
export function sortsBy(field: string, names: readonly string[]) {
  return rule(
    'sortBy',
    (query) => `must be ${field}:asc or ${field}:desc with ${givenOf(query, names).join(', ')}`,
    (query) => (query.sortBy?.field ?? field) === field || hasNone(query, names),
  );
}
