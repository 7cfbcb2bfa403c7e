import { readFile } from 'node:fs/promises';
import type { Consumed } from './requests/consumption.ts';

/** What docs/access-patterns.md says that a request of each operation consumes, by the first cell of its row. */
export async function documentedRequests(): Promise<Readonly<Record<string, Consumed>>> {
  const text = await readFile('docs/access-patterns.md', 'utf8');
  const [, section = ''] = text.split('\n## What a request consumes\n');
  const [ofRequests = ''] = section.split('\n## ');
  const rows = ofRequests.matchAll(/^\| ([^|]+) \| [^|]+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([^|]+) \|$/gm);
  return Object.fromEntries(
    [...rows].map(([, name, calls, reads, writes, others]) => [
      name,
      { calls: Number(calls), reads: Number(reads), writes: Number(writes), others },
    ]),
  ) as Record<string, Consumed>;
}
