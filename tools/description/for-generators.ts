import type { Json } from './answers.ts';

/**
 * The description as client generators can use it. A generator makes a value of another type (a date, a UUID, a URI) from a
 * string with a format, and then cannot apply a pattern: openapi-generator's Python client fails on each such value. So a
 * string has a format or a pattern. The service still checks both.
 */
export function forGenerators(document: Json): Json {
  return withoutPatterns(document) as Json;
}

function withoutPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatterns);
  if (typeof value !== 'object' || value === null) return value;
  const { pattern, ...others } = value as Json;
  const hasBoth = typeof pattern === 'string' && typeof others.format === 'string';
  return Object.fromEntries(
    Object.entries(hasBoth ? others : value).map(([keyword, part]) => [keyword, withoutPatterns(part)]),
  );
}
