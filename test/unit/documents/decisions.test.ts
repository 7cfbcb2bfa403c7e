import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = 'docs/decisions';
const records = globSync(`${folder}/[0-9]*.md`).sort();

test.each(records)('the record %s has a number, a status, dates and all sections', (file) => {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(new RegExp(`^# ${path.basename(file).slice(0, 4)}\\. \\S`));
  expect(text).toMatch(/^- Status: accepted\n- Decided: \d{4}-\d{2}-\d{2}\n- Checked last: \d{4}-\d{2}-\d{2}$/m);
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    'Context',
    'Options',
    'Decision',
    'Consequences',
  ]);
});

test('the index lists every record once, with its title, in the order of the numbers', () => {
  const rows = readFileSync(`${folder}/README.md`, 'utf8').match(/^\| \[\d{4}\].*$/gm);
  const expected = records.map((file, index) => {
    const number = String(index + 1).padStart(4, '0');
    const title = /^# \d{4}\. (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
    return `| [${number}](${path.basename(file)}) | ${title} | accepted |`;
  });
  expect(rows).toEqual(expected);
});

test('the folder has at most 28 files', () => {
  expect(globSync(`${folder}/*`).length).toBeLessThanOrEqual(28);
});
