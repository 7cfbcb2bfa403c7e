import { UserError } from '#tools/shared/user-error.ts';

/** A JSON object, such as an event or a pattern. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Whether an event matches an EventBridge pattern of literals and the operators below, at any depth. Of an array in the event, one element
 * that matches is enough.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function matches(pattern: JsonObject, event: JsonObject): boolean {
  return Object.entries(pattern).every(([key, expected]) => {
    const actual = event[key];
    if (Array.isArray(expected)) return matchesOne(expected, actual);
    if (!isObject(expected)) return false;
    // Without the object, `exists: false` still matches a field in it.
    const candidates: unknown[] = Array.isArray(actual) ? actual : [isObject(actual) ? actual : {}];
    return candidates.some((candidate) => isObject(candidate) && matches(expected, candidate));
  });
}

/** Throws a UserError that names a matcher which the local runner does not support. `owner` is the rule or filter with the pattern. */
export function assertKnownPattern(pattern: JsonObject, owner: string): void {
  const unknown = unknownMatcher(pattern);
  if (unknown === undefined) return;
  throw new UserError(
    `${owner} uses the matcher ${unknown}, which the local runner does not support. Add it to tools/local/events/pattern.ts.`,
  );
}

/** The first matcher of a pattern that the local runner does not support, as text. */
export function unknownMatcher(pattern: JsonObject): string | undefined {
  for (const [key, expected] of Object.entries(pattern)) {
    if (key.startsWith('$')) return key;
    const isList = Array.isArray(expected) && expected.length > 0;
    if (!isList && !isObject(expected)) return `${key}: ${JSON.stringify(expected)}`;
    const unknown = isObject(expected)
      ? unknownMatcher(expected)
      : (expected as unknown[]).filter((matcher) => !isKnown(matcher)).map((matcher) => JSON.stringify(matcher))[0];
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

/** An operator: whether its argument is supported, and whether a value matches it. The value of a missing field is undefined. */
type Operator = {
  readonly takes: (argument: unknown) => boolean;
  readonly matches: (argument: unknown, value: unknown) => boolean;
};

const isText = (value: unknown): value is string => typeof value === 'string';
const textsOf = (argument: unknown): unknown[] => (Array.isArray(argument) ? argument : [argument]);

const operators: Readonly<Record<string, Operator>> = {
  prefix: { takes: isText, matches: (start, value) => isText(value) && value.startsWith(String(start)) },
  suffix: { takes: isText, matches: (end, value) => isText(value) && value.endsWith(String(end)) },
  exists: {
    takes: (argument) => typeof argument === 'boolean',
    matches: (exists, value) => (value !== undefined && !isObject(value)) === exists, // of leaves only, as on AWS
  },
  'anything-but': {
    takes: (argument) => textsOf(argument).every((each) => isText(each) || typeof each === 'number'),
    matches: (excluded, value) => value !== undefined && !textsOf(excluded).includes(value),
  },
};

function matchesOne(matchers: readonly unknown[], actual: unknown): boolean {
  const values: unknown[] = Array.isArray(actual) ? actual : [actual];
  return (values.length === 0 ? [undefined] : values).some((value) =>
    matchers.some((matcher) => {
      if (!isObject(matcher)) return matcher === value;
      const [[name, argument] = ['', undefined]] = Object.entries(matcher);
      return operators[name]?.matches(argument, value) ?? false;
    }),
  );
}

function isKnown(matcher: unknown): boolean {
  if (Array.isArray(matcher)) return false;
  if (!isObject(matcher)) return true;
  const [[name, argument] = ['', undefined], ...others] = Object.entries(matcher);
  return others.length === 0 && Object.hasOwn(operators, name) && operators[name]?.takes(argument) === true;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
