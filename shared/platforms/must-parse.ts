import type * as z from 'zod/mini';
import { parse } from '../contracts/common/parse.ts';
import { InvalidRequest } from '../runtime/errors.ts';

/** The parsed value. Throws `InvalidRequest` with every problem for a payload that lacks what its translation needs. */
export function mustParse<Schema extends z.ZodMiniType>(schema: Schema, payload: unknown): z.output<Schema> {
  const parsed = parse(schema, payload);
  if (!parsed.ok) throw new InvalidRequest(parsed.issues);
  return parsed.value;
}
