import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const installed = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).sort();

/** The packages in the first column of the tables. */
const listed = readFileSync('docs/decisions/dependencies.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  .sort();

test('every package has one row in the table of dependencies, and every row has a package', () => {
  expect(installed.length).toBeGreaterThan(50);
  expect(listed).toEqual(installed);
});

test('every row of the table describes the purpose of the package and the rejected alternatives', () => {
  const rows = readFileSync('docs/decisions/dependencies.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  for (const row of rows) expect(row, row).toMatch(/^\| [^|]+ \| [^|\s][^|]* \| [^|\s][^|]* \|$/);
});
