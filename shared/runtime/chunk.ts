/** Splits a list into lists of at most `size` items. */
export function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Splits a stream into lists of at most `size` items. Reads on only when the next list is asked for. */
export async function* inChunks<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let next: Item[] = [];
  for await (const item of items) {
    next.push(item);
    if (next.length < size) continue;
    yield next;
    next = [];
  }
  if (next.length > 0) yield next;
}
