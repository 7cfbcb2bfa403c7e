import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { bundleFormat } from '#infra/bundling.ts';
import { documentedTable } from '../support/requests/documented.ts';
import { measured } from '../support/requests/measured.ts';
import type { MeasuredStack } from '../support/requests/measured-stack.ts';

let stack: MeasuredStack;
beforeAll(async () => {
  stack = await measured(inject('machine').assembly);
}, 300_000);

test('a request of each operation consumes what docs/access-patterns.md states', async () => {
  expect(stack.requests).toEqual(await documentedTable('What a request consumes'));
});

test('a message of each other function consumes what docs/access-patterns.md states', async () => {
  expect(stack.messages).toEqual(await documentedTable('What a message consumes'));
});

test('each function is measured, by a request or by a message', () => {
  const { requests, messages, functions } = stack;
  expect(functions.filter((name) => !(name in requests) && !(name in messages))).toEqual([]);
});

test('the format of each bundle lies beside it', () => {
  const { assembly } = inject('machine');
  const formats = globSync('asset.*/package.json', { cwd: assembly }).map((file) =>
    readFileSync(path.join(assembly, file), 'utf8'),
  );
  expect(formats).toEqual(stack.functions.map(() => bundleFormat));
});
