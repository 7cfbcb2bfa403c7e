import { randomUUID } from 'node:crypto';

/** A longer array is written in pieces of this many elements. */
const pieceLength = 10_000;

/** The JSON text of a value, in pieces: each element of a list is a piece, and each long array within it is several. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (!Array.isArray(value)) return yield* jsonParts(value);
  for (const [index, element] of value.entries()) {
    yield index === 0 ? '[' : ',';
    yield* jsonParts(element);
  }
  yield value.length === 0 ? '[]' : ']';
}

/** True if all arrays within the value together have so many elements that its text is better written in pieces. */
export function isLong(value: unknown): boolean {
  return withElements(0, value) > pieceLength;
}

/** Adds the elements of all arrays within a value, until there are too many for one piece. */
function withElements(counted: number, value: unknown): number {
  if (typeof value !== 'object' || value === null) return counted;
  const isArray = Array.isArray(value);
  let elements = isArray ? counted + value.length : counted;
  for (const each of isArray ? value : Object.values(value)) {
    if (elements > pieceLength) break;
    elements = withElements(elements, each);
  }
  return elements;
}

/** The JSON text of a value, in pieces: one, or several if an array within it is long. */
export function* jsonParts(value: unknown): Generator<string> {
  if (!isLong(value)) return yield JSON.stringify(value);
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
