import { describe, expect, test, vi } from 'vitest';
import * as zod from 'zod/mini';
import * as late from '#shared/adapters/late-schemas.ts';

const schemaOf = (z: typeof zod) => {
  const Name = z.string().check(z.minLength(2, 'too short'), z.regex(/^[a-z]+$/, 'not lower case'));
  const Base = z.object({ name: Name, size: z._default(z.int().check(z.minimum(1), z.maximum(9)), 5) });
  const One = z.extend(Base, { kind: z.literal('one'), tags: z.array(z.enum(['a', 'b'])) });
  const Two = z.strictObject({ ...Base.shape, kind: z.literal('two'), at: z.nullable(z.optional(z.number())) });
  const Text = z.pipe(
    z.string(),
    z.transform((text) => text.length),
  );
  return z.discriminatedUnion('kind', [One, Two, z.object({ kind: z.literal('three'), text: Text })]);
};

describe.each([
  ['valid', { kind: 'one', name: 'ab', tags: ['a'] }],
  ['valid', { kind: 'two', name: 'ab', size: 9, at: null }],
  ['valid', { kind: 'three', text: 'four' }],
  ['too short', { kind: 'one', name: 'A', tags: ['c'] }],
  ['too many fields', { kind: 'two', name: 'ab', other: 1 }],
  ['of another kind', { kind: 'four' }],
  ['no object', 'text'],
])('a schema that is built late, for a value that is %s', (_, value) => {
  test('gives the same result as the schema of zod', () => {
    const result = schemaOf(late as typeof zod).safeParse(value);
    expect(JSON.stringify(result)).toBe(JSON.stringify(schemaOf(zod).safeParse(value)));
  });
});

test('the parts of a schema are built when something first parses with it, and once', () => {
  const built = vi.fn(() => zod.string());
  const part = {
    ...late.object({}),
    get _zod() {
      return built()._zod;
    },
  };
  const schema = late.object({ part: part as unknown as zod.ZodMiniString });
  const checked = schema.check(late.refine(() => true));
  expect(built).not.toHaveBeenCalled();
  expect(checked.parse({ part: 'text' })).toEqual({ part: 'text' });
  expect(built).toHaveBeenCalled();
  expect(checked._zod).toBe(checked._zod);
});

test('a schema that is built late is an instance of its class', () => {
  expect(late.nullable(late.string())).toBeInstanceOf(zod.ZodMiniNullable);
  expect(late.optional(late.string())).not.toBeInstanceOf(zod.ZodMiniNullable);
});

test('the shape of an object is there before its schema is built', () => {
  const built = vi.fn();
  const params = Object.defineProperty({}, 'error', { get: () => built(), enumerable: true });
  const object = late.object({ part: zod.string() }, params) as ReturnType<typeof zod.object>;
  expect(Object.keys(object.shape)).toEqual(['part']);
  expect(built).not.toHaveBeenCalled();
  object.parse({ part: 'text' });
  expect(built).toHaveBeenCalled();
});
