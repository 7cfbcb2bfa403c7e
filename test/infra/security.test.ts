import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const page = readFileSync('docs/security.md', 'utf8');
const risks = page.split('\n### ').slice(1);
/** A line of the page that names a test file, and what is quoted in it: parts of the titles of tests. */
const shown = [...page.matchAll(/^- `(test\/[^`]+)`: (.+)$/gm)].flatMap(([, file = '', rest = '']) =>
  [...rest.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
);

describe('docs/security.md', () => {
  test('has the ten risks of OWASP, in their order, each with tests', () => {
    expect(risks.map((text) => /^API(\d+):2023 \w/.exec(text)?.[1])).toEqual(
      [...Array(10)].map((_, at) => String(at + 1)),
    );
    for (const risk of risks) expect(risk).toMatch(/^- `test\/.+`: ".+"/m);
  });

  test.each(shown)('names a test of $file: "$title"', ({ file, title }) => {
    expect(existsSync(file)).toBe(true);
    const titles = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /['"`].*['"`]/.test(line));
    expect(titles.some((line) => line.includes(title))).toBe(true);
  });

  test('quotes a title in every line that names a test', () => {
    const lines = page.split('\n').filter((line) => line.startsWith('- `test/'));
    expect(new Set(shown.map(({ file }) => file)).size).toBeGreaterThan(10);
    for (const line of lines) expect(line).toMatch(/^- `test\/[^`]+\.test\.ts`: "/);
  });
});
