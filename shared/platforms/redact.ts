import { InvalidRequest } from '../runtime/errors.ts';

/** Deeper than any payload of a platform, and far from what overflows the stack of a function that visits it. */
const maxDepth = 100;

/**
 * A copy of a payload without the fields of these names, at any depth and in any spelling: `turnPassword` is `turn_password`, too. Throws
 * `InvalidRequest` if the payload is nested deeper than a hundred levels.
 */
export function redact(payload: unknown, secretFields: readonly string[]): unknown {
  const secret = new Set(secretFields.map(plain));
  const copyOf = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (depth === maxDepth)
      throw new InvalidRequest([{ path: 'body', message: `must not be nested deeper than ${maxDepth} levels` }]);
    if (Array.isArray(value)) return value.map((each) => copyOf(each, depth + 1));
    const kept = Object.entries(value).filter(([name]) => !secret.has(plain(name)));
    return Object.fromEntries(kept.map(([name, each]) => [name, copyOf(each, depth + 1)]));
  };
  return copyOf(payload, 0);
}

/** Versions of a platform, and the libraries that write its JSON, differ in capitals and in what they put between words. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
