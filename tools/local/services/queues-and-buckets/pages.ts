/** One page of a list. The token is the index of the next item. */
export function pageOf<Item>(
  items: readonly Item[],
  { Limit, NextToken: token = '0' }: { readonly Limit: number; readonly NextToken?: string | undefined },
): { readonly items: readonly Item[]; readonly NextToken: string | undefined } {
  const from = Number(token);
  const to = from + Limit;
  return { items: items.slice(from, to), NextToken: to < items.length ? String(to) : undefined };
}
