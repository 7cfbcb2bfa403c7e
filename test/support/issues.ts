import type * as z from 'zod/mini';
import { parse } from '#shared/contracts/common/parse.ts';

/** The issues of a value in a schema, each as `path: message`. Empty if the value is valid. */
export function issuesOf(schema: z.ZodMiniType, value: unknown): string[] {
  const parsed = parse(schema, value);
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`);
}

/** Parses a value with a schema. Throws if the value is invalid. */
export function taken<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = parse(schema, value);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.value;
}
