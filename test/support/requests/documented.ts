import { readFile } from 'node:fs/promises';
import type { Measured } from './measured-stack.ts';

const row = /^\| ([^|]+) \| [^|]+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([^|]+) \|$/gm;

/** What the table below a heading of docs/access-patterns.md states. Throws if two rows have one name. */
export async function documentedTable(heading: string): Promise<Measured> {
  const text = await readFile('docs/access-patterns.md', 'utf8');
  const [, after = ''] = text.split(`# ${heading}\n`);
  const [section = ''] = after.split('\n#');
  const rows = Array.from(
    section.matchAll(row),
    ([, name = '', calls, reads, writes, others = '']) =>
      [name, { calls: Number(calls), reads: Number(reads), writes: Number(writes), others }] as const,
  );
  const table = Object.fromEntries(rows);
  if (Object.keys(table).length < rows.length) throw new Error(`${heading}: two rows have one name.`);
  return table;
}
