/** Processes items, a few at a time. Throws the first error and starts no more items after it. */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = items.values(); // shared by all workers: each takes the next item
  let hasFailed = false;
  const work = async () => {
    for (const item of remaining) {
      if (hasFailed) return;
      await act(item);
    }
  };
  try {
    await Promise.all(Array.from({ length: limit }, work));
  } catch (error) {
    hasFailed = true;
    throw error;
  }
}
