/** The quantile of the values, by the nearest-rank method. */
export function quantile(values: readonly number[], part: number): number {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered[Math.max(0, Math.ceil(ordered.length * part) - 1)] ?? Number.NaN;
}

/** The median of the values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
