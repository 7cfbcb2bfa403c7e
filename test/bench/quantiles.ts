/** The quantile of the values, by the nearest-rank method. */
export function quantile(values: readonly number[], part: number): number {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered[Math.max(0, Math.ceil(ordered.length * part) - 1)] ?? Number.NaN;
}

/** The median of the values: of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const ordered = values.toSorted((one, other) => one - other);
  const [low = Number.NaN, high = low] = ordered.slice(
    Math.ceil(ordered.length / 2) - 1,
    Math.floor(ordered.length / 2) + 1,
  );
  return (low + high) / 2;
}
