import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { differencesTable } from '../../dialects/differences-table.ts';

test('docs/platforms/README.md publishes the differences that the test of dialects allows', () => {
  const page = readFileSync(new URL('../../../docs/platforms/README.md', import.meta.url), 'utf8');
  const [, published = ''] = /<!-- differences: begin -->\n([\s\S]*?)\n<!-- differences: end -->/.exec(page) ?? [];
  expect(published.trim()).toBe(differencesTable());
});
