import { UserError } from '../../shared/user-error.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Whether an event matches an EventBridge pattern of literals and `{ prefix }`, at any depth.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function matches(pattern: JsonObject, event: JsonObject): boolean {
  return Object.entries(pattern).every(([key, expected]) => {
    const actual = event[key];
    if (Array.isArray(expected)) return matchesOne(expected, actual);
    return isObject(expected) && isObject(actual) && matches(expected, actual);
  });
}

/** Throws a UserError that names a matcher which the local runner does not support. */
export function assertKnownPattern(pattern: JsonObject, rule: string): void {
  for (const [key, expected] of Object.entries(pattern)) {
    if (key.startsWith('$')) throw unknownMatcher(rule, key);
    if (isObject(expected)) {
      assertKnownPattern(expected, rule);
    } else if (Array.isArray(expected)) {
      for (const matcher of expected) assertKnownMatcher(matcher, rule);
    } else {
      throw unknownMatcher(rule, `${key}: ${JSON.stringify(expected)}`);
    }
  }
}

/** An array in the event matches if any of its elements matches. */
function matchesOne(matchers: readonly unknown[], actual: unknown): boolean {
  const values = Array.isArray(actual) ? actual : [actual];
  return values.some((value) =>
    matchers.some((matcher) => {
      if (!isObject(matcher)) return matcher === value;
      return typeof value === 'string' && value.startsWith(String(matcher.prefix));
    }),
  );
}

function assertKnownMatcher(matcher: unknown, rule: string): void {
  if (!isObject(matcher)) return;
  const isPrefix = Object.keys(matcher).length === 1 && typeof matcher.prefix === 'string';
  if (!isPrefix) throw unknownMatcher(rule, JSON.stringify(matcher));
}

function unknownMatcher(rule: string, matcher: string): UserError {
  return new UserError(
    `The rule ${rule} uses the matcher ${matcher}, which the local runner does not support. Add it to tools/local/events/pattern.ts.`,
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
