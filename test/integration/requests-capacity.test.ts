import { existsSync } from 'node:fs';
import { beforeAll, expect, inject, test } from 'vitest';
import { documentedTable } from '../support/requests/documented.ts';
import { measured } from '../support/requests/measured.ts';
import type { MeasuredStack } from '../support/requests/measured-stack.ts';

let stack: MeasuredStack;
beforeAll(async () => {
  stack = await measured(inject('machine').assembly);
}, 300_000);

test('a request of each operation consumes what docs/access-patterns.md states', async () => {
  expect(stack.requests).toEqual((await documentedTable('What a request consumes')).stated);
});

test('a message of each other function consumes what docs/access-patterns.md states', async () => {
  expect(stack.messages).toEqual((await documentedTable('What a message consumes')).stated);
});

test('docs/access-patterns.md names the test that measures a function without figures', async () => {
  const { elsewhere } = await documentedTable('What a message consumes');
  const { requests, messages, functions } = stack;
  expect(Object.keys(elsewhere).toSorted()).toEqual(
    functions.filter((name) => !(name in requests) && !(name in messages)).toSorted(),
  );
  expect(Object.values(elsewhere).filter((file) => !existsSync(file))).toEqual([]);
});
