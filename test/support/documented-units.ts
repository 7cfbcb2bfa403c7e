import { readFile } from 'node:fs/promises';

/** The units in a line of a table in docs/access-patterns.md, one for each of the last two columns. */
export async function documentedUnits(name: string): Promise<readonly [upTo1KiB: number, upTo2KiB: number]> {
  const text = await readFile('docs/access-patterns.md', 'utf8');
  const cells = text
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`))
    ?.split('|')
    .slice(-3, -1)
    .map(Number.parseFloat);
  if (cells?.length !== 2) throw new Error(`docs/access-patterns.md has no line for "${name}".`);
  return [Number(cells[0]), Number(cells[1])];
}
