import type * as z from 'zod';
import type { Operation } from './aws-json.ts';
import { ServiceError } from './service-error.ts';

/** An operation whose request follows a schema. Another request is refused with this code; the message quotes no value. */
export function parsedOperation<Schema extends z.ZodType>(
  refusalCode: string,
  schema: Schema,
  run: (request: z.output<Schema>) => Promise<object>,
): Operation {
  return async (body) => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return run(parsed.data);
    const [issue] = parsed.error.issues; // it never quotes a value
    throw new ServiceError(refusalCode, `${issue?.path.join('.')}: ${issue?.message}`);
  };
}
