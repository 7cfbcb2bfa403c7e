import { isDeepStrictEqual } from 'node:util';

/** Describes the first difference of two lists. Elements are matched by key; keys may repeat. Undefined if there is none. */
export function listDifference<Element>(
  what: string,
  keyOf: (element: Element) => string,
  expected: readonly Element[],
  actual: readonly Element[],
): string | undefined {
  const actualByKey = Map.groupBy(actual, keyOf);
  for (const [key, elements] of Map.groupBy(expected, keyOf)) {
    const found = actualByKey.get(key) ?? [];
    if (found.length === 0) return `${what} ${key} is missing`;
    if (found.length !== elements.length) {
      return `${what} ${key} occurs ${times(found.length)} and must occur ${times(elements.length)}`;
    }
    const [element, other] = [without(elements, found)[0], without(found, elements)[0]];
    if (element !== undefined) return `${what} ${key}: ${valueDifference(element, other)}`;
    actualByKey.delete(key);
  }
  const [stranger] = actualByKey.keys();
  return stranger === undefined ? undefined : `${what} ${stranger} must not exist`;
}

/** The elements of a list without those of another. Each element removes one equal element. */
function without<Element>(elements: readonly Element[], taken: readonly Element[]): Element[] {
  const left = [...elements];
  for (const each of taken) {
    const place = left.findIndex((element) => isDeepStrictEqual(element, each));
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Describes the first difference of two values: the path, the actual and the expected value. */
export function valueDifference(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (isDeepStrictEqual(expected, actual)) return undefined;
  if (!isObject(expected) || !isObject(actual)) {
    return `${path || 'it'} is ${JSON.stringify(actual)} and must be ${JSON.stringify(expected)}`;
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const difference = valueDifference(expected[name], actual[name], path ? `${path}.${name}` : name);
    if (difference !== undefined) return difference;
  }
  return `${path || 'it'} has the wrong type`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
