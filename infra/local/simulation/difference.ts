import { isDeepStrictEqual } from 'node:util';

/** The first difference of two lists whose elements have a key each, in words; undefined where there is none. */
export function listDifference<Element>(
  what: string,
  keyOf: (element: Element) => string,
  expected: readonly Element[],
  actual: readonly Element[],
): string | undefined {
  const actualByKey = Map.groupBy(actual, keyOf);
  for (const element of expected) {
    const key = keyOf(element);
    const [found, another] = actualByKey.get(key) ?? [];
    if (found === undefined) return `${what} ${key} is missing`;
    if (another !== undefined) return `${what} ${key} is there twice`;
    const difference = valueDifference(element, found);
    if (difference !== undefined) return `${what} ${key}: ${difference}`;
    actualByKey.delete(key);
  }
  const [stranger] = actualByKey.keys();
  return stranger === undefined ? undefined : `${what} ${stranger} must not be there`;
}

/** The first difference of two values: which part of it is what, and what it must be. */
export function valueDifference(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (isDeepStrictEqual(expected, actual)) return undefined;
  if (!isObject(expected) || !isObject(actual)) {
    return `${path || 'it'} is ${JSON.stringify(actual)} and must be ${JSON.stringify(expected)}`;
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const difference = valueDifference(expected[name], actual[name], path ? `${path}.${name}` : name);
    if (difference !== undefined) return difference;
  }
  return `${path || 'it'} is of another kind than it must be`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
