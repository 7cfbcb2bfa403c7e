import type * as z from 'zod/mini';
import type { Issue } from '#shared/runtime/errors.ts';

/** Of a value with more issues, the first ones tell enough. */
export const maxIssues = 20;
const maxPathLength = 100;

/** The parsed value, or at most 20 issues. The path of an issue starts at the root of the value. */
export function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): { readonly ok: true; readonly value: z.output<Schema> } | { readonly ok: false; readonly issues: readonly Issue[] } {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, issues: parsed.error.issues.flatMap((issue) => toIssues(issue, schema)).slice(0, maxIssues) };
}

function toIssues(issue: z.core.$ZodIssue, schema: z.ZodMiniType): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    const message = `is not a known parameter${issue.path.length === 0 ? knownOf(schema) : ''}`;
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message }));
  }
  return [{ path: pathOf(issue.path), message: messageOf(issue) }];
}

/** Lists the parameters of an object, so that a misspelt one can be corrected. */
function knownOf({ _zod: { def } }: z.ZodMiniType): string {
  if (def.type === 'pipe') return knownOf((def as z.core.$ZodPipeDef).in as z.ZodMiniType);
  const names = 'shape' in def ? Object.keys(def.shape as object) : [];
  return names.length > 0 ? `. The parameters are ${names.join(', ')}` : '';
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, maxPathLength);
}

/** zod/mini has no messages of its own. Without a message from the schema, the value is missing or has the wrong type. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message;
  return issue.input === undefined
    ? 'is required'
    : `must be ${article(issue.expected === 'int' ? 'whole number' : issue.expected)}`;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
