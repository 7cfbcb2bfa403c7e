/** Each series on top of those before it. */
export function stacked(series: readonly (readonly number[])[]): number[][] {
  const stack: number[][] = [];
  for (const values of series) {
    const below = stack.at(-1);
    stack.push(values.map((value, index) => value + (below?.[index] ?? 0)));
  }
  return stack;
}
