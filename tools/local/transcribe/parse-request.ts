import type * as z from 'zod';
import { badRequest } from './bad-request.ts';

/** The constraint that a missing member, or one of the wrong type, breaks. */
export const required = (issue: { input?: unknown }): string =>
  issue.input === undefined || issue.input === null ? 'Member must not be null' : 'Member has the wrong type';

/** The constraint of a member with a set of values. */
export const oneOf = (values: object): string =>
  `Member must satisfy enum value set: [${Object.values(values).join(', ')}]`;

/** The constraint of a member that must not be empty. */
export const NOT_EMPTY = 'Member must have length greater than or equal to 1';

/** The constraint of a member with a greatest length. */
export const longest = (length: number): string => `Member must have length less than or equal to ${length}`;

/** The constraint of a member with a pattern, with the pattern. */
export const pattern = (expression: RegExp): [RegExp, string] => [
  expression,
  `Member must satisfy regular expression pattern: ${expression.source}`,
];

/** Parses a request by its schema. Throws BadRequestException with Amazon's text for the first broken constraint. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  const value = path.reduce<unknown>(
    (inner, step) => (inner as Record<PropertyKey, unknown> | undefined)?.[step],
    body,
  );
  const shown = value === undefined || value === null ? 'null' : `'${String(value)}'`;
  const name = path.map((step) => `${String(step).charAt(0).toLowerCase()}${String(step).slice(1)}`).join('.');
  throw badRequest(
    `1 validation error detected: Value ${shown} at '${name}' failed to satisfy constraint: ${issue?.message}`,
  );
}
