import { randomUUID } from 'node:crypto';

/** A longer array is written in pieces of this many elements. */
const pieceLength = 10_000;

/**
 * The JSON text of a value, in pieces, so that the whole text never needs to be in memory: each element of a list is a piece,
 * and each long array within it is several. If all arrays together are short, there is one piece.
 */
export function jsonPieces(value: unknown): Iterable<string> & { readonly isOne: boolean } {
  const isOne = !hasMoreElements(value, pieceLength);
  return {
    isOne,
    *[Symbol.iterator]() {
      if (isOne || !Array.isArray(value)) return yield* piecesOf(value);
      for (const [index, element] of value.entries()) {
        yield index === 0 ? '[' : ',';
        yield* piecesOf(element);
      }
      yield ']';
    },
  };
}

/** True if all arrays within the value together have more elements. */
function hasMoreElements(value: unknown, most: number): boolean {
  let elements = 0;
  const waiting = [value];
  while (waiting.length > 0 && elements <= most) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) elements += next.length;
    if (elements <= most) waiting.push(...Object.values(next));
  }
  return elements > most;
}

function* piecesOf(value: unknown): Generator<string> {
  const longArrays: (readonly unknown[])[] = [];
  const placeholder = randomUUID();
  const text = JSON.stringify(value, (_name, each: unknown) => {
    if (!Array.isArray(each) || each.length <= pieceLength) return each;
    longArrays.push(each);
    return placeholder;
  });
  for (const [index, part] of text.split(`"${placeholder}"`).entries()) {
    yield part;
    yield* elementsOf(longArrays[index] ?? []);
  }
}

function* elementsOf(array: readonly unknown[]): Generator<string> {
  for (let start = 0; start < array.length; start += pieceLength) {
    const elements = JSON.stringify(array.slice(start, start + pieceLength)).slice(1, -1);
    yield start === 0 ? `[${elements}` : `,${elements}`;
  }
  if (array.length > 0) yield ']';
}
