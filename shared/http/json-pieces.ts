import { randomUUID } from 'node:crypto';

/** A longer array is written in pieces of this many elements. */
const pieceLength = 10_000;

/**
 * The JSON text of a value, in pieces, so that the whole text never needs to be in memory. Without long arrays there is one
 * piece.
 */
export function jsonPieces(value: unknown): Iterable<string> & { readonly isOne: boolean } {
  const longArrays: (readonly unknown[])[] = [];
  const placeholder = randomUUID();
  const text = JSON.stringify(value, (_name, each: unknown) => {
    if (!Array.isArray(each) || each.length <= pieceLength) return each;
    longArrays.push(each);
    return placeholder;
  });
  const parts = text.split(`"${placeholder}"`);
  return {
    isOne: parts.length === 1,
    *[Symbol.iterator]() {
      for (const [index, part] of parts.entries()) {
        yield part;
        yield* elementsOf(longArrays[index] ?? []);
      }
    },
  };
}

function* elementsOf(array: readonly unknown[]): Generator<string> {
  for (let start = 0; start < array.length; start += pieceLength) {
    const elements = JSON.stringify(array.slice(start, start + pieceLength)).slice(1, -1);
    yield start === 0 ? `[${elements}` : `,${elements}`;
  }
  if (array.length > 0) yield ']';
}
