import * as z from 'zod/mini';

/** A query as rules see it: the given parameters, each parsed by its own schema. */
type Query = Readonly<Record<string, unknown>> & { readonly sortBy?: { readonly field: string } | undefined };

const rule = (path: string, error: (query: Query) => string, holds: (query: Query) => boolean) =>
  z.refine<Query>(holds, { error: ({ input }) => error(input as Query), path: [path] });

const givenOf = (query: Query, names: readonly string[]) => names.filter((name) => query[name] !== undefined);
const hasNone = (query: Query, names: readonly string[]) => givenOf(query, names).length === 0;

/** If both are given, the time `to` must be later than the time `from`. */
export function isLater(to: string, from: string) {
  return rule(
    to,
    () => `must be later than ${from}`,
    ({ [from]: first, [to]: last }) => first === undefined || last === undefined || String(first) < String(last),
  );
}

/** The parameter must not be given together with any of the others. */
export function excludes(name: string, others: readonly string[]) {
  return rule(
    name,
    (query) => `cannot be combined with ${givenOf(query, others).join(', ')}`,
    (query) => hasNone(query, [name]) || hasNone(query, others),
  );
}

/** If one of these parameters filters the list, the list must be sorted by `field`, in either direction. */
export function sortsBy(field: string, names: readonly string[]) {
  return rule(
    'sortBy',
    (query) => `must be ${field}:asc or ${field}:desc with ${givenOf(query, names).join(', ')}`,
    (query) => (query.sortBy?.field ?? field) === field || hasNone(query, names),
  );
}
