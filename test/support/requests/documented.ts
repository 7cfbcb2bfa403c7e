import { readFile } from 'node:fs/promises';
import type { Measured } from './measured-stack.ts';

/** A table of docs/access-patterns.md: what its rows state, and for the rows without figures the file of the test that measures them. */
export type DocumentedTable = { readonly stated: Measured; readonly elsewhere: Readonly<Record<string, string>> };

const stated = /^\| ([^|]+) \| [^|]+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([^|]+) \|$/gm;
const elsewhere = /^\| ([^|]+) \| [^|]+ \|(?: – \|){3} see \[[^|]+\]\(\.\.\/([^|]+)\) \|$/gm;

/** Reads the table below a heading. */
export async function documentedTable(heading: string): Promise<DocumentedTable> {
  const text = await readFile('docs/access-patterns.md', 'utf8');
  const [, after = ''] = text.split(`# ${heading}\n`);
  const [section = ''] = after.split('\n#');
  return {
    stated: fromDistinct(
      [...section.matchAll(stated)].map(([, name = '', calls, reads, writes, others = '']) => [
        name,
        { calls: Number(calls), reads: Number(reads), writes: Number(writes), others },
      ]),
    ),
    elsewhere: fromDistinct([...section.matchAll(elsewhere)].map(([, name = '', file = '']) => [name, file])),
  };
}

/** The values by their names. Throws for a name that comes twice. */
function fromDistinct<Value>(entries: readonly (readonly [name: string, value: Value])[]): Record<string, Value> {
  const values = Object.fromEntries(entries);
  if (Object.keys(values).length < entries.length) throw new Error('The table has two rows with one name.');
  return values;
}
