import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The messages that the code of the functions passes to `log`, and the one that `log` writes itself. */
const written = globSync(['shared/**/*.ts', 'functions/**/*.ts'])
  .flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/\b(?:log\.(?:info|warn|error)\(|writeLogLine\('[A-Z]+',)\s*'([^']+)'/g),
  ])
  .map(([, message = '']) => message);

/** The messages in the first column of the table of messages. */
const documented = readFileSync('docs/operations.md', 'utf8')
  .split('| `message` | Level | Meaning |')[1]
  ?.split('\n\n')[0]
  ?.split('\n')
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, message = '']) => message));

test('docs/operations.md lists every log message of the functions, and no other', () => {
  expect(documented?.length).toBeGreaterThan(10);
  expect(documented?.toSorted()).toEqual([...new Set(written)].toSorted());
});
