import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parse } from '#shared/contracts/common/parse.ts';
import { issuesOf } from '../../../support/issues.ts';

const Nested = z.object({ rooms: z.array(z.object({ name: z.string(), seats: z.int(), open: z.boolean() })) });

test('parse returns the output of the schema for a valid value', () => {
  const Trimmed = z.pipe(
    z.string(),
    z.transform((text) => text.trim()),
  );
  expect(parse(Trimmed, ' a ')).toEqual({ ok: true, value: 'a' });
});

test('parse reports each issue with its path from the root and the rule', () => {
  expect(issuesOf(Nested, { rooms: [{ name: 1, seats: 'many' }, null] })).toEqual([
    'rooms.0.name: must be a string',
    'rooms.0.seats: must be a number',
    'rooms.0.open: is required',
    'rooms.1: must be an object',
  ]);
});

test('parse reports at most twenty issues', () => {
  expect(issuesOf(z.array(z.string()), Array(10_000).fill(1))).toHaveLength(20);
  expect(
    issuesOf(z.strictObject({}), Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 1]))),
  ).toHaveLength(20);
});

test('parse shortens a long path, so that a client cannot control the size of the response', () => {
  const [issue] = issuesOf(z.strictObject({}), { ['k'.repeat(5_000)]: 1 });
  expect(issue).toBe(`${'k'.repeat(100)}: is not a known parameter`);
});

test('parse reports unknown keys that are named __proto__, constructor or toString', () => {
  expect(issuesOf(z.strictObject({}), JSON.parse('{"__proto__":1}'))).toEqual(['__proto__: is not a known parameter']);
  expect(issuesOf(z.strictObject({}), { constructor: 1, toString: 1 })).toHaveLength(2);
});

test('every issue is a sentence and never "Invalid input"', () => {
  for (const value of [null, undefined, 1, 'x', [], {}, true, [1]]) {
    for (const schema of [Nested, z.array(z.int()), z.string(), z.int(), z.boolean()]) {
      expect(issuesOf(schema, value).join()).not.toContain('Invalid');
    }
  }
});
