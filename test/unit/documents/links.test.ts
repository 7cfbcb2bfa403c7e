import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, blocksOf, documents, linksOf } from '../../support/docs/documents.ts';

describe.each(documents)('the page %s', (page) => {
  test('links only to existing pages and headings', () => {
    const broken = linksOf(page).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(target).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('contains only valid JSON in its JSON blocks', () => {
    for (const block of blocksOf(page, 'json')) expect(() => JSON.parse(block), block).not.toThrow();
  });
});

test('the documents contain links, commands and JSON', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/deploy.md', 'docs/operations/dead-letters.md']));
  expect(documents.flatMap(linksOf).length).toBeGreaterThan(100);
  expect(documents.flatMap((page) => blocksOf(page, 'sh')).length).toBeGreaterThan(50);
  expect(documents.flatMap((page) => blocksOf(page, 'json')).length).toBeGreaterThan(0);
});

test('anchorsOf returns the anchors that GitHub generates', () => {
  expect(anchorsOf('docs/operations/erasure.md').has('erasing-an-organization-or-a-person')).toBe(true);
  expect(anchorsOf('docs/operations/erasure.md').has('erasing')).toBe(false);
});
