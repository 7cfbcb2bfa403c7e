import { UnreadableMessage } from '../errors.ts';

/** Updates one item after another. A refused one does not keep the others from their update: its refusal is thrown last. */
export async function forEachUnlessRefused<Item>(
  items: readonly Item[],
  update: (item: Item) => Promise<void>,
): Promise<void> {
  let refusal: UnreadableMessage | undefined;
  for (const item of items) {
    try {
      await update(item);
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      refusal = error;
    }
  }
  if (refusal) throw refusal;
}
