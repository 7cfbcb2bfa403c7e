import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { bundleFormat } from '#infra/bundling/bundling.ts';
import { documented } from '../../support/docs/documented-consumption.ts';
import { measured } from '../../support/requests/measured.ts';
import type { MeasuredStack } from '../../support/requests/measured-stack.ts';

let stack: MeasuredStack;
beforeAll(async () => {
  stack = await measured(inject('machine').assembly);
}, 300_000);

/** The figures of a group without the texts about its requests. */
function figuresOf(group: Readonly<Record<string, object>>) {
  return Object.fromEntries(Object.entries(group).map(([name, row]) => [name, { ...row, request: undefined }]));
}

test.each(['requests', 'messages'] as const)('%s consume what docs/consumption.json states', (group) => {
  expect(stack[group]).toEqual(figuresOf(documented[group]));
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
