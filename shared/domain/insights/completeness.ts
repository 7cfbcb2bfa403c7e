import { type Completeness, type Missing, missingKinds } from '#shared/contracts/insights/insights.ts';

/** How many sessions miss something, by what they miss. A room's totals change by differences, as all its totals do. */
export type MissingCounts = Readonly<Record<Missing, number>>;

/** No session misses anything. */
export const nothingMissing: MissingCounts = { start: 0, end: 0, leave: 0, participant: 0 };

/** What is missing, each once, in the order in which answers have it. */
export function inOrderOfKinds(missing: Iterable<Missing>): Missing[] {
  const all = new Set(missing);
  return missingKinds.filter((kind) => all.has(kind));
}

/** The completeness of something that misses these. */
export function completenessOf(missing: Iterable<Missing>): Completeness {
  const ordered = inOrderOfKinds(missing);
  return { state: ordered.length > 0 ? 'inferred' : 'observed', missing: ordered };
}

/** One of each that a session misses. */
export function countsOf(missing: readonly Missing[]): MissingCounts {
  return { ...nothingMissing, ...Object.fromEntries(missing.map((kind) => [kind, 1])) };
}

/** What at least one session misses. */
export function missingOf(counts: MissingCounts): Missing[] {
  return missingKinds.filter((kind) => counts[kind] > 0);
}
