/** Does something with each item, a few at a time; throws with the first that fails, which begins no more of them. */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = items.values(); // one iterator for all: each takes the next
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
