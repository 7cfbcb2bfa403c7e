import { readFile } from 'node:fs/promises';

/** The figures in the last columns of a line of a table in docs/access-patterns.md. */
export async function documentedFigures(name: string, columns: number): Promise<readonly number[]> {
  const text = await readFile('docs/access-patterns.md', 'utf8');
  const cells = text
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`))
    ?.split('|')
    .slice(-columns - 1, -1)
    .map(Number.parseFloat);
  if (cells?.length !== columns) throw new Error(`docs/access-patterns.md has no line for "${name}".`);
  return cells;
}

/** The units in a line of a table in docs/access-patterns.md, one for each of the last two columns. */
export async function documentedUnits(name: string): Promise<readonly [upTo1KiB: number, upTo2KiB: number]> {
  const [upTo1KiB = Number.NaN, upTo2KiB = Number.NaN] = await documentedFigures(name, 2);
  return [upTo1KiB, upTo2KiB];
}
