/** Each series on top of those before it. What is not known counts as nothing. */
export function stacked(series: readonly (readonly (number | null)[])[]): number[][] {
  const stack: number[][] = [];
  for (const values of series) {
    const below = stack.at(-1);
    stack.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return stack;
}
