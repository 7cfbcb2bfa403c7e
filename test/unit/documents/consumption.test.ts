import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { documentedTable } from '../../support/docs/documented-consumption.ts';

const generated = /(<!-- consumption: (\w+) -->\n)(?:\|.*\n)*/g;

test.each([
  ['docs/access-patterns.md', 4],
  ['docs/insights-cost.md', 4],
])('%s has the tables of docs/consumption.json (with -u, this test writes them)', async (page, count) => {
  const text = readFileSync(page, 'utf8');
  expect(text.match(generated)).toHaveLength(count);
  const updated = text.replaceAll(generated, (_, mark, name) => `${mark}${documentedTable(name)}\n`);
  await expect(updated).toMatchFileSnapshot(path.resolve(page));
});
