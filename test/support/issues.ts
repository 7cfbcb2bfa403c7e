import type * as z from 'zod/mini';
import { parse } from '#shared/contracts/parse.ts';

/** What a schema says is wrong with a value, each as `path: message`; nothing where it takes the value. */
export function issuesOf(schema: z.ZodMiniType, value: unknown): string[] {
  const parsed = parse(schema, value);
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`);
}

/** The value as the schema makes it; throws where it refuses the value. */
export function taken<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = parse(schema, value);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.value;
}
