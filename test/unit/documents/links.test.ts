import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, blocksOf, documents, linksOf } from '../../support/documents.ts';

describe.each(documents)('%s', (page) => {
  test('points at pages and headings that are there', () => {
    const broken = linksOf(page).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(target).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('shows JSON that is JSON', () => {
    for (const block of blocksOf(page, 'json')) expect(() => JSON.parse(block), block).not.toThrow();
  });
});

test('there are pages, with links, commands and JSON in them', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/deploy.md', 'docs/operations/dead-letters.md']));
  expect(documents.flatMap(linksOf).length).toBeGreaterThan(100);
  expect(documents.flatMap((page) => blocksOf(page, 'sh')).length).toBeGreaterThan(50);
  expect(documents.flatMap((page) => blocksOf(page, 'json')).length).toBeGreaterThan(10);
});

test('a heading is found by the name that GitHub gives it', () => {
  expect(anchorsOf('docs/operations/erasure.md').has('erasing-an-organization-or-a-person')).toBe(true);
  expect(anchorsOf('docs/operations/erasure.md').has('erasing')).toBe(false);
});
